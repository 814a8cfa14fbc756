"""Near misses: candidates of a language model that fail tests, repaired by the built-in generator beside the search.

A model that fails by one operator is often asked three more times for it. An edit of its answer needs no call to be
written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import Protocol

import anyio
from anyio.abc import TaskGroup

from certo.concurrency import side_by_side
from certo.generation.generator import Ask, Attempt, Declined, Proposal
from certo.search.emitter import EventEmitter
from certo.search.proposals import candidate_of
from certo.vocabulary.candidate import OWN, Candidate, Origin
from certo.vocabulary.display import one_line
from certo.vocabulary.errors import CertoError
from certo.vocabulary.events import CandidateDeclined, GeneratorReported
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report, Ruling

MAX_REPAIRS = 8
"""The most near misses of one search that are looked at; each takes a share of one search of the built-in generator."""

MAX_JUDGED = 3
"""The most edits of one near miss that are judged: the search has run the tests on each, so most pass."""

REPAIRED = "a near miss was repaired meanwhile"
"""Why a request that was under way ends without a candidate."""


class Repairer(Protocol):
    """Finds edits of a candidate with which the tests pass."""

    async def repairs_of(self, candidate: Candidate, problem: Problem, /) -> Sequence[Proposal]:
        """Return proposals over the problem's text, the likeliest first; their notes are about the candidate.

        Raises:
            CertoError: Nothing can be run here.
        """
        ...


class RepairBench(Protocol):
    """The part of a search's bench that judges and ranks what is repaired."""

    @property
    def best(self) -> Attempt | None:
        """The best attempt that passed; None if none did."""
        ...

    def number_of(self, attempt: Attempt, /) -> int:
        """Return the number of a candidate as users see it, from 1."""
        ...

    def enough(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt ends the search."""
        ...

    def has_judged(self, candidate: Candidate, /) -> bool:
        """Return True if a candidate was judged or is being judged."""
        ...

    def covers(self) -> bool:
        """Return True if the budget covers another candidate, which may need no model."""
        ...

    async def offer(self, candidate: Candidate, /) -> Attempt | None:
        """Judge a candidate that no strategy asked for; None if the budget grants no more."""
        ...

    def take_rivals(self, attempt: Attempt, rivals: tuple[Proposal, ...], /) -> None:
        """Keep the rivals of an attempt."""
        ...


def is_near_miss(report: Report) -> bool:
    """Return True if a candidate was only refused by tests, which it was not caught deceiving."""
    failure = report.failure
    if failure is None or failure.tests is None or any(verdict.cheated for verdict in report.verdicts):
        return False
    return failure.ruling is Ruling.FAILED and failure.tests.failed > 0


def is_repairable(problem: Problem) -> bool:
    """Return True if the tests alone say what is wanted: an edit that follows them must not undo what was asked for."""
    if problem.instruction or problem.guidance.prose or problem.preserves:
        return False
    return problem.goal in (Goal.IMPLEMENT, Goal.REPAIR) and problem.target.second is None


@dataclass(slots=True, eq=False)
class _Request:
    """A request that is under way; with an `edit`, it was ended to return that."""

    ask: Ask
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    edit: Attempt | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class NearMisses:
    """Repairs the near misses of one search, one at a time, the nearest first.

    Each repaired candidate is judged like any other. The first one that is verified and good enough ends the work. It
    counts as the answer of one attempt, `_edit` until there is one, unless the strategy `compares` its own answers.
    """

    repairer: Repairer
    problem: Problem
    emitter: EventEmitter
    compares: bool = False
    _edit: Attempt | None = None
    _requests: list[_Request] = field(default_factory=list)
    _waiting: list[tuple[float, int, Attempt]] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _group: TaskGroup | None = None
    _is_working: bool = False

    def restore(self, attempt: Attempt, bench: RepairBench) -> None:
        """Take in a candidate of an earlier run, which may have been repaired."""
        candidate = attempt.candidate
        is_edit = candidate.origin.generator == OWN and candidate.rival_of is None
        if is_edit and self._edit is None and _is_enough(attempt, bench):
            self._edit = attempt

    def consider(self, attempt: Attempt, near: float, bench: RepairBench) -> None:
        """Repair an attempt soon if it is a near miss; `near` is its progress score."""
        is_new = attempt.candidate.id not in self._known and len(self._known) < MAX_REPAIRS
        if self._group is None or not is_new or not is_near_miss(attempt.report):
            return
        self._known.add(attempt.candidate.id)
        self._waiting.append((near, -bench.number_of(attempt), attempt))
        if not self._is_working:
            self._is_working = True
            self._group.start_soon(self._work, bench)

    async def unless_repaired(
        self, ask: Ask, propose: Callable[[], Awaitable[Proposal | Declined]]
    ) -> Proposal | Declined | Attempt:
        """Have a candidate proposed; if a near miss is repaired before that, one request ends and returns the edit.

        What was proposed is never lost: it is judged, and the edit is for the next attempt.
        """
        if self.compares:
            return await propose()
        if self._edit is not None:
            edit, self._edit = self._edit, None
            return edit
        request = _Request(ask)
        self._requests.append(request)
        answer: Proposal | Declined | None = None
        try:
            with request.scope:
                answer = await propose()
        finally:
            self._requests.remove(request)
        if answer is not None:
            self._edit = request.edit or self._edit
            return answer
        assert request.edit is not None  # nothing else ends its scope
        self.emitter.emit(CandidateDeclined(slot=ask.slot, attempt=ask.attempt, reason=REPAIRED))
        return request.edit

    @asynccontextmanager
    async def beside(self, bench: RepairBench) -> AsyncIterator[None]:
        """Repair near misses while the context lasts, and after it as long as nothing has passed."""
        async with side_by_side() as self._group:
            yield
            if bench.best is not None:
                self._group.cancel_scope.cancel()
        self._group = None

    async def _work(self, bench: RepairBench) -> None:
        try:
            while self._waiting and not self._is_needless(bench) and bench.covers():
                nearest = max(self._waiting, key=lambda each: each[:2])
                self._waiting.remove(nearest)
                if not await self._repair(nearest[-1], bench):
                    return
        finally:
            self._is_working = False

    def _is_needless(self, bench: RepairBench) -> bool:
        return bench.best is not None and bench.best.report.verified

    async def _repair(self, attempt: Attempt, bench: RepairBench) -> bool:
        """Repair one attempt; return False if the budget grants no more."""
        number = bench.number_of(attempt)
        self._say(f"the built-in generator tries to repair #{number}")
        try:
            found = await self.repairer.repairs_of(attempt.candidate, self.problem)
        except CertoError as error:
            # The search needs it as little as it needs the built-in generator.
            self._say(f"#{number} was not repaired: {one_line(str(error))}")
            return True
        place = f"in #{number}" + (f" of {by}" if (by := attempt.candidate.origin.note) else "")
        has_passed = False
        for proposal in [_named(each, place) for each in found[:MAX_JUDGED]]:
            made = self._made_of(attempt, proposal)
            if self._is_needless(bench) or bench.has_judged(made):
                continue
            repaired = await bench.offer(made)
            if repaired is None:
                return False
            has_passed = has_passed or repaired.report.passed
            if _is_enough(repaired, bench):
                bench.take_rivals(repaired, proposal.rivals)
                self._take(repaired)
                return True
        if not has_passed and not self._is_needless(bench):
            self._say(f"#{number} was not repaired: no edit of it passes")
        return True

    def _say(self, message: str) -> None:
        self.emitter.emit(GeneratorReported(message=message))

    def _made_of(self, attempt: Attempt, proposal: Proposal) -> Candidate:
        before = attempt.candidate
        origin = Origin(
            generator=OWN,
            note=proposal.note,
            slot=before.origin.slot,
            attempt=before.origin.attempt,
            suspicion=proposal.suspicion,
        )
        return candidate_of(proposal, self.problem, origin, before.id)

    def _take(self, repaired: Attempt) -> None:
        """Give an edit to one request, the newest, preferably one that goes on from a failure; or else to the next."""
        newest = self._requests[::-1]
        request = next((each for each in newest if each.ask.past), next(iter(newest), None))
        if request is None:
            self._edit = repaired
        else:
            request.edit = repaired
            request.scope.cancel()


def _is_enough(attempt: Attempt, bench: RepairBench) -> bool:
    return attempt.report.verified and bench.enough(attempt)


def _named(proposal: Proposal, place: str) -> Proposal:
    """Return a proposal whose note, and those of its rivals, say what was edited: "line 9: > → >=, in #1 of a:m"."""
    rivals = tuple(_named(rival, place) for rival in proposal.rivals)
    return replace(proposal, note=f"{proposal.note}, {place}", rivals=rivals)
