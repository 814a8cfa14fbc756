"""Edits are described by the parts of Python's syntax that they add, drop or change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.analysis.edit_kinds import kind_of_change, kind_of_edit
from certo.vocabulary.text import Span

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
def test_edits_are_described_by_changed_syntax(old: str, new: str, said: str) -> None:
    assert kind_of_edit(BEFORE, BEFORE.replace(old, new)) == said


def test_only_lines_of_the_method_are_parsed() -> None:
    base = "def broken(:\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self): pass\n"
    span = Span(base.index("def f"), base.index("1\n") + 1)
    for new, said in (("2", "changes a constant"), ("'''\nx'''", "changes a constant"), ("g()", "adds a call")):
        assert kind_of_change(base, base.replace("return 1", f"return {new}"), span) == said


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_texts_get_a_short_description(before: str, after: str) -> None:
    assert 0 < len(kind_of_edit(before, after)) < 200
