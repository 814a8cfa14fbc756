"""A generator and a verifier for trying strategies: they answer as planned and notice all that is asked of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel

from certo.generation.generator import Ask, Declined, Proposal
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict

RIGHT = "return n / 2"
"""The body that passes."""


@dataclass(slots=True)
class Planned:
    """Proposes the bodies that `answer` gives by the number of the ask; None is no more candidates, for anyone.

    `most` is how many asks were under way at once, `right` how many there had been when the right body was proposed.
    With `stuck` no answer ever comes.
    """

    answer: Callable[[int], str | None]
    stuck: bool = False
    name: str = "planned"
    asks: list[Ask] = field(default_factory=list)
    under_way: int = 0
    most: int = 0
    right: int | None = None
    declined: int | None = None
    _body: TextEdit | None = None

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Planned]:
        """Start work on a problem."""
        say("planned")
        self._body = TextEdit(problem.target.body, "")
        yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Propose what is planned."""
        body = self.answer(len(self.asks))
        self.asks.append(ask)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await (anyio.sleep_forever() if self.stuck else anyio.lowlevel.checkpoint())
        finally:
            self.under_way -= 1
        if body is None:
            self.declined = len(self.asks) if self.declined is None else self.declined
            return Declined(reason="there is no other")
        if body == RIGHT and self.right is None:
            self.right = len(self.asks)
        assert self._body is not None, "propose() before open()"
        return Proposal(edits=(TextEdit(self._body.span, body),), note="planned")


@dataclass(slots=True)
class Judge:
    """Passes the right body, and counts how often it judged each candidate."""

    name: str = "tests"
    judged: dict[str, int] = field(default_factory=dict)

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:  # noqa: ARG002 - the contract
        """Judge one candidate."""
        self.judged[candidate.id] = self.judged.get(candidate.id, 0) + 1
        await anyio.lowlevel.checkpoint()
        passed = RIGHT in candidate.text
        evidence = TestEvidence(collected=1, ran=1, passed=int(passed), failed=int(not passed), skipped=0, touched=True)
        ruling = Ruling.PASSED if passed else Ruling.FAILED
        said = () if passed else (Finding(message="assert 4 == 2"),)
        return Verdict(verifier=self.name, ruling=ruling, findings=said, tests=evidence)
