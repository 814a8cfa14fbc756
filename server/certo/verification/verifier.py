"""Contract of verifiers, which judge candidates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import partial
from typing import Protocol, runtime_checkable

import anyio
from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report, Ruling, Verdict


class Verifier(Protocol):
    """One way of judging.

    The same candidate gets the same ruling each time. A bad candidate gets a FAILED verdict with findings that a
    generator can act on; a verifier that cannot judge returns UNDECIDED with the reason. Only a broken environment
    raises, and then one of certo's named errors. Cancelling `judge` leaves nothing running.
    """

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        ...

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem."""
        ...


@runtime_checkable
class StepwiseVerifier(Verifier, Protocol):
    """A verifier whose first run tells nearly everything, and whose further runs confirm what that has shown."""

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem; raise what `judge_in_steps` raises."""
        return await self.judge_in_steps(candidate, problem, lambda: None)

    async def judge_in_steps(
        self, candidate: Candidate, problem: Problem, passed_once: Callable[[], None], /
    ) -> Verdict:
        """Judge one candidate for one problem; `passed_once` is called when it has passed the first run."""
        ...


async def judge_in_steps(
    verifier: Verifier, candidate: Candidate, problem: Problem, passed_once: Callable[[], None]
) -> Verdict:
    """Return the verdict of a verifier, which calls `passed_once` if it is stepwise and its first run has passed."""
    if isinstance(verifier, StepwiseVerifier):
        return await verifier.judge_in_steps(candidate, problem, passed_once)
    return await verifier.judge(candidate, problem)


@dataclass(slots=True)
class _Answer:
    """The verdict of a verifier that was asked before its turn, or what it raised."""

    done: anyio.Event = field(default_factory=anyio.Event)
    verdict: Verdict | None = None
    error: Exception | None = None

    async def heard(self) -> Verdict:
        """Return the verdict when there is one."""
        await self.done.wait()
        if self.error is not None:
            raise self.error
        assert self.verdict is not None, "it was cancelled together with those that wait for it"
        return self.verdict


class Questions:
    """Asks verifiers about one candidate, each one once: in its turn, or before it in a task of `group`."""

    def __init__(self, candidate: Candidate, problem: Problem, group: TaskGroup) -> None:
        self._candidate = candidate
        self._problem = problem
        self._group = group
        self._begun: dict[str, _Answer] = {}

    def begin(self, verifiers: Iterable[Verifier]) -> None:
        """Ask these before their turn."""
        for verifier in verifiers:
            if verifier.name not in self._begun:
                answer = self._begun[verifier.name] = _Answer()
                self._group.start_soon(self._answer, verifier, answer)

    async def ask(self, verifier: Verifier, early: Iterable[Verifier] = ()) -> Verdict:
        """Return the verdict of a verifier, with the seconds it took.

        The verifiers in `early` are begun if it is stepwise and the candidate has passed its first run.
        """
        known = self._begun.get(verifier.name)
        return await self._timed(verifier, early) if known is None else await known.heard()

    async def _answer(self, verifier: Verifier, answer: _Answer) -> None:
        try:
            answer.verdict = await self._timed(verifier, ())
        except Exception as error:  # noqa: BLE001 - it is raised when the verifier's turn comes, if it does
            answer.error = error
        finally:
            answer.done.set()

    async def _timed(self, verifier: Verifier, early: Iterable[Verifier]) -> Verdict:
        began = time.monotonic()
        verdict = await judge_in_steps(verifier, self._candidate, self._problem, partial(self.begin, early))
        return replace(verdict, seconds=round(time.monotonic() - began, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Asks its verifiers in the given order, cheap ones first.

    With `full`, every verifier is asked regardless of earlier results; otherwise the first that does not pass ends it.
    The verifiers named in `early` begin when a stepwise one before them has passed the candidate once, beside the runs
    that confirm it. Their verdicts are reported in their turn all the same, or not at all if it does not come.
    """

    verifiers: tuple[Verifier, ...]
    full: bool = False
    early: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The verifiers' names in the order in which they are asked."""
        return tuple(verifier.name for verifier in self.verifiers)

    async def judge(
        self,
        candidate: Candidate,
        problem: Problem,
        *,
        started: Callable[[str], None],
        reached: Callable[[Verdict], None],
    ) -> Report:
        """Judge a candidate, reporting the start and verdict of each verifier; times are measured here."""
        verdicts: list[Verdict] = []
        early = [verifier for verifier in self.verifiers if verifier.name in self.early]
        async with background_tasks() as group:
            questions = Questions(candidate, problem, group)
            for verifier in self.verifiers:
                started(verifier.name)
                verdict = await questions.ask(verifier, early)
                verdicts.append(verdict)
                reached(verdict)
                if verdict.ruling is not Ruling.PASSED and not self.full:
                    break
        return Report(candidate_id=candidate.id, verdicts=tuple(verdicts))
