"""What an edit does is said in the words of Python's parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.kinds import kind_of_edit

BEFORE = "def f(x):\n    y = x + 1\n    return y\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return y", "if y:\n        return 0\n    return y", "adds a condition and a return"),
        ("    y = x + 1\n    return y", "    return x + 1", "drops an assignment"),
        ("x + 1", "sum(v for v in x)", "adds a comprehension and a call and drops arithmetic"),
        ("+", "-", "changes an operator"),
        ("1", "2", "changes a constant"),
        ("return y", "return x", "changes a name"),
        ("x + 1", "1 + x", "changes the order"),
        ("x + 1", "x  +  1", "changes the layout alone"),
        ("return y", "return (", "writes what does not parse"),
    ],
)
def test_an_edit_is_named_by_what_it_adds_drops_or_changes(old: str, new: str, said: str) -> None:
    assert kind_of_edit(BEFORE, BEFORE.replace(old, new)) == said


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_the_texts_are_something_short_is_said(before: str, after: str) -> None:
    assert 0 < len(kind_of_edit(before, after)) < 200
