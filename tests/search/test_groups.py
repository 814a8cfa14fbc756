"""Candidates of any origin are compared on the same calls, in a real sandbox, and the likeliest group leads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import pytest

from certo.costs.measures import EditSize
from certo.edits.patch import edits_between
from certo.generation.builtin.agreement import Comparer
from certo.generation.builtin.votes import Ballot
from certo.generation.generator import Ask, Attempt, Declined, Proposal
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.search.bench import SearchBench
from certo.search.board import CandidateState, SearchState
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.search.proposals import candidate_of
from certo.search.winner import Minimizer
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import USER, Candidate, Origin
from certo.vocabulary.cost import Budget, Cost
from certo.vocabulary.events import Event
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report, Verdict
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated
from support.search.candidates import passing_tests

pytestmark = pytest.mark.acceptance(107)

SOURCE = """\
def total(prices):
    note = ""
    result = 0
    for price in prices[1:]:
        result += price
    return result
"""
TESTS = """
import mod
def test_one():
    assert mod.total([2]) == 2
def test_two():
    assert mod.total([0, 3]) == 3
"""
RIGHT = SOURCE.replace("prices[1:]", "prices")
AGAIN = SOURCE.replace("for price in prices[1:]:\n        result += price", "result += sum(prices)")
LAST = SOURCE.replace("return result", "return prices[-1]")
NOTED = RIGHT.replace('note = ""', 'note = "all of them"')


@dataclass(frozen=True)
class Texts:
    """Proposes these texts of the document, one after the other, in place of the generator of this name."""

    texts: tuple[str, ...]
    name: str

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[TextsProposer]:
        yield TextsProposer(problem, list(self.texts))


@dataclass
class TextsProposer:
    """What is left of them."""

    problem: Problem
    left: list[str]

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        if not self.left:
            return Declined(reason="that was all")
        return Proposal(edits=edits_between(self.problem.text, self.left.pop(0)))


class Passing:
    """Passes every candidate."""

    name = "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        return passing_tests()


def comparer() -> Comparer:
    return Comparer(executor=LocalExecutor(SandboxOptions()), interpreter=bare_interpreter(), seed=0)


def stated_problem(root: Path) -> Problem:
    return stated(root, SOURCE, "total", tests=TESTS, failing=["test_one"])


async def run(
    problem: Problem,
    *texts: str,
    generator: str = "model",
    compaction: Minimizer | None = None,
    attend: Callable[[SearchBench], None] = lambda _: None,
) -> SearchState:
    """Search with these candidates, all of which pass."""
    events: list[Event] = []
    parts = Parts(
        generator=Texts(texts, generator),
        strategy=BestOf(BestOfOptions(num_candidates=len(texts))),
        pipeline=Pipeline(verifiers=(Passing(),)),
        cost_model=EditSize(),
        compaction=compaction,
        comparer=comparer(),
    )
    emitter = EventEmitter("s1", events.append)
    await search(problem, parts=parts, budget=Budget(candidates=30, seconds=600), emitter=emitter, attend=attend)
    board = SearchState()
    for event in events:
        board.apply(event)
    return board


def best_of(board: SearchState) -> CandidateState:
    """Return the winner."""
    assert board.best_row is not None
    return board.best_row


@pytest.mark.slow
async def test_groups_do_not_depend_on_order(tmp_path: Path) -> None:
    problem, seen = stated_problem(tmp_path), set()
    for texts in permutations((RIGHT, AGAIN, LAST)):
        found = await comparer().agreement(problem, [Ballot(text=text) for text in texts])
        groups = tuple(frozenset(texts[number] for number in group.members) for group in found.groups)
        difference = found.difference(texts.index(RIGHT), texts.index(LAST))
        seen.add((groups, difference, tuple(call.text for call in found.calls)))
    [(groups, difference, _)] = seen
    assert groups == (frozenset({RIGHT, AGAIN}), frozenset({LAST}))
    assert difference is not None


@pytest.mark.slow
async def test_smaller_winner_stays_in_its_group(tmp_path: Path) -> None:
    """It costs less than the rival only after a needless change was left out, and it is the one that leads."""
    board = await run(stated_problem(tmp_path), LAST, NOTED, AGAIN, compaction=Minimizer())
    best = best_of(board)
    assert best.origin.generator == "compaction"
    assert (best.group, best.agreeing, best.compared) == (1, 2, 3)
    assert 'note = "all' not in best.diff


async def test_smaller_winner_may_not_change_behaviour(tmp_path: Path) -> None:
    """What a needless part does is seen by no test, but by the calls on which candidates were compared."""
    both = RIGHT.replace("return result", "return abs(result)")
    other = AGAIN.replace("return result", "return result if result >= 0 else -result")
    board = await run(stated_problem(tmp_path), LAST, both, other, compaction=Minimizer())
    best = best_of(board)
    assert (best.origin.generator, best.agreeing) == ("model", 2)
    assert any(row.origin.generator == "compaction" and row.passed for row in board.rows.values())


@pytest.mark.parametrize("generator", [pytest.param("builtin", marks=pytest.mark.slow), "model"])
async def test_candidates_of_the_user_are_compared_too(tmp_path: Path, generator: str) -> None:
    problem = stated_problem(tmp_path)

    def adopt(bench: SearchBench) -> None:
        proposal = Proposal(edits=edits_between(problem.text, AGAIN))
        candidate = candidate_of(proposal, problem, Origin(generator=USER, note="edited"), None)
        report = Report(candidate_id=candidate.id, verdicts=(passing_tests(),))
        bench.adopt(Attempt(candidate=candidate, report=report), Cost(value=50.0, unit="lines", source="size"))

    board = await run(problem, LAST, RIGHT, generator=generator, attend=adopt)
    assert [[row.origin.generator for row in group] for group in board.groups()] == [[generator, USER], [generator]]
    assert "return prices[-1]" not in best_of(board).diff
    assert [row.agreeing for row in board.ranked()] == [2, 2, 1]
