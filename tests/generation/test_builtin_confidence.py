"""How far examples speak for a body: more where they tell more, less where it takes more to say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.confidence import FEW_TRUTHS, cost_of, told_by

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.lists(values, max_size=5), values)
def test_one_more_result_tells_no_less(results: list[object], one: object) -> None:
    assert told_by([*results, one]) >= told_by(results) >= 0


@given(values)
def test_what_was_seen_before_tells_little(value: object) -> None:
    once = told_by([value])
    assert told_by([value] * 3) <= once + 2


@given(st.lists(st.booleans()))
def test_a_few_truth_values_tell_nothing(results: list[bool]) -> None:
    assert (told_by(results) == 0) is (len(results) <= FEW_TRUTHS)


def test_what_cannot_be_shown_or_has_no_end_tells_nothing() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise ValueError("no")

    endless: list[object] = []
    endless.append(endless)
    assert told_by([Shy(), endless, 2]) == told_by([2])


@pytest.mark.parametrize(
    ("code", "cost"),
    [
        ("words", 1),
        ("len(words)", 2),
        ("a + b", 3),
        ("sum(range(0, len(words) + 0))", 7),
        ("[x for x in xs if x > 0]", 7),
        ("import math\nreturn math.sqrt(x)", 3),
        ("0", 1),
    ],
)
def test_the_parts_of_a_body_are_counted(code: str, cost: int) -> None:
    assert cost_of(code) == cost


@given(values)
def test_a_body_that_is_the_result_explains_little(result: object) -> None:
    assert told_by([result]) / cost_of(repr(result)) < 3
