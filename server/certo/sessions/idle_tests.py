"""Runs of a project's tests while the machine is idle: they complete its test map for later searches."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import field, replace

import anyio
from anyio.abc import TaskGroup

from certo.edits.source import read_source
from certo.project.ignored_files import MAX_ITEMS
from certo.sessions.assembly.problem_statement import (
    ExecutionContext,
    ResolvedRequest,
    find_execution_context,
    hidden_from_runs,
    resolve_request,
)
from certo.sessions.persistence.test_map import remembering
from certo.storage.journals import Journals
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import RunResults, is_whole
from certo.verification.dynamic.test_map import KnownTests
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.errors import CertoError
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

log = logging.getLogger(__name__)

QUIET_SECONDS = 30.0
"""The time without a search after which tests may run, and between two looks at the load of the machine."""

MAX_RUNS_AT_ONCE = 50
"""The number of runs in which the tests of a project are run, for the map keeps a limited number of them."""

MAX_LOAD = 0.5
"""The load of a machine that is idle, in processes a processor."""


def is_idle() -> bool:
    """True if the load of the last minute is low; True where the system does not tell it."""
    return not hasattr(os, "getloadavg") or os.getloadavg()[0] < MAX_LOAD * (os.cpu_count() or 1)


@dataclass(slots=True, kw_only=True)
class IdleTests:
    """Runs the test files that the map of a project does not know, one after the other, until a search begins.

    The runs let all others go first. `written` is called when there is something to be written to the journal.
    """

    group: TaskGroup
    environ: Mapping[str, str]
    journals: Journals
    written: Callable[[], None]
    quiet_seconds: float = QUIET_SECONDS
    is_idle: Callable[[], bool] = is_idle
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def begin(self, resolved: ResolvedRequest) -> None:
        """Run the tests of a request's project as soon as the machine is idle, if its settings allow that."""
        self.interrupt()
        if resolved.settings.tests.when_idle:
            self._scope = anyio.CancelScope()
            self.group.start_soon(self._run, resolved, self._scope)

    def interrupt(self) -> None:
        """End the runs, for a search begins."""
        self._scope.cancel()

    async def _run(self, resolved: ResolvedRequest, scope: anyio.CancelScope) -> None:
        with scope:
            while True:
                await anyio.sleep(self.quiet_seconds)
                if self.is_idle():
                    break
            try:
                await self._complete_map(resolved)
            except (CertoError, OSError) as error:
                # Nobody waits for these runs. What is wrong is said by the next search.
                log.debug("the tests of %s cannot be run while idle: %s", resolved.root, error)
            except Exception:
                log.exception("running the tests of %s while idle met a bug", resolved.root)

    async def _complete_map(self, resolved: ResolvedRequest) -> None:
        document = resolved.request.document
        # The search may have changed the text, and only what is on the disk holds for everybody.
        asked = replace(resolved.request, text=read_source(document), unsaved={})
        resolved = resolve_request(asked, self.environ)
        context = (await find_execution_context(resolved, self.environ)).in_background()
        journal = self.journals.of(resolved.root, resolved.settings.journal)
        async with remembering(resolved, context, journal) as knowing:
            if knowing.known_tests is None:
                return
            hidden = await hidden_from_runs(resolved, context, log.debug)
            async for _ in unknown_files_run(harness_of(resolved, context, hidden), knowing.known_tests):
                self.written()
        self.written()


def harness_of(resolved: ResolvedRequest, context: ExecutionContext, hidden: tuple[str, ...]) -> Harness:
    """Return the harness of recorded runs of all tests, which do not see the files `hidden`.

    What it has of the target does not matter, for the code of all of them is recorded.
    """
    return Harness(
        root=resolved.root,
        path=resolved.path,
        base=resolved.request.text,
        target=resolved.target,
        unsaved={},
        interpreter=context.interpreter,
        executor=context.executor,
        options=resolved.settings.tests,
        whole_suite=True,
        hidden=hidden[:MAX_ITEMS],
        recorded=True,
    )


async def unknown_files_run(harness: Harness, known_tests: KnownTests) -> AsyncIterator[Sequence[str]]:
    """Run the test files of the project that the map does not know as a whole; yield those that are recorded.

    A file in which a test fails, or whose run does not end by itself, is left to the searches that need it.
    """
    # Without any time, pytest only collects the tests.
    listed = RunResults()
    await run_program("baseline", harness, harness.base, Selection(paths=None), listed, seconds=0.0)
    mapped = await known_tests.known()
    lost = files_of(mapped.lost)
    unknown = [path for path in files_of(listed.collected) if path not in mapped.whole or path in lost]
    step = 1 + len(unknown) // MAX_RUNS_AT_ONCE
    for start in range(0, len(unknown), step):
        files = unknown[start : start + step]
        results = RunResults()
        selection, seconds = Selection(paths=files), harness.options.total_seconds
        finished = await run_program("baseline", harness, harness.base, selection, results, seconds=seconds)
        # A test that fails may miss a hidden file that a search would show it, and so execute more there.
        failed = files_of(case.id for case in results.tests.values() if case.ruling is Ruling.FAILED)
        passed = [path for path in files if path not in failed]
        if is_whole(results, finished) and not results.uncollected and passed:
            known_tests.record(results, passed)
            yield passed
