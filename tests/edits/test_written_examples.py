"""Examples in the prose of a docstring are read where they leave no doubt, and nothing else is."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.examples import MAX_ITEMS, written_examples
from certo.edits.target import ByName, find_target

PLAIN = st.one_of(st.integers(), st.booleans(), st.none(), st.text(st.characters(codec="ascii"), max_size=8))
LITERALS = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=6)


def read(docstring: str, head: str = "def f(a, b=0):") -> list[tuple[str, str]]:
    """Return the examples in a stub's docstring: calls and the results they have to equal."""
    text = f'{head}\n    r"""{textwrap.indent(docstring, "    ")}\n    """\n    ...\n'
    found = written_examples(find_target(text, ByName("f"), path="m.py"))
    assert [one.id for one in found] == [f"example {number}" for number in range(1, len(found) + 1)]
    assert all(one.equals for one in found)
    return [(one.source.strip(), one.expected.strip()) for one in found]


@pytest.mark.parametrize("arrow", ["==", "=", "=>", "->", "-->", "➞", "→", "returns", "should return"])
def test_call_arrow_result_is_an_example(arrow: str) -> None:
    assert read(f"Add.\n\nf(2, [3]) {arrow} (5, 'x, y')") == [("f(2, [3])", "(5, 'x, y')")]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("f(1) => true # it is", ("f(1)", "True")),
        ("* f('a(') -> [] (nothing)", ("f('a(')", "[]")),
        ("In the end, f(1) returns 2.", ("f(1)", "2")),
        ("For a = 1, b = [2, 3], the output should be 4.", ("f(a = 1, b = [2, 3])", "4")),
        ("For a = 1, b = 9, which is odd, the result is 'no'", ("f(a = 1, b = 9)", "'no'")),
        ("Example 1:\n    Input: a = [1], b = 2\n    Output: 3 # 1 + 2", ("f(a = [1], b = 2)", "3")),
        ("Input: [1, 2], 3\nOutput: [1]", ("f([1, 2], 3)", "[1]")),
    ],
)
def test_values_for_all_parameters_are_an_example(prose: str, found: tuple[str, str]) -> None:
    """A result has to follow them."""
    assert read(prose) == [found]


@pytest.mark.parametrize(
    "prose",
    [
        "f(x) == 3",
        "f(1) == x",
        "f(2) = 1 + (2 / 2) = 2",
        "g.f(1) == 2",
        "elf(1) == 2",
        "f(1) is called first",
        "f(1, 2) -> 3 times",
        "For a = 1 the output should be 2",
        "For c = 1, b = 2 it depends",
        "f(1) == ''oops'",
        "f(1) == 2\n\n>>> f(3)\n4",
    ],
)
def test_what_leaves_doubt_is_none(prose: str) -> None:
    assert read(prose) == []


def test_methods_have_no_examples_and_docstrings_few() -> None:
    """No docstring gives more than the limit."""
    text = 'class C:\n    def f(self, a):\n        """f(1) == 2"""\n        ...\n'
    assert written_examples(find_target(text, ByName("C.f"), path="m.py")) == ()
    assert len(read("\n".join(f"f({number}) == {number}" for number in range(3 * MAX_ITEMS)))) == MAX_ITEMS


@given(st.tuples(LITERALS, LITERALS), LITERALS)
def test_every_literal_is_read_as_it_is(arguments: tuple[Any, Any], result: Any) -> None:
    shown = f"f({', '.join(map(repr, arguments))}) -> {result!r}"
    if '"""' in shown or ">>>" in shown:
        return
    ((call, expected),) = read(shown)
    assert ast.literal_eval(expected) == result
    assert ast.literal_eval(f"[{call[2:-1]}]") == list(arguments)
