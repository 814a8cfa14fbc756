"""Simpler values are expressions of the same kind, each shorter than the one before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.simpler_values import simpler

PLAIN = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=6) | st.binary(max_size=4)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_simpler_values_get_no_longer(value: object) -> None:
    """So simplification comes to an end."""
    text = repr(value)
    for _ in range(200):
        changed = list(simpler(text))
        if not changed:
            return
        assert all((len(one), one) < (len(text), text) for one in changed)
        assert all(isinstance(eval(one), type(value)) for one in changed)
        text = changed[0]
    pytest.fail(f"{text} can still be made simpler")


def test_floats_without_literal_give_no_source() -> None:
    """Infinity and NaN have no literal."""
    for text in ("float('inf')", "[float('nan'), 1]"):
        for changed in simpler(text):
            eval(changed)
