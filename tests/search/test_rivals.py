"""The rivals of a winner are judged as it was, told with what they answer otherwise, and never take its place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio
import pytest

from certo.costs.measures import EditSize
from certo.edits.patch import edits_between
from certo.generation.generator import Ask, Declined, Proposal
from certo.search.board import SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.replay import replay_tree
from certo.search.strategy import Strategy
from certo.search.winner import Formatter, Minimizer
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.candidate import Candidate, Difference, Observation
from certo.vocabulary.cost import Budget
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict
from support.search.candidates import HALF, failing_tests, passing_tests, problem

pytestmark = pytest.mark.acceptance(108)

FOUND = Difference(call="half(3)", ours="1.5", theirs="1")


def proposal(body: str, *rivals: Proposal) -> Proposal:
    return Proposal(edits=edits_between(HALF, HALF.replace("return n", body)), note=body, rivals=rivals)


@dataclass(frozen=True)
class Offers:
    """Proposes these, one after the other; `order` is another order that it finds out later."""

    proposals: tuple[Proposal, ...]
    order: tuple[Proposal, ...] = ()
    name: str = "offers"

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[OffersProposer]:
        yield OffersProposer(list(self.proposals), self.order)


@dataclass
class OffersProposer:
    """What is left of them."""

    left: list[Proposal]
    order: tuple[Proposal, ...]

    async def selection(self) -> tuple[Proposal, ...]:
        return self.order

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        return self.left.pop(0) if self.left else Declined(reason="that was all")


class Refusing:
    """Passes a candidate unless a word is in it."""

    name = "tests"

    def __init__(self, word: str) -> None:
        self._word = word

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        return failing_tests() if self._word in candidate.text else passing_tests()


class Meeting:
    """Passes a candidate as soon as so many are being judged; without them it fails after a while."""

    name = "tests"

    def __init__(self, number: int) -> None:
        self._missing = number
        self._met = anyio.Event()

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        if candidate.rival_of is None:
            return passing_tests()
        self._missing -= 1
        if not self._missing:
            self._met.set()
        with anyio.move_on_after(5):
            await self._met.wait()
        return passing_tests() if self._met.is_set() else failing_tests()


async def run(
    *proposals: Proposal,
    refused: str = "!",
    verifier: Verifier | None = None,
    candidates: int = 9,
    formatter: Formatter | None = None,
    strategy: Strategy | None = None,
    order: tuple[Proposal, ...] = (),
) -> tuple[SearchState, list[Event]]:
    """Search with these proposals."""
    events: list[Event] = []
    parts = Parts(
        generator=Offers(proposals, order),
        strategy=strategy or Retry(RetryOptions()),
        pipeline=Pipeline(verifiers=(verifier or Refusing(refused),)),
        cost_model=EditSize(),
        compaction=Minimizer(formatter=formatter),
    )
    with anyio.fail_after(100):
        await search(
            problem(), parts=parts, budget=Budget(candidates=candidates), emitter=EventEmitter("s1", events.append)
        )
    board = SearchState()
    for event in events:
        board.apply(event)
    return board, events


async def test_rivals_rank_below_the_winner() -> None:
    """They are judged after it, and cost less."""
    cheap = replace(proposal("return n / 2"), difference=FOUND)
    dear = proposal("return (n + n) // (1 + 1 + 1 + 1)", cheap)
    board, events = await run(dear, cheap)
    first, second = board.rows.values()
    assert (first.origin.note, second.origin.note) == (dear.note, cheap.note)
    assert first.cost is not None
    assert second.cost is not None
    assert second.cost.value < first.cost.value
    assert board.contenders(first) == board.contenders(second) == (first, second)
    assert second.difference == FOUND
    assert [row.candidate_id for row in board.ranked()] == [first.candidate_id, second.candidate_id]
    assert isinstance(events[-1], SearchStopped)
    assert events[-1].winner is not None
    assert events[-1].winner.candidate_id == first.candidate_id
    assert second.verified


async def test_first_find_is_verified_before_comparison() -> None:
    """Its rivals and what it answers are added to it once they are known."""
    rival = replace(proposal("return n / 2"), difference=FOUND)
    seen = (Observation(call="half(3)", result="1"),)
    early = proposal("return n // 2")
    board, _ = await run(early, order=(replace(early, rivals=(rival,), observations=seen), rival))
    first, second = board.rows.values()
    assert board.best_row is first
    assert (first.observations, first.verified) == (seen, True)
    assert board.contenders(first) == (first, second)


@pytest.mark.parametrize("refused", ["!", "unlikely"])
async def test_better_choice_leads_the_first_find(refused: str) -> None:
    early = replace(proposal("return n >> 1"), difference=FOUND)
    chosen = proposal("return (n - n % 2) // (1 + 1)", early)
    board, _ = await run(early, order=(proposal("return unlikely"), chosen, early), refused=refused)
    best = board.best_row
    assert best is not None
    assert best.origin.note == ("return unlikely" if refused == "!" else chosen.note)
    first = next(iter(board.rows.values()))
    # A choice that costs less leads by that alone.
    is_dearer = refused == "unlikely"
    assert (first.rival_of, first.difference) == ((best.candidate_id, FOUND) if is_dearer else (None, None))


async def test_strategy_that_asked_for_all_ranks_them() -> None:
    early, chosen = proposal("return n >> 1"), proposal("return (n - n % 2) // (1 + 1)")
    two = BestOf(BestOfOptions(num_candidates=2))
    board, _ = await run(early, chosen, order=(chosen, early), strategy=two)
    assert board.best_row is not None
    assert board.best_row.origin.note == early.note


async def test_failing_rival_is_no_rival() -> None:
    board, _ = await run(
        proposal("return n // 2", replace(proposal("return wrong"), difference=FOUND)), refused="wrong"
    )
    assert len(board.rows) == 2
    assert all(board.contenders(row) == () for row in board.rows.values())


async def test_rivals_of_failed_candidate_are_ignored() -> None:
    other = replace(proposal("return n / 2"), difference=FOUND)
    board, _ = await run(proposal("return wrong", other), proposal("return n // 2"), refused="wrong")
    assert [row.origin.note for row in board.rows.values()] == ["return wrong", "return n // 2"]


async def test_reformatted_winner_keeps_its_rivals() -> None:
    seen = (Observation(call="half(3)", result="1"),)
    first = replace(proposal("return n//2", replace(proposal("return n / 2"), difference=FOUND)), observations=seen)

    async def formatter(candidate: Candidate, problem: Problem) -> str:
        return candidate.text.replace("n//2", "n // 2")

    board, _ = await run(first, formatter=formatter)
    best = board.best_row
    assert best is not None
    assert best.origin.generator == "compaction"
    assert [row.origin.note for row in board.contenders(best)] == [best.origin.note, "return n / 2"]
    assert best.observations == seen


async def test_differing_candidates_are_rivals_too() -> None:
    """A strategy asked for them by themselves."""
    one, other, alike = (
        replace(proposal(body), observations=(Observation(call="half(3)", result=result),))
        for body, result in (("return n // 2", "1"), ("return n / 2", "1.5"), ("return n + n // 2 - n", "1"))
    )
    board, _ = await run(replace(one, rivals=(other,)), other, alike, strategy=BestOf(BestOfOptions(num_candidates=3)))
    assert len(board.rows) == 3
    best = board.best_row
    assert best is not None
    assert [row.origin.note for row in board.contenders(best)] == [other.note, one.note, alike.note]
    [first] = [row for row in board.rows.values() if row.origin.note == one.note]
    assert [row.origin.note for row in board.contenders(first)] == [one.note, other.note]


async def test_budget_limits_rivals() -> None:
    rivals = [replace(proposal(f"return n / {number}"), difference=FOUND) for number in range(2, 6)]
    board, _ = await run(proposal("return n // 2", *rivals), candidates=3)
    assert len(board.rows) == 3
    assert len(board.contenders(next(iter(board.rows.values())))) == 3


async def test_rivals_are_judged_side_by_side() -> None:
    rivals = [replace(proposal(f"return n / {number}"), difference=FOUND) for number in range(2, 5)]
    board, _ = await run(proposal("return n // 2", *rivals), verifier=Meeting(3))
    assert [row.origin.note for row in board.rows.values()] == ["return n // 2", *(each.note for each in rivals)]
    assert all(row.verified for row in board.rows.values())


async def test_rival_counts_for_nothing_in_tree() -> None:
    rival = replace(proposal("return n / 2"), difference=FOUND)
    _, events = await run(proposal("return n // 2", rival))
    assert replay_tree(events).tree.root.visits == 1
