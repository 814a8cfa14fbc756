"""A search goes on for a while after its first find, counted in trials."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.execution.allowance import Allowance
from certo_builtin.progress import MIN_FURTHER_TRIALS, StoppingRule


def test_without_a_find_nothing_is_ever_enough() -> None:
    assert not StoppingRule(1, Allowance(60.0)).is_enough(10**9)


@given(st.integers(1, 10**6))
def test_search_continues_after_the_first_candidate(tried: int) -> None:
    """For as many trials as the first took, and some."""
    rule = StoppingRule(3, Allowance(60.0))
    rule.add(tried)
    assert not rule.is_enough(2 * tried + MIN_FURTHER_TRIALS - 1)
    assert rule.is_enough(2 * tried + MIN_FURTHER_TRIALS)
    rule.add(2 * tried + MIN_FURTHER_TRIALS - 1)
    assert rule.is_enough(2 * tried + MIN_FURTHER_TRIALS), "a later find does not put it off"


def test_search_ends_with_the_last_wanted() -> None:
    rule = StoppingRule(2, Allowance(60.0))
    rule.add(1)
    assert not rule.is_enough(1)
    rule.add(2)
    assert rule.is_enough(2)
