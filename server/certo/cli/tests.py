"""`certo tests`: write tests that state what a function does today."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Collection

from rich.console import Console
from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import NONE, SOLVED
from certo.cli.request_arguments import add_target, request_of
from certo.cli.signals import ended_by_signals
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console, progress_console, waiting
from certo.cli.view.trace import tracing
from certo.cli.view.written_tests import show_written_tests
from certo.edits.file_update import FileReplacement, replace_texts
from certo.llm.ledger import Ledger
from certo.protocol.written_tests import CurrentTestsReport
from certo.sessions.assembly.models import connect, models_of
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.evidence.written_tests import CurrentTests, older_of, pin_tests, write_tests_of_current
from certo.storage.journals import Journals
from certo.storage.location import journal_folder
from certo.vocabulary.errors import BadRequest

_NOTES = """\
It calls the function as the tests do, and with made-up arguments, and keeps the calls that execute
the most branches and notice the most small changes of the function. Each test must pass three times
in two orders and two hash seeds, and fail with a broken assertion and on the changes it notices.

The tests state what the function does today. A result that looks wrong is listed, and a test of it is
added only by its number. Without --apply no file changes.

exit codes: 0 there are tests, 1 none, 2 bad usage or target, 3 environment error, 130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s FILE::NAME [options]"
    add_target(parser, takes_tests=False)
    parser.add_argument("--apply", action="store_true", help="add the tests to the project's test file")
    parser.add_argument("--only", metavar="NUMBERS", type=_numbers, help="add only these tests, such as 1,3")
    parser.add_argument(
        "--against",
        metavar="REV",
        default="",
        help="hold the tests against this revision; those that fail there are added only by number",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        nargs="?",
        const="",
        help="have a language model propose further tests, the default one or this, as openai:gpt-5-mini",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="random seed; the same seed gives the same tests")
    parser.epilog = _NOTES


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers, such as 1,3") from None


async def main(arguments: argparse.Namespace) -> int:
    """Write tests of the target and print them; return the exit code.

    Raises:
        BadRequest: The target is a test or none at all, or its tests cannot be written.
        BrokenWorld: Nothing can be run here.
    """
    keep_log()
    progress = progress_console()
    resolved = resolve_request(request_of(arguments), os.environ)
    with tracing(progress, wanted=arguments.trace):
        signal, current = await _written(resolved, arguments, progress)
    if current is None:
        return 128 + signal
    chosen = _chosen(current, arguments.only)
    applied = bool(arguments.apply and chosen)
    if applied:
        path, before, after = current.replacement(chosen)
        _make_folder(resolved, path)
        replace_texts([FileReplacement(path=resolved.root / path, before=before, after=after)])
        await remember_tests(current, chosen, progress, are_right=False)
    if arguments.json:
        report = CurrentTestsReport.model_validate(current).model_copy(update={"applied": applied})
        write_line(sys.stdout, report.model_dump(mode="json", by_alias=True))
    else:
        _show(
            current,
            answer_console(),
            applied=applied,
            command=shlex.join(["certo", "tests", arguments.target, "--apply"]) + ("" if chosen else " --only 1"),
        )
    return SOLVED if current.written.tests else NONE


async def _written(
    resolved: ResolvedRequest, arguments: argparse.Namespace, progress: Console
) -> tuple[int, CurrentTests | None]:
    """Return the tests, or the number of the signal that ended the command."""
    current = None
    async with ended_by_signals() as ending, waiting(progress) as say:
        older = await older_of(resolved, arguments.against, os.environ)
        context = await find_execution_context(resolved, os.environ)
        async with connect(os.environ) as connections:
            model = None
            if arguments.model is not None:
                ledger = Ledger(resolved.settings.search.budget)
                model = models_of(resolved, connections, ledger).named(arguments.model)
            current = await write_tests_of_current(resolved, context, say, older=older, model=model)
    return (0, current) if ending.signal is None else (ending.signal, None)


def _chosen(current: CurrentTests, only: tuple[int, ...] | None) -> set[str]:
    """Return the names of the tests to be added: those without a doubt, unless numbers are given.

    Raises:
        BadRequest: There is no test of one of the numbers.
    """
    tests = current.written.tests
    if only is None:
        return set(current.written.ticked_names)
    wrong = [number for number in only if not 1 <= number <= len(tests)]
    if wrong:
        raise BadRequest(f"there is no test {wrong[0]}; they are numbered from 1 to {len(tests)}; nothing was written")
    return {tests[number - 1].name for number in only}


async def remember_tests(current: CurrentTests, names: Collection[str], progress: Console, *, are_right: bool) -> None:
    """Remember in the project's journal that certo wrote tests; with `are_right` the user has said that they are."""
    journals = Journals(journal_folder(os.environ), progress.print)
    pin_tests(
        journals.of(current.resolved.root, current.resolved.settings.journal), current, names, are_right=are_right
    )
    await journals.commit()
    journals.close()


def _make_folder(resolved: ResolvedRequest, path: str) -> None:
    folder = (resolved.root / path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{folder} cannot be made: {error.strerror}; nothing was written") from error


def _show(current: CurrentTests, console: Console, *, applied: bool, command: str) -> None:
    show_written_tests(current.written, current.resolved.target.short_name, console)
    if not current.written.tests:
        return
    if applied:
        console.print(Text(f"added to {current.written.path}"), soft_wrap=True)
    else:
        console.print(Text(f"add them: {command}", "quiet"), soft_wrap=True)
