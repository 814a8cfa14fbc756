"""Working without barriers: the same tries as AgentTools and Kapso make, never later, and mostly much sooner.

The next experiment begins when a hand is free, and samples are asked for at once.
"""

from __future__ import annotations

import pytest

from support.search.waiting_strategies import WAYS, answers_and_seconds

pytestmark = pytest.mark.acceptance(77, 80)

ROUNDING = 1e-6


@pytest.mark.parametrize("way", sorted(WAYS))
@pytest.mark.parametrize("seed", range(10))
def test_barriers_change_neither_result_nor_duration(way, seed):
    (theirs, slow), (ours, quick) = (answers_and_seconds(make, seed) for make in WAYS[way])
    assert ours == theirs
    assert quick <= slow + ROUNDING


@pytest.mark.parametrize("way", sorted(WAYS))
def test_over_some_seeds_it_takes_less_time(way):
    slow, quick = (sum(answers_and_seconds(make, seed)[1] for seed in range(5)) for make in WAYS[way])
    assert quick < 0.9 * slow
