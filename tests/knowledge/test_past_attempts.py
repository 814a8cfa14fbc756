"""The best, the newest and the most alike of earlier tries, whichever way their values count."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.knowledge.past_attempts import failed_with, recent, similar, top, words
from certo.vocabulary.knowledge import PastAttempt
from certo.vocabulary.score import Score

pytestmark = pytest.mark.acceptance(65)

TRY = PastAttempt(search="5eac", candidate="aaa", number=1, path="till.py", qualname="change", at=5.0)

some_tries = st.lists(
    st.builds(
        PastAttempt,
        search=st.sampled_from(["a", "b"]),
        candidate=st.just("c"),
        number=st.integers(min_value=1, max_value=1000),
        path=st.just("till.py"),
        qualname=st.sampled_from(["change", "largest_coin", "Till.open"]),
        at=st.sampled_from([1.0, 2.0, 3.0]),
        failure=st.sampled_from(["", "`tests`: KeyError: 'coin'", "`tests`: assert 1 == 2"]),
        passed=st.booleans(),
        cost=st.none() | st.floats(allow_nan=True, allow_infinity=False),
        score=st.none()
        | st.builds(
            Score,
            value=st.floats(allow_nan=False, allow_infinity=False),
            unit=st.just("tests"),
            source=st.just(""),
            maximize=st.booleans(),
        ),
    ),
    unique_by=lambda each: (each.search, each.number),
    max_size=30,
)


@given(some_tries, st.integers(min_value=-1, max_value=40), st.sampled_from(["cost", "score"]), st.randoms())
def test_the_best_come_first_unknown_ones_last(
    tries: list[PastAttempt], k: int, by: Literal["cost", "score"], luck: random.Random
) -> None:
    best = top(tries, k, by=by)
    assert len(best) == min(max(0, k), len(tries))
    assert best == top(luck.sample(tries, len(tries)), k, by=by)
    assert not any(later.passed and not earlier.passed for earlier, later in itertools.pairwise(best))
    for passed in (True, False):
        group = [each for each in best if each.passed is passed]
        values = [each.cost if by == "cost" else None if each.score is None else -each.score.merit for each in group]
        known = [value for value in values if value is not None and not math.isnan(value)]
        assert values[: len(known)] == known
        assert known == sorted(known)


def test_nothing_is_not_zero_whichever_way_counts() -> None:
    unknown = replace(TRY, passed=True, number=2)
    good, bad = (replace(TRY, passed=True, cost=cost, number=number) for number, cost in ((1, -3.0), (3, 4.0)))
    assert top([unknown, bad, good], 3) == (good, bad, unknown)
    for maximize in (True, False):
        score = Score(value=-3.0, unit="points", source="a judge", maximize=maximize)
        low, high = replace(unknown, number=4, score=score), replace(unknown, number=5, score=replace(score, value=4.0))
        ranked = top([unknown, low, high], 3, by="score")
        assert ranked == ((high, low, unknown) if maximize else (low, high, unknown))


@given(some_tries, st.randoms())
def test_the_newest_come_first_always(tries: list[PastAttempt], luck: random.Random) -> None:
    newest = recent(tries, len(tries))
    assert newest == recent(luck.sample(tries, len(tries)), len(tries))
    assert [each.at for each in newest] == sorted((each.at for each in tries), reverse=True)
    assert recent(tries, 2) == newest[:2]


async def alike(tries: Sequence[PastAttempt], text: str, k: int = 9) -> list[str]:
    return [each.candidate for each in await similar(tries, text, k)]


async def test_the_most_alike_shares_the_rarest_words() -> None:
    tries = [
        replace(TRY, candidate="key", failure="`tests`: KeyError: 'coin'", number=1),
        replace(TRY, candidate="loop", diff="-    while due > 1:\n+    while due >= 1:", number=2),
        replace(TRY, candidate="other", path="bank.py", qualname="lendMoney", failure="KeyError", number=3),
        replace(TRY, candidate="none", path="x.py", qualname="y", number=4),
    ]
    assert await alike(tries, "lend money") == ["other"]
    assert await alike(tries, "KeyError coin") == ["key", "other"]
    assert await alike(tries, "while", 1) == ["loop"]
    assert await alike(tries, "") == await alike([], "change") == await alike(tries, "no such word") == []


# True randoms draw nothing of Hypothesis within the task, which its end of an example would break: that task's
# traceback is then told wherever garbage is next collected, in the middle of others' work.
@pytest.mark.anyio
@given(
    tries=some_tries,
    text=st.sampled_from(["change", "KeyError coin", "Till"]),
    luck=st.randoms(use_true_random=True),
)
async def test_likeness_does_not_depend_on_order(tries: list[PastAttempt], text: str, luck: random.Random) -> None:
    found = await similar(tries, text, 5)
    assert found == await similar(luck.sample(tries, len(tries)), text, 5)
    wanted = set(words(text))
    assert all(wanted & set(words(f"{each.qualname} {each.failure} {each.path}")) for each in found)


def test_names_fall_apart_into_words() -> None:
    assert words("largest_coin(dueNow) != HTTPError2") == ["largest", "coin", "due", "now", "httperror2"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("tests/a.py::b: KeyError: 'x'", "KeyError"),
        ("json.decoder.JSONDecodeError: no", "JSONDecodeError"),
        ("assert [] == [50]", "AssertionError"),
        ("it was slow", ""),
    ],
)
def test_a_message_speaks_of_an_exception(message: str, kind: str) -> None:
    assert failed_with(message) == kind
