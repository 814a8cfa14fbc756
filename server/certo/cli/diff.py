"""`certo diff`: compare a function with an older version of it, by what both do."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import anyio
from rich.console import Console
from rich.text import Text

from certo.behaviour.diff import BehaviourDiff
from certo.behaviour.version_comparison import MUTANTS, ComparisonBudget
from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import DIFFERENT, NOT_COMPARED, SOLVED
from certo.cli.request_arguments import add_target, read_seconds, request_of
from certo.cli.signals import ended_by_signals
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console, progress_console, waiting
from certo.cli.view.trace import tracing
from certo.concurrency import run_workers
from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.presentation.behaviour import details, heading, in_one_line, summary, totals
from certo.project.revisions import Revision, find_revision
from certo.project.root import find_root
from certo.protocol.behaviour import BehaviourDiff as BehaviourDiffMessage
from certo.sandbox.function_turns import MAX_AT_ONCE, FunctionTurns
from certo.sessions.assembly.problem_statement import ExecutionContext, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.evidence.behaviour_diff import OlderVersion, diff_function, older_at, texts_at
from certo.sessions.evidence.changed_functions import ChangedFunction, callers_of, changed_since
from certo.vocabulary.display import amount
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

SECONDS = 10.0
ALL_SECONDS = 300.0
"""Default time limits of one function, and of all with --changed, as a backstop: calls are counted."""

_STYLES = {"DIFFERENT": "lost", "NO DIFFERENCE FOUND": "won", "NOT COMPARED": "unsure"}

_NOTES = """\
It makes the same calls of both versions in the sandbox: those of the tests that name the function, and
others that certo makes up. A difference is shown by the simplest call that was found. That no
difference was found does not mean that there is none.

exit codes: 0 no difference found, 1 different, 2 bad usage, target or revision, 3 environment error,
4 nothing could be compared, or with --changed not everything, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [--against REV | --with FILE] [options]\n       %(prog)s --changed [REV]"
    add_target(parser, takes_tests=False)
    target = next(action for action in parser._actions if action.dest == "target")
    target.nargs = "?"
    parser.add_argument("--against", metavar="REV", help="revision of the older version (default: HEAD)")
    parser.add_argument(
        "--with", metavar="FILE", dest="other", help="file with the other version, in place of a revision"
    )
    parser.add_argument(
        "--changed",
        metavar="REV",
        nargs="?",
        const="HEAD",
        help="compare every function that changed since the last commit in common with this revision (default: HEAD)",
    )
    parser.add_argument(
        "--callers", action="store_true", help="with --changed: also the functions that call changed ones, last"
    )
    parser.add_argument("--summary", metavar="FILE", help="with --changed: write a table of the functions in Markdown")
    parser.add_argument(
        "--require-compared",
        action="store_true",
        help="exit code 4 on weak evidence too: fewer than 20 calls, only exceptions, or a branch of the change that "
        "no call executed",
    )
    parser.add_argument("--all", action="store_true", help="go on after the first difference, and show every one")
    parser.add_argument("--timeout", metavar="SECONDS", type=read_seconds, help="time limit of one function")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="random seed; the same seed, the same calls")
    parser.epilog = _NOTES


async def main(arguments: argparse.Namespace) -> int:
    """Compare, print the result, and return the exit code.

    Raises:
        BadRequest: There is no such function, file, revision or repository.
        BrokenWorld: Nothing can be run here.
    """
    keep_log()
    _check(arguments)
    progress = progress_console()
    with tracing(progress, wanted=arguments.trace):
        async with ended_by_signals() as ending, waiting(progress) as say:
            code = await (_changed(arguments, say) if arguments.changed else _one(arguments, say))
    return code if ending.signal is None else 128 + ending.signal


def _check(arguments: argparse.Namespace) -> None:
    """Raise BadRequest if the arguments contradict each other."""
    if bool(arguments.target) == bool(arguments.changed):
        raise BadRequest("name one function, FILE::NAME, or all that changed: --changed [REV]")
    if not arguments.changed and (arguments.callers or arguments.summary):
        raise BadRequest("--callers and --summary belong to --changed; name no function beside them")
    if arguments.other and arguments.against:
        raise BadRequest("--against and --with both name the other version; choose one of them")


