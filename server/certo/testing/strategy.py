"""Contract of a strategy: end by itself, stop when a candidate is found, and allow cancellation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import field

import anyio
import anyio.lowlevel

from certo.costs.measures import EditSize
from certo.generation.generator import Ask, Declined, Proposal
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.strategy import Strategy
from certo.testing.fixtures import awaited, problem_about
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict

RIGHT = "return n / 2"
"""Body that passes."""


@dataclass(slots=True)
class Planned:
    """Generator of the bodies that `answer` gives by the number of the ask; None means no more candidates for anyone.

    `most` is the maximum number of concurrent asks, `right` how many there had been when the right body was proposed.
    With `stuck`, no answer ever comes.
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
        """Propose the planned body."""
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
    """Verifier that passes the right body and counts the judgements of each candidate."""

    name: str = "tests"
    judged: dict[str, int] = field(default_factory=dict)

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:  # noqa: ARG002 - the contract
        """Return the verdict on one candidate."""
        self.judged[candidate.id] = self.judged.get(candidate.id, 0) + 1
        await anyio.lowlevel.checkpoint()
        passed = RIGHT in candidate.text
        evidence = TestEvidence(collected=1, ran=1, passed=int(passed), failed=int(not passed), skipped=0, touched=True)
        ruling = Ruling.PASSED if passed else Ruling.FAILED
        said = () if passed else (Finding(message="assert 4 == 2"),)
        return Verdict(verifier=self.name, ruling=ruling, findings=said, tests=evidence)


@dataclass(slots=True)
class _Tried:
    """A search with the strategy under test, and everything its parts recorded."""

    generator: Planned
    judge: Judge = field(default_factory=Judge)
    events: list[Event] = field(default_factory=list)

    async def run(self, strategy: Strategy, candidates: int = 40) -> None:
        parts = Parts(
            generator=self.generator,
            strategy=strategy,
            pipeline=Pipeline(verifiers=(self.judge,)),
            cost_model=EditSize(),
        )
        budget = Budget(candidates=candidates, seconds=1e6)
        await search(problem_about(), parts=parts, budget=budget, emitter=EventEmitter("contract", self.events.append))

    @property
    def outcome(self) -> Outcome:
        last = self.events[-1]
        assert isinstance(last, SearchStopped), f"the last event is {last.type}"
        return last.outcome


class StrategyContract(ABC):
    """Tests for a strategy; a Test… subclass creates a new one for each test."""

    @abstractmethod
    def strategy(self) -> Strategy:
        """Return the strategy under test, new each time."""

    def test_it_has_a_name_and_makes_a_try(self) -> None:
        """A strategy that never asks for a candidate finds none."""
        tried = _Tried(Planned(_always_new))
        strategy = self.strategy()
        awaited(lambda: tried.run(strategy, candidates=5))
        assert strategy.name, "a strategy has a name, which is shown"
        assert tried.generator.asks, "it has asked for no candidate"

    def test_it_ends_when_the_budget_is_spent(self) -> None:
        """No more candidates are judged than the budget allows, and the search ends."""
        tried = _Tried(Planned(_always_new))
        awaited(lambda: tried.run(self.strategy(), candidates=7))
        assert len(tried.judge.judged) <= 7
        assert tried.outcome in (Outcome.BUDGET_SPENT, Outcome.ATTEMPTS_SPENT)

    def test_it_stops_when_it_has_what_was_wanted(self) -> None:
        """After a passing candidate come only those that were requested at the same time."""
        tried = _Tried(Planned(lambda number: RIGHT if number == 1 else _always_new(number)))
        awaited(lambda: tried.run(self.strategy()))
        right = tried.generator.right
        if right is None:
            assert len(tried.generator.asks) == 1, "it stopped although no candidate had passed"
            return
        assert tried.outcome is Outcome.SOLVED
        behind = len(tried.generator.asks) - right
        assert behind <= tried.generator.most, f"it asked for {behind} more candidates after one had passed"

    def test_it_ends_when_there_are_no_more_candidates(self) -> None:
        """A strategy that is told that no one gets another candidate stops asking."""
        tried = _Tried(Planned(lambda number: None if number >= 2 else _always_new(number)))
        awaited(lambda: tried.run(self.strategy()))
        asks, declined = len(tried.generator.asks), tried.generator.declined
        if declined is not None:
            assert asks - declined <= tried.generator.most, "it goes on asking whoever has no more candidates"

    def test_it_ends_when_it_hears_the_same_over_and_over(self) -> None:
        """Repeated proposals cost nothing, so only the strategy can notice that they lead nowhere."""
        tried = _Tried(Planned(lambda _: "return 0"))
        awaited(lambda: tried.run(self.strategy()))
        assert list(tried.judge.judged.values()) == [1], "the same candidate is judged once"

    def test_being_cancelled_leaves_nothing_under_way(self) -> None:
        """A cancelled search says so, and all its asks have ended."""
        tried = _Tried(Planned(_always_new, stuck=True))

        async def cancel() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(tried.run, self.strategy())
                while not tried.generator.asks:
                    await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()

        awaited(cancel)
        assert tried.generator.under_way == 0
        assert tried.outcome is Outcome.CANCELLED

    def test_each_try_is_told_of_tries_that_were_made_and_failed(self) -> None:
        """The history given to a try consists of judged candidates that failed."""
        tried = _Tried(Planned(_always_new))
        awaited(lambda: tried.run(self.strategy(), candidates=12))
        for ask in tried.generator.asks:
            for attempt in ask.past:
                assert attempt.candidate.id in tried.judge.judged
                assert not attempt.report.passed


def _always_new(number: int) -> str:
    """Return a different wrong body for each ask."""
    return f"return n + {number}"
