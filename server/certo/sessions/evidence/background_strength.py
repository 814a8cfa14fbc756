"""Test strength of what a search found, measured in the background after its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import field

import anyio
from anyio.abc import TaskGroup

from certo.edits.diff import changed_lines
from certo.search.board import CandidateState
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.evidence.strength import with_unused
from certo.sessions.live import LiveSearch, Stated
from certo.verification.strength.strength import BESIDE, measure_strength
from certo.vocabulary.errors import CertoError
from certo.vocabulary.events import StrengthMeasured, StrengthProgressed
from certo.vocabulary.records import dataclass
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.verdict import Ruling

log = logging.getLogger(__name__)

QUIET_SECONDS = 1.5
"""The time without a search after which a measurement begins."""

PATIENCE_SECONDS = 30.0
"""The time after which a measurement that lets all others go first begins again like any other run.

Beside a few busy programs a process of low priority may get one percent of a processor, and would never end.
"""

STEPS = 4
"""Number of times at most that the progress of one measurement is told."""


@dataclass(slots=True, kw_only=True)
class BackgroundStrength:
    """Measures the best candidate of the search that ended last, until another search begins.

    Its runs let all others go first, as long as that takes no longer than `patience_seconds`. `remains` tells if a
    search has not been forgotten meanwhile.
    """

    group: TaskGroup
    remains: Callable[[object], bool]
    quiet_seconds: float = QUIET_SECONDS
    patience_seconds: float = PATIENCE_SECONDS
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def begin(self, live: LiveSearch) -> None:
        """Measure the best candidate of a search soon, if it is verified and the settings allow that."""
        self.interrupt()
        best = live.state.best_row
        if best is None or not best.verified or best.elsewhere or best.strength is not None:
            return
        if live.target.second is not None:
            return
        # One that nobody asked for has its own budget of processor time.
        if live.resolved.request.ambient:
            return
        if live.resolved.settings.strength.after_search and isinstance(live.phase, Stated):
            self._scope = anyio.CancelScope()
            self.group.start_soon(self._run, live, live.phase, best, self._scope)

    def interrupt(self) -> None:
        """End the measurement, for a search begins."""
        self._scope.cancel()

    async def _run(self, live: LiveSearch, stated: Stated, best: CandidateState, scope: anyio.CancelScope) -> None:
        with scope:
            await anyio.sleep(self.quiet_seconds)
            try:
                if self.remains(live):
                    await self._measure(live, stated, best)
            except CertoError as error:
                # Nobody waits for it.
                log.debug("the tests of %s cannot be measured: %s", live.path, error)
            except Exception:
                log.exception("measuring the tests of %s met a bug", live.path)

    async def _measure(self, live: LiveSearch, stated: Stated, best: CandidateState) -> None:
        problem = stated.problem
        text, told = live.text_with(best), 0

        def progress(done: int, of: int) -> None:
            nonlocal told
            if done * STEPS >= of * (told + 1) and self.remains(live):
                told = done * STEPS // of
                live.run.emitter.emit(StrengthProgressed(candidate_id=best.candidate_id, done=done, of=of))

        async def measured_in(context: ExecutionContext) -> TestStrength:
            return await measure_strength(
                problem,
                text,
                [test.id for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED],
                executor=context.executor,
                interpreter=context.interpreter,
                seed=live.resolved.settings.search.seed,
                budget=BESIDE,
                changed=changed_lines(live.base, text),
                progress=progress,
            )

        strength = None
        with anyio.move_on_after(self.patience_seconds):
            strength = await measured_in(stated.context.in_background())
        if strength is None:
            strength = await measured_in(stated.context)
        if self.remains(live):
            measured = with_unused(strength, problem.baseline, green=True)
            live.run.emitter.emit(StrengthMeasured(candidate_id=best.candidate_id, strength=measured))
