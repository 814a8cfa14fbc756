"""Early tests: the processes for the tests of a project are prepared before the search that needs them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.project.ignored_files import MAX_ITEMS
from certo.sessions.assembly.problem_statement import find_execution_context, hidden_from_runs, resolve_request
from certo.sessions.assembly.request import Request
from certo.storage.location import journal_file, journal_folder
from certo.verification.dynamic.baseline import without_secrets
from certo.verification.dynamic.harness import GRACE, Harness, Selection, run_program
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.warm_pool import PROJECT, WarmProjects
from certo.vocabulary.errors import CertoError


def begin(group: TaskGroup, asked: Request, environ: Mapping[str, str], *, to_verify: bool) -> WarmProjects:
    """Return the prepared processes of projects, which live in `group`; those for a request's project are started.

    `to_verify` a text as it is, there is no confirming run, and nothing is prepared if the project has a journal:
    results of an earlier run may serve.
    """
    projects = WarmProjects(group)
    group.start_soon(partial(_prepare_tests, asked, environ, projects, to_verify=to_verify))
    return projects


async def _prepare_tests(
    asked: Request, environ: Mapping[str, str], projects: WarmProjects, *, to_verify: bool
) -> None:
    """Prepare processes for the tests of a request's project; what is wrong with it is left for the search to say."""
    with suppress(CertoError):
        resolved = resolve_request(asked, environ)
        if to_verify and journal_file(journal_folder(environ), resolved.root).exists():
            return
        context = await find_execution_context(resolved, environ)
        ignored = (await hidden_from_runs(resolved, context, lambda _: None))[:MAX_ITEMS]
        harness = Harness(
            root=resolved.root,
            path=resolved.path,
            base=asked.text,
            target=resolved.target,
            unsaved=resolved.unsaved,
            interpreter=context.interpreter,
            executor=context.executor,
            options=resolved.settings.tests,
            hidden=without_secrets(resolved.root, ignored),
        )
        async with background_tasks() as beside:
            pool = await beside.start(projects.lend, context.project_key(resolved, background=asked.background), _never)
            # The confirming run has a process of its own, which starts while the tests run in the other.
            for each in (harness,) if to_verify else (harness, harness.under_other_conditions()):
                warm = await pool.harness(each, PROJECT)
                # A process is started by the first run, and this one has nothing to do.
                await run_program("suite", warm, warm.base, Selection(paths=()), RunResults(), seconds=GRACE)


def _never() -> bool:
    return False
