"""Evidence of examples for a body: it grows with their information and falls with the body's size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.synthesis.evidence import bits_in, cost_of

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


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
def test_body_equal_to_the_result_explains_little(result: object) -> None:
    assert bits_in(result) / cost_of(repr(result)) < 3
