"""The run of `certo verify`: judge a function in its current state, and print the evidence."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.exit_codes import NONE, SOLVED
from certo.cli.signals import ended_by_signals
from certo.cli.view.card import show_evidence, show_facts, show_heading, show_problems
from certo.cli.view.json_lines import write_line
from certo.cli.view.strength import show_strength
from certo.cli.view.terminal import answer_console, progress_console, waiting
from certo.cli.view.trace import tracing
from certo.concurrency import background_tasks
from certo.llm.ledger import Ledger
from certo.presentation.phrases import isolation, set_aside
from certo.protocol.values import CurrentReport
from certo.sessions.assembly.models import connect, models_of
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing, verify_current
from certo.sessions.persistence.test_map import remembering
from certo.sessions.verdict_claims import with_digest
from certo.storage.journals import Journals
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.verification.strength.strength import ASKED


async def run(arguments: argparse.Namespace, asked: Request, projects: WarmProjects) -> int:
    """Run the tests that reach the target and print the evidence; return the exit code.

    `projects` has what was prepared for the request.

    Raises:
        BadRequest: The target is a test or none at all, or a setting is invalid.
        BrokenWorld: Nothing can be run here.
    """
    keep_log()
    progress = progress_console()
    resolved = resolve_request(asked, os.environ)
    with tracing(progress, wanted=arguments.trace):
        signal, standing = await _verified(resolved, progress, projects, strength=arguments.strength)
    if standing is None:
        return 128 + signal
    if arguments.json:
        write_line(sys.stdout, CurrentReport.model_validate(standing).model_dump(mode="json", by_alias=True))
    else:
        show_standing(resolved, standing, answer_console(), repair=shlex.join(["certo", "generate", arguments.target]))
    return SOLVED if standing.report.verified else NONE


async def _verified(
    resolved: ResolvedRequest, progress: Console, projects: WarmProjects, *, strength: bool
) -> tuple[int, Standing | None]:
    """Return the verdict, or the number of the signal that ended the command."""
    standing = None
    async with ended_by_signals() as ending, waiting(progress) as say:
        world = await find_execution_context(resolved, os.environ)
        async with connect(os.environ) as connections:
            models = models_of(resolved, connections, Ledger(resolved.settings.search.budget))
            journals = Journals(journal_folder(os.environ), progress.print)
            journal = journals.of(resolved.root, resolved.settings.journal)
            async with background_tasks() as beside, remembering(resolved, world, journal) as context:
                kept = await beside.start(projects.lend, world.project_key(resolved, background=False), lambda: False)
                context = replace(context, kept=kept)
                standing = await verify_current(
                    resolved, context, say, models=models, strength=ASKED if strength else None
                )
            await journals.commit()
            journals.close()
    if ending.signal is not None or standing is None:
        return int(ending.signal or 0), None
    return 0, with_digest(standing, os.environ)


def show_standing(resolved: ResolvedRequest, standing: Standing, console: Console, *, repair: str) -> None:
    """Print the current verdict on a function with its reasons; `repair` is the command that would help."""
    report = standing.report
    show_heading(report, console)
    gap = "\n" if report.caveat and not report.verified else "  "
    console.print(Text(f"{gap}{resolved.target.qualname} in {resolved.path}:{resolved.target.line}\n"), soft_wrap=True)
    show_evidence(report, console, subject=resolved.target.qualname, compared=False, not_run=standing.not_run)
    console.print()
    if report.strength is not None:
        show_strength(report.strength, resolved.target.short_name, console)
    show_problems(standing.baseline, console)
    for line in set_aside(standing.baseline):
        console.print(Text(line, "quiet"), soft_wrap=True)
    show_facts(
        {
            "confined": isolation(report),
            "allowed": standing.baseline.needs,
            "spent": f"{standing.seconds:.1f} s",
            "repair it": repair if standing.baseline.failing else "",
        },
        console,
    )
