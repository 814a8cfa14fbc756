"""The run of `certo generate`: search, show the end with its evidence, and apply it on request."""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from certo.cli.bug_log import keep_log, log_file
from certo.cli.exit_codes import BUG, NONE, SOLVED
from certo.cli.signals import ended_by_signals
from certo.cli.view.card import show_nothing, show_winner
from certo.cli.view.json_lines import JsonLines
from certo.cli.view.progress import Lines, LiveTable
from certo.cli.view.terminal import answer_console, progress_console, waiting
from certo.cli.view.trace import tracing
from certo.cli.watch import WatchedSearch, WatchView, watch
from certo.edits.file_update import replace_texts
from certo.edits.source import read_source
from certo.presentation.status import is_untested
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.problem_statement import resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.requests import accepted
from certo.sessions.suspects import request_to_blame, test_of
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.candidate import OWN
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest, BrokenWorld, StaleText
from certo.vocabulary.outcome import Outcome


async def run(arguments: argparse.Namespace, asked: Request, projects: WarmProjects) -> int:
    """Search, show, and apply on request; return the exit code. `projects` has what was prepared for the request.

    Raises:
        BadRequest: The target, a setting, or the file to write to is invalid.
        BrokenWorld: The search could not run here.
    """
    keep_log()
    answer, progress = answer_console(), progress_console()
    async with ended_by_signals() as ending, waiting(progress) as say:
        request = await next_suspects(asked, progress, say)
    if ending.signal is not None:
        return 128 + ending.signal
    asks = not arguments.json and _may_ask(progress)
    with tracing(progress, wanted=arguments.trace):
        watched = await _watch(replace(request, tests_first=asks), arguments, progress, projects)
        if asks and _offers_tests(watched.live):
            try:
                ticked = await _with_ticked_tests(request, progress)
            except KeyboardInterrupt:
                return 128 + signal.SIGINT
            if ticked is not None:
                watched = await _watch(ticked, arguments, progress, projects)
    given = watched.live.resolved.request.guidance.examples[len(request.guidance.examples) :]
    examples = [word for one in given for word in ("--example", f"{one.source.strip()} == {one.expected.strip()}")]
    apply_it = "" if arguments.apply else shlex.join(["certo", *sys.argv[1:], *examples, "--apply"])
    return await concluded(watched, arguments, answer, progress, apply_it=apply_it)


def _may_ask(progress: Console) -> bool:
    """True if there is somebody at a terminal who can be asked."""
    return progress.is_terminal and not progress.is_dumb_terminal and sys.stdin is not None and sys.stdin.isatty()


def _offers_tests(live: LiveSearch) -> bool:
    """True if a search ended before it began because no test reaches its function."""
    stopped = live.state.stopped
    return stopped is not None and stopped.outcome is Outcome.NOTHING_TO_GO_BY and is_untested(live.state)


async def _with_ticked_tests(request: Request, progress: Console) -> Request | None:
    """Offer tests before the search; only this needs what writes tests, and a search must begin soon."""
    ticked: Request | None = await importlib.import_module("certo.cli.runs.tests_first").with_ticked_tests(
        request, progress
    )
    return ticked


async def _watch(
    request: Request, arguments: argparse.Namespace, progress: Console, projects: WarmProjects
) -> WatchedSearch:
    view = JsonLines(sys.stdout) if arguments.json else progress_view(progress)
    return await watch(request, view, journals=journal_folder(os.environ), projects=projects)


async def concluded(
    watched: WatchedSearch, arguments: argparse.Namespace, answer: Console, progress: Console, *, apply_it: str
) -> int:
    """Show the end of a search and apply the winner on request; return the exit code, raise the errors of `main`."""
    for sentence in watched.said:
        progress.print(Text(f"certo: {visible(sentence)}", "open"), soft_wrap=True)
    if watched.live.resolved.request.guidance.prose and _is_builtin(watched):
        progress.print(Text("certo: the feedback was not used, because only a language model can read it", "open"))
    code = conclude(watched, answer=None if arguments.json else answer, progress=progress, apply_it=apply_it)
    if code == SOLVED and arguments.apply:
        await apply_best(watched.live)
        await accepted(watched.live, journal_folder(os.environ))
        progress.print(Text(f"Applied to {watched.live.document}{_besides(watched)}", "good"), soft_wrap=True)
    elif code == NONE and arguments.apply:
        progress.print(Text("Nothing was applied, because no candidate is verified.", "open"))
    return code


def _is_builtin(watched: WatchedSearch) -> bool:
    started = watched.live.state.started
    return started is not None and started.generator == OWN


def _besides(watched: WatchedSearch) -> str:
    """Return the other files that a winner changes, to be added to the name of its own."""
    best = watched.live.state.best_row
    return "".join(f", {change.path}" for change in best.elsewhere) if best is not None else ""


def conclude(watched: WatchedSearch, *, answer: Console | None, progress: Console, apply_it: str) -> int:
    """Show the end of a search; return the exit code.

    A passing candidate is printed on `answer`, everything else on `progress`. Without `answer` only failures are
    printed. `apply_it` is the command to apply a verified winner, shown as the next step.

    Raises:
        BadRequest: The search cannot be made as requested.
        BrokenWorld: The search could not run here.
    """
    board, stopped = watched.live.state, watched.live.state.stopped
    if stopped is None:
        raise RuntimeError("a search ended without saying how it stopped")
    if stopped.outcome is Outcome.REFUSED:
        raise BadRequest(stopped.reason)
    if stopped.outcome is Outcome.WORLD_BROKEN:
        raise BrokenWorld(stopped.reason)
    if stopped.outcome is Outcome.BROKEN:
        progress.print(Text(f"certo: {stopped.outcome.value} ({log_file()}) {visible(stopped.reason)}"), soft_wrap=True)
        return BUG
    shown = progress if watched.signal is not None else answer
    if shown is not None and stopped.winner is not None:
        step = apply_it if stopped.verified else ""
        unfolded = watched.live.resolved.settings.search.full_report
        show_winner(board, stopped.winner, shown, next_step=step, unfolded=unfolded)
    elif shown is not None:
        show_nothing(board, stopped, progress)
    if watched.signal is not None:
        return 128 + watched.signal
    return SOLVED if stopped.verified else NONE


async def apply_best(live: LiveSearch) -> None:
    """Write the winner to its files, all or none, verified on exactly their current texts.

    Raises:
        BadRequest: The file has conflicting changes, no longer passes, or cannot be written.
    """
    ready = await prepare_acceptance(live, None, read_source(live.document))
    if not ready.report.verified:
        raise StaleText(f"{live.document} has changed, and no test exercises the candidate on the current text")
    replace_texts(ready.replacements(live.document, live.resolved.root))


def progress_view(console: Console) -> WatchView:
    """Return the live table for a terminal that can redraw, otherwise plain lines."""
    return LiveTable(console) if console.is_terminal and not console.is_dumb_terminal else Lines(console)


async def next_suspects(request: Request, progress: Console, say: Callable[[str], None]) -> Request:
    """Return the request for the function to blame for a test, and report it; any other request unchanged.

    Raises the errors of `request_to_blame`.
    """
    aim = resolve_request(request, os.environ)
    if test_of(aim) is not None:
        say(f"finding out why {aim.target.name} fails")
    blamed, sentence = await request_to_blame(request, os.environ)
    if sentence:
        progress.print(Text(visible(sentence)), soft_wrap=True)
    return blamed
