"""Contract of verifiers, which judge candidates."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Asks its verifiers in the given order, cheap ones first.

    With `full`, every verifier is asked regardless of earlier results; otherwise the first that does not pass ends it.
    """

    verifiers: tuple[Verifier, ...]
    full: bool = False

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
        for verifier in self.verifiers:
            started(verifier.name)
            began = time.monotonic()
            verdict = await verifier.judge(candidate, problem)
            verdict = replace(verdict, seconds=round(time.monotonic() - began, 4))
            verdicts.append(verdict)
            reached(verdict)
            if verdict.ruling is not Ruling.PASSED and not self.full:
                break
        return Report(candidate_id=candidate.id, verdicts=tuple(verdicts))
