"""Reading the examples that a user gives besides those in the docstring."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.examples import example_that, examples_in
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.guidance import Example

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


def test_equalities_are_split_as_written() -> None:
    assert examples_in("  total([1, 2])  ==  'a' + \"b\" ", after=2) == (
        Example(id="example 3", source="total([1, 2])\n", expected="'a' + \"b\"\n", equals=True),
    )
    (lines,) = examples_in("(total([1,\n  2])\n == 3)")
    assert lines.sentence == "total([1, 2]) == 3"


def test_doctest_lines_are_consecutive_examples() -> None:
    """Each line is an example that builds on the ones before."""
    first, second = examples_in("    >>> basket = Basket(\n    ...     3)\n    >>> basket.total()\n    3\n", after=1)
    assert first == Example(id="example 2", source="basket = Basket(\n    3)\n", expected="")
    assert second == Example(id="example 3", source="basket.total()\n", expected="3\n")
    assert first.sentence == ">>> basket = Basket(\n...     3)"
    assert second.sentence == ">>> basket.total()\n3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("total([1, 2] == 3", "cannot be read: '(' was never closed"),
        ("total([1]) = 1", "cannot be read: "),
        ("", "cannot be read: "),
        ("(" * 500, "cannot be read: "),
        ("-" * 9000 + "1 == 1", "cannot be read: it is nested too deeply"),
        ("total([1])\0 == 1", "cannot be read: "),
        ("total([1]) > 0", "does not say what is expected"),
        ("0 < total([1]) == 1", "does not say what is expected"),
        (">>> total([1])", "does not say what is expected"),
        (">>> total([1]", "cannot be read: '(' was never closed"),
        (">>>total([1])\n1", "cannot be read: "),
    ],
)
def test_invalid_examples_are_quoted_and_refused(text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        examples_in(text)
    assert repr(text.strip())[:100] in str(refusal.value)
    assert said in str(refusal.value)
    assert "as `total([1, 2]) == 3`" in str(refusal.value)


@pytest.mark.parametrize(("call", "expected"), [("total(", "3"), ("total([])", "="), ("x = 1", "1"), ("1", "")])
def test_both_sides_have_to_be_expressions(call: str, expected: str) -> None:
    with pytest.raises(BadSetting, match="cannot be read"):
        example_that(call, expected, number=1)


@given(VALUES, VALUES)
def test_nothing_is_lost_of_either_side(argument: object, value: object) -> None:
    (found,) = examples_in(f"f({argument!r}) == {value!r}")
    assert found == example_that(f"f({argument!r})", repr(value), number=1)
    assert ast.literal_eval(found.expected.strip()) == value
    assert ast.dump(ast.parse(found.sentence)) == ast.dump(ast.parse(f"f({argument!r}) == {value!r}"))