async def _one(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    resolved = resolve_request(request_of(arguments), os.environ)
    if arguments.other:
        text = _text_of(arguments.other)
        older = OlderVersion(name=arguments.other, texts={resolved.path: text})
    else:
        older = await older_at(await find_revision(resolved.root, arguments.against or "HEAD", os.environ), resolved)
    say(f"comparing {resolved.target.short_name} with {older.name}")
    context = await find_execution_context(resolved, os.environ)
    found = await diff_function(resolved, context, older, _budget(arguments))
    _show(found, arguments)
    return _code([found], arguments)


def _text_of(name: str) -> str:
    return read_source(Path(name).expanduser())


def _budget(arguments: argparse.Namespace) -> ComparisonBudget:
    return ComparisonBudget(
        seconds=arguments.timeout or SECONDS, exhaustive=arguments.all, seed=arguments.seed, mutants=MUTANTS
    )


async def _changed(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    revision = await find_revision(find_root(Path.cwd() / "any.py", ()), arguments.changed, os.environ, common=True)
    texts = await texts_at(revision)
    changed = await changed_since(revision, texts)
    known = [one for one in changed if not one.is_new]
    if arguments.callers:
        known += await callers_of(revision, changed, os.environ)
    run = _Run(arguments, revision, texts, say)
    queue = iter(enumerate(known))

    async def take() -> tuple[int, ChangedFunction] | None:
        return next(queue, None)

    async def work(_: int, taken: tuple[int, ChangedFunction]) -> bool:
        await run.compare(*taken)
        return False

    await run_workers(MAX_AT_ONCE, take, work)
    found = [run.found[number] for number in sorted(run.found)]
    _show_all(found, len(changed) - sum(not one.is_new for one in changed), revision.name, arguments)
    return _code(found, arguments)


@dataclass(slots=True)
class _Run:
    """The comparisons of many functions, each by its number; they end when the time for all is over."""

    arguments: argparse.Namespace
    revision: Revision
    texts: Mapping[str, str | None]
    say: Callable[[str], None]
    context: ExecutionContext | None = None
    found: dict[int, BehaviourDiff] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    _turns: FunctionTurns = field(default_factory=FunctionTurns)
    _looking: anyio.Lock = field(default_factory=anyio.Lock)

    async def compare(self, number: int, changed: ChangedFunction) -> None:
        """Compare a function, or keep the reason why it was not."""
        place = BehaviourDiff(
            path=changed.path, qualname=changed.target.short_name, line=changed.target.line, older=self.revision.name
        )
        late = replace(place, reason="the time for all functions was over")
        if self._is_over():
            self.found[number] = late
            return
        request = replace(_request(self.arguments, self.revision.root / changed.path), place=ByName.of(changed.target))
        try:
            resolved = resolve_request(request, os.environ)
            older = await older_at(self.revision, resolved, self.texts, changed.moved)
        except BadRequest as error:
            self.found[number] = replace(place, reason=str(error))
            return
        async with self._looking:
            if self.context is None:
                self.context = await find_execution_context(resolved, os.environ)
        self.found[number] = late
        async with self._turns.turn(self.context.executor):
            if not self._is_over():
                self.say(f"comparing {changed.target.short_name}")
                self.found[number] = await diff_function(resolved, self.context, older, _budget(self.arguments))

    def _is_over(self) -> bool:
        return time.monotonic() - self.began > ALL_SECONDS


def _request(arguments: argparse.Namespace, document: Path) -> Request:
    flags = {"interpreter": arguments.interpreter} if arguments.interpreter else {}
    return Request(document=document, text=read_source(document), place=ByName(""), flags=flags)


def _code(found: list[BehaviourDiff], arguments: argparse.Namespace) -> int:
    if any(one.is_different for one in found):
        return DIFFERENT
    is_short = any(not one.is_compared or (arguments.require_compared and one.is_weak) for one in found)
    return NOT_COMPARED if is_short else SOLVED


def _show(found: BehaviourDiff, arguments: argparse.Namespace) -> None:
    if arguments.json:
        write_line(sys.stdout, _message(found))
        return
    console = answer_console()
    _show_heading(found, console)
    for line in details(found, every=arguments.all):
        console.print(Text(f"  {line}"), soft_wrap=True)


def _show_heading(found: BehaviourDiff, console: Console) -> None:
    verdict, about = heading(found)
    console.print(Text.assemble((verdict, _STYLES[verdict]), f"  {about}"), soft_wrap=True)


def _show_all(found: list[BehaviourDiff], fresh: int, older: str, arguments: argparse.Namespace) -> None:
    if arguments.summary:
        _write(Path(arguments.summary).expanduser(), summary(found, older))
    if arguments.json:
        for one in found:
            write_line(sys.stdout, _message(one))
        return
    console = answer_console()
    for one in found:
        console.print(Text(f"{one.path}::{one.qualname}  {in_one_line(one)}"), soft_wrap=True)
    new = f", {amount(fresh, 'function')} not in {older}" if fresh else ""
    console.print(Text(f"{totals(found)}{new}"))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"the summary cannot be written to {path}: {error.strerror}") from error


def _message(found: BehaviourDiff) -> dict[str, Any]:
    return BehaviourDiffMessage.model_validate(found).model_dump(mode="json", by_alias=True)
