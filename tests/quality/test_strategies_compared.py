"""Success of each strategy at equal numbers of calls, with simulated models of several natures.

Where feedback misleads, tree search and `auto` solve more than `retry`, for which the first wrong way is the last;
where it helps, nothing beats hearing it on one line. Here forty seeds and wide margins; the benchmark of the strategies
has five hundred, and prints all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import anyio
import pytest

from certo.search.strategy import Strategy
from support.models.simulated_model import REGIMES, SimulatedModel, pursued
from support.search.compared_strategies import CALLS, CONTENDERS

SEEDS = 40


@cache
def solved(regime: str, name: str) -> tuple[int | None, ...]:
    """After how many calls each search had its answer; None where it had none after all of them."""

    async def each() -> tuple[int | None, ...]:
        made = [SimulatedModel(REGIMES[regime], seed, CALLS) for seed in range(SEEDS)]
        for model in made:
            await pursued(CONTENDERS[name](), model)
        return tuple(model.solved for model in made)

    return anyio.run(each)


def success(regime: str, name: str, calls: int = CALLS) -> float:
    """The share of searches that had their answer after so many calls."""
    return sum(took is not None and took <= calls for took in solved(regime, name)) / SEEDS


@pytest.mark.usual_cases("retry, 3 lines-auto")
@pytest.mark.parametrize("name", ["llm_tree_search", "mcts, UCT", "mcts, Thompson", "auto"])
@pytest.mark.parametrize("retry", ["retry, 3 lines", "retry, 1 line"])
def test_independent_attempts_win_where_feedback_misleads(name, retry):
    assert success("misleads", name) >= success("misleads", retry) + 0.2


@pytest.mark.usual_cases("5-best_of", "7-mcts, UCT")
@pytest.mark.parametrize("name", ["best_of", "mcts, UCT", "mcts, Thompson"])
@pytest.mark.parametrize("calls", [5, 7])
def test_retry_wins_where_feedback_helps(name, calls):
    assert success("helps", "retry, 1 line", calls) >= success("helps", name, calls) + 0.1


@pytest.mark.parametrize("name", sorted(CONTENDERS))
@pytest.mark.parametrize("calls", [5, 10, 20])
def test_no_strategy_beats_retry_where_feedback_helps(name, calls):
    """On one branch."""
    assert success("helps", "retry, 1 line", calls) >= success("helps", name, calls) - 0.05


@pytest.mark.slow
def test_strategies_tie_where_feedback_is_worthless():
    shares = [success("independent", name) for name in CONTENDERS]
    assert max(shares) - min(shares) <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    "regime",
    [pytest.param(each, marks=[] if each == "misleads" else [pytest.mark.slow]) for each in sorted(REGIMES)],
)
def test_auto_is_nearly_the_best_everywhere(regime):
    assert success(regime, "auto") >= max(success(regime, name) for name in CONTENDERS) - 0.1


def test_same_seeds_give_the_same_answers():
    again = solved.__wrapped__("misleads", "mcts, Thompson")
    assert again == solved("misleads", "mcts, Thompson")


def test_nobody_makes_more_calls_than_there_are():
    async def calls(make: Callable[[], Strategy]) -> int:
        model = SimulatedModel(REGIMES["rarely"], seed=1, most=CALLS)
        await pursued(make(), model)
        return model.calls

    assert [anyio.run(calls, make) <= CALLS for make in CONTENDERS.values()] == [True] * len(CONTENDERS)
