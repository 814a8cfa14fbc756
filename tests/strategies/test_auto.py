"""Auto at a real bench: it stays on a line that scores better and better, and leaves one that is at a standstill."""

from __future__ import annotations

import pytest

from certo.generation.generator import Ask, Attempt, Proposal
from certo.search.bench import SearchBench
from certo.search.branches import PATIENCE
from certo.strategies.auto import Auto, AutoOptions
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.text import TextEdit
from support.models.simulated_model import PROBLEM, TESTS, Nature, SimulatedModel, pursued

CLIMBING = Nature(at_first=0.0, at_best=0.0, gain=0.2, noise=0.0)
"""Never right, and nearer to it with each failure that it hears of."""

STUCK = Nature(at_first=0.0, at_best=0.0, gain=0.0, noise=0.0)
"""Never right, and as far from it as ever whatever it hears."""


def depths(bench: SearchBench) -> list[int]:
    """How many tries stand above each, in the order in which they were made, the root left out."""
    return [node.depth - 1 for node in bench.tree][1:]


async def test_improving_branch_is_extended():
    bench = await pursued(Auto(AutoOptions()), SimulatedModel(CLIMBING, seed=0, most=5))
    assert depths(bench) == [0, 1, 2, 3, 4]


async def test_stagnating_branch_is_left():
    bench = await pursued(Auto(AutoOptions()), SimulatedModel(STUCK, seed=0, most=3 * (1 + PATIENCE)))
    assert depths(bench) == [*range(1 + PATIENCE)] * 3


async def test_several_branches_are_extended_at_once():
    bench = await pursued(Auto(AutoOptions(num_candidates=3)), SimulatedModel(CLIMBING, seed=0, most=9))
    assert sorted(depths(bench)) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


async def test_every_branch_keeps_its_slot():
    asks: list[Ask] = []

    class Listening(SimulatedModel):
        async def propose(self, ask: Ask, /):
            asks.append(ask)
            return await super().propose(ask)

    await pursued(Auto(AutoOptions()), Listening(STUCK, seed=0, most=2 * (1 + PATIENCE)))
    made = [(ask.slot, ask.attempt, len(ask.past)) for ask in asks[: 2 * (1 + PATIENCE)]]
    assert made == [(slot, tries, tries) for slot in range(2) for tries in range(1 + PATIENCE)]


async def test_it_ends_with_the_first_that_passes():
    sure = Nature(at_first=1.0, at_best=1.0, gain=0.0)
    model = SimulatedModel(sure, seed=0, most=40)
    bench = await pursued(Auto(AutoOptions()), model)
    assert model.calls == 1
    assert bench.best is not None


@pytest.mark.parametrize(("agreeing_from", "calls"), [(1, 1), (2, 2), (9, 3)])
async def test_doubtful_answer_is_followed_by_others(agreeing_from: int, calls: int):
    """Another beginning each, until the bench has no doubt; three at the most."""
    model = SimulatedModel(Nature(at_first=1.0, at_best=1.0, gain=0.0), seed=0, most=40)

    async def doubts(bench: SearchBench, _attempt: Attempt) -> bool:
        return len(bench.passed) < agreeing_from

    bench = await pursued(Auto(AutoOptions()), model, doubts=doubts)
    assert model.calls == calls
    assert depths(bench) == [0] * calls


async def test_failing_second_answer_is_not_repaired():
    """It is told of no failure, as it would be no opinion of its own then."""
    model = SimulatedModel(Nature(at_first=0.5, at_best=0.5, gain=0.0), seed=3, most=40)

    async def doubts(_bench: SearchBench, _attempt: Attempt) -> bool:
        return True

    bench = await pursued(Auto(AutoOptions()), model, doubts=doubts)
    first = model.solved
    assert first is not None
    assert depths(bench)[first:] == [0, 0]


async def test_equal_beginnings_extend_the_only_branch():
    class Decided(SimulatedModel):
        async def propose(self, ask: Ask, /):
            if ask.past:
                return await super().propose(ask)
            self.calls += 1
            self.begun()
            return Proposal(edits=(TextEdit(PROBLEM.target.body, "return 1  # .0"),))

    bench = await pursued(Auto(AutoOptions()), Decided(STUCK, seed=0, most=30))
    assert max(depths(bench)) >= 10
    assert depths(bench).count(0) == 1


async def test_repeated_answers_end_it():
    class Alike(SimulatedModel):
        async def propose(self, ask: Ask, /):
            self.calls += 1
            return Proposal(edits=(TextEdit(PROBLEM.target.body, f"return {TESTS - 1}  # 1"),))

    model = Alike(STUCK, seed=0, most=1000)
    bench = await pursued(Auto(AutoOptions()), model)
    assert model.calls == 11
    assert bench.concluded == "10 tries in a row brought no candidate that was not there before"


async def test_silent_model_ends_it_soon():
    class Silent(SimulatedModel):
        async def propose(self, ask: Ask, /):
            self.calls += 1
            raise ModelFailed("nobody is there")

    model = Silent(STUCK, seed=0, most=1000)
    bench = await pursued(Auto(AutoOptions()), model)
    assert model.calls == 3
    assert bench.outages.everywhere


@pytest.mark.parametrize("number", [0, 1001])
def test_senseless_number_of_branches_is_refused(number):
    with pytest.raises(ValueError, match=r"auto\.num_candidates must be from 1 to 1,000"):
        AutoOptions(num_candidates=number)
