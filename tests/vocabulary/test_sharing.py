"""Several suspects share one budget: the likeliest has the most, each has something, and no more is spent in all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.sessions.failures import slow
from certo.vocabulary.cost import MIN_SECONDS, NOTHING_SPENT, Budget, Spent

WHOLE = Budget(candidates=64, seconds=60.0, calls=200, dollars=1.0)


def shares(count: int, whole: Budget = WHOLE) -> list[Budget]:
    """What so many searches may spend, of which each takes all the seconds it has."""
    spent, made = NOTHING_SPENT, []
    for others in reversed(range(count)):
        made.append(whole.share_for(spent, others))
        spent = spent + Spent(seconds=made[-1].seconds)
    return made


def test_one_search_has_all_of_it() -> None:
    assert WHOLE.share_for(NOTHING_SPENT, 0) == WHOLE


def test_three_share_three_two_one() -> None:
    assert [round(each.seconds, 1) for each in shares(3)] == [30.0, 20.0, 10.0]


@given(st.integers(2, 5), st.floats(40.0, 1000.0))
def test_all_is_shared_the_likeliest_gets_most(count: int, seconds: float) -> None:
    """Each gets something."""
    made = [each.seconds for each in shares(count, Budget(seconds=seconds))]
    assert made == sorted(made, reverse=True)
    assert made[-1] > MIN_SECONDS
    assert abs(sum(made) - seconds) < 0.1


def test_unspent_shares_go_to_later_ones() -> None:
    left = WHOLE.share_for(Spent(candidates=4, seconds=1.0, calls=150, dollars=None), 0)
    assert (left.seconds, left.candidates, left.calls, left.dollars) == (59.0, 60, 50, 0.0)
    assert left.of == WHOLE


def test_a_share_reports_the_users_budget() -> None:
    first, *_ = shares(3)
    assert WHOLE.said("seconds") == "seconds = 60"
    assert first.said("seconds") == "seconds = 60, of which this search had 30,"
    assert first.said("candidates") == "candidates = 64"
    assert "took all of search.seconds = 60, of which this search had 30; raise it" in slow(first)


def test_searches_without_a_share_never_begin() -> None:
    assert not WHOLE.is_spent(Spent(seconds=50.0))
    assert WHOLE.is_spent(Spent(seconds=59.0))
    assert WHOLE.is_spent(Spent(candidates=64))


def test_dollars_that_nobody_knows_stay_unknown() -> None:
    assert (Spent(dollars=0.5) + Spent(dollars=None)).dollars is None
    assert Spent(dollars=0.5, calls=1) + Spent(dollars=0.25, calls=2) == Spent(dollars=0.75, calls=3)
