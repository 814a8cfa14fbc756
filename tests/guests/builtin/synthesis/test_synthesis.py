"""Synthesis: examples by probing, enumeration up to behaviour, and writing into a hole."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo_builtin.source import FUNCTIONS, Source, applied
from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.expected_values import Probe, Unknown, Unseen
from certo_builtin.synthesis.expressions import Setting, expressions
from certo_builtin.synthesis.insertion import filled, imports_for
from certo_builtin.synthesis.space import CONSTANTS
from certo_builtin.synthesis.synthesis import careful
from certo_builtin.synthesis.terms import ATOM, PRODUCT, agrees


def first_expression(rows: list[tuple[tuple[Any, ...], Any]], words: str = "") -> str | None:
    """The first expression over a, b, … that explains the rows."""
    columns = list(zip(*(arguments for arguments, _ in rows), strict=True))
    leaves = [Leaf(name, tuple(column), 1, ATOM) for name, column in zip("abc", columns, strict=False)]
    constants = [
        Leaf(repr(value), (value,) * len(rows), cost, PRODUCT if value == -1 else ATOM) for value, cost in CONSTANTS
    ]
    expected = [want for _, want in rows]
    return next(expressions(Setting(leaves, constants, [], frozenset(words.split()), expected)), None)


@pytest.mark.usual_cases("rows1-unseen1", "rows2-unseen2", "rows3-unseen3", "rows5-unseen5")
@pytest.mark.parametrize(
    ("rows", "unseen"),
    [
        ([((2, 3), 6), ((4, 5), 20)], ((7, 8), 56)),
        ([(("ab",), "BA"), (("xyz",), "ZYX")], (("pq",), "QP")),
        ([((["a", "bb"],), 3), ((["ccc"],), 3), (([],), 0)], ((["x", "yyyy"],), 5)),
        ([((5, 2), 5), ((1, 7), 7), ((0, -1), 0)], ((3, 9), 9)),
        ([((4,), "even"), ((7,), "odd"), ((0,), "even"), ((9,), "odd")], None),
        ([(([1, -2, 3, -4],), [1, 3]), (([-1],), []), (([5, 6],), [5, 6])], (([-7, 8],), [8])),
    ],
)
def test_expressions_hold_on_unseen_inputs(rows: list[Any], unseen: Any) -> None:
    found = first_expression(rows)
    if unseen is None:
        assert found is None or all(eval(found, {"a": arguments[0]}) == want for arguments, want in rows)
        return
    assert found is not None
    arguments, want = unseen
    assert eval(found, dict(zip("abc", arguments, strict=False))) == want


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=4))
def test_terms_evaluate_as_written_and_differ(rows: list[tuple[int, int]]) -> None:
    leaves = [Leaf(name, tuple(row[place] for row in rows), 1, ATOM) for place, name in enumerate("ab")]
    space = Enumeration(leaves, frozenset(), (), Tries(1500))
    for cost in range(1, 6):
        for _ in space.grow(cost):
            pass
    import collections
    import math

    terms = list(space.terms())
    assert len({repr([(type(one), one) for one in term.values]) for term in terms}) == len(terms)
    for term in terms:
        for (a, b), value in zip(rows, term.values, strict=True):
            got = eval(term.text, {"a": a, "b": b, "math": math, "collections": collections})
            assert got == value


def test_unknown_records_its_comparisons() -> None:
    probe = Probe()
    result = probe(([1, 2],))
    assert isinstance(result, Unknown)
    assert [result] == [7]
    assert probe.calls[0].expected == 7
    assert probe.calls[0].arguments == ([1, 2],)
    with pytest.raises(Unseen):
        assert result
    other = probe((0,))
    assert abs(other - 1.5) < 0.1
    assert probe.calls[1].expected == 1.5
    near = probe((0,))
    assert near == pytest.approx(2.5)
    assert probe.calls[2].expected == 2.5


def test_guesses_enumerate_the_last_unknown_call() -> None:
    probe = Probe()
    probe(())
    answers = []
    while probe.guess_on():
        probe.calls = []
        answers.append(probe(()))
    assert answers == [True, False, None]


@pytest.mark.parametrize("use", [lambda one: one >= 0, lambda one: one + 1, lambda one: one < 3, lambda one: [7][one]])
def test_ordered_or_computed_results_are_not_booleans(use: Callable[[Any], object]) -> None:
    probe = Probe()
    with pytest.raises(Unseen):
        use(probe(()))
    assert not probe.guess_on()


@pytest.mark.parametrize(
    ("value", "expected", "right"),
    [(1, 1, True), (1, True, False), (1.0, 1, False), (1, 1.0, True), (0.1 + 0.2, 0.3, True), ([1], (1,), False)],
)
def test_answer_has_the_wanted_type(value: object, expected: object, right: bool) -> None:
    assert agrees(value, expected) is right


@pytest.mark.parametrize(
    ("hole", "written"),
    [
        ("def f(a):\n    ...\n", "def f(a):\n    import math\n    return a\n"),
        ("def f(a): ...", "def f(a):\n    import math\n    return a"),
        ('def f(a):\r\n\t"""Doc."""\r\n', 'def f(a):\r\n\t"""Doc."""\r\n\timport math\r\n\treturn a\r\n'),
        (
            'class A:\n  def f(a):\n    """Doc."""\n    # TODO\n    raise NotImplementedError',
            'class A:\n  def f(a):\n    """Doc."""\n    # TODO\n    import math\n    return a',
        ),
    ],
)
def test_hole_is_filled_in_the_files_style(hole: str, written: str) -> None:
    source = Source(hole)
    target = next(node for node in ast.walk(source.tree) if isinstance(node, FUNCTIONS))
    assert applied(hole, filled(source, target, ["import math", "return a"])) == written


def test_only_missing_modules_are_imported() -> None:
    source = Source("import math\n\ndef f(a): ...")
    assert imports_for("math.floor(collections.Counter(a)[0])", source) == ["import collections"]


def test_reading_words_ends_no_search() -> None:
    assert careful(lambda: 1) == 1
    assert careful(lambda: int("six")) is None
