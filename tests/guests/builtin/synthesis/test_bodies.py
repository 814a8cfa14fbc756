"""Bodies: each way of finding one, on the smallest example that needs it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo_builtin.synthesis.bodies import bodies
from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import stems
from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries, bare, partly
from certo_builtin.synthesis.expected_values import Probe, Unseen, looked_through
from certo_builtin.synthesis.expressions import Setting
from certo_builtin.synthesis.folds import folds
from certo_builtin.synthesis.formulas import interpolated, polynomials, recurrences
from certo_builtin.synthesis.goals import Goals
from certo_builtin.synthesis.loops import Body, assigned
from certo_builtin.synthesis.space import CONSTANTS
from certo_builtin.synthesis.synthesis import result_when_empty
from certo_builtin.synthesis.terms import ATOM, MISSING, PRODUCT, Near, Term, agrees, kinds_of
from certo_builtin.synthesis.unused_hints import UnusedHints

Rows = list[tuple[tuple[Any, ...], Any]]
TRIES = 20000


def setting_of(rows: Rows, words: str = "") -> Setting:
    """Return the setting of examples over a, b, …, with the usual constants."""
    columns = list(zip(*(arguments for arguments, _ in rows), strict=True))
    leaves = [Leaf(name, tuple(column), 1, ATOM, asked=True) for name, column in zip("abc", columns, strict=False)]
    constants = [
        Leaf(repr(value), (value,) * len(rows), cost, PRODUCT if value == -1 else ATOM, fixed=True)
        for value, cost in CONSTANTS
    ]
    return Setting(leaves, constants, [], frozenset(words.split()), [want for _, want in rows])


def function_of(body: Body, parameters: str) -> Callable[..., Any]:
    """Return the function with such a body."""
    module: dict[str, Any] = {"math": math, "statistics": statistics}
    exec(f"def f({parameters}):\n    " + "\n    ".join(body.lines), module)
    function: Callable[..., Any] = module["f"]
    return function


@pytest.mark.usual_cases(
    "met in the middle",
    "displayed",
    "mapped",
    "nested",
    "the key of the highest",
    "guarded",
    "compared",
    "summed where it holds",
)
@pytest.mark.parametrize(
    ("rows", "words", "unseen"),
    [
        pytest.param([(("b a",), "b_a"), (("c d e",), "c_d_e")], "", [(("x y",), "x_y")], id="joined"),
        pytest.param([(([3, 1],), [9, 1]), (([2, -4],), [4, 16])], "", [(([5],), [25])], id="mapped"),
        pytest.param([(([3, -1, 8],), [6, 16]), (([-2, 5],), [10])], "", [(([0, 4],), [8])], id="filtered and mapped"),
        pytest.param([(("ab", "bca"), False), (("abc", "cabb"), True)], "same", [(("xy", "yx"), True)], id="compared"),
        pytest.param([(([4, 9, 2],), (2, 9)), (([7, 5],), (5, 7))], "", [(([1, 8, 3],), (1, 8))], id="displayed"),
        pytest.param(
            [(([[1, 5], [2, 7]],), [6, 9]), (([[0, 4]],), [4])], "sum", [(([[2, 2], [1]],), [4, 1])], id="nested"
        ),
        pytest.param(
            [(([4, 9, 2],), 9), (([],), None), (([7, 5],), 7), (([3],), 3)], "maximum", [(([],), None)], id="guarded"
        ),
        pytest.param(
            [((5, 2), 5 * 7 - 2), ((3, 9), 3 * 7 - 9), ((4, 4), 24)], "seven", [((1, 1), 6)], id="met in the middle"
        ),
        pytest.param(
            [(([1, 2, 3, 4],), 4), (([5, 6],), 5), (([8, 7, 2],), 7)],
            "sum odd",
            [(([2, 9, 1],), 10)],
            id="summed where it holds",
        ),
        pytest.param(
            [((("a", 4, "b"),), "a-4-b"), (((1, "x"),), "1-x")], "delimiter", [(((7, 8, "y"),), "7-8-y")], id="mixed"
        ),
        pytest.param(
            [(([[1, 2, 3], [2, 3], [5, 3, 2]],), {2, 3}), (([[9], [9, 1]],), {9})],
            "common",
            [(([[4, 6], [7, 6], [6]],), {6})],
            id="in all of them",
        ),
        pytest.param(
            [((6, 3), 2.0), ((7, 2), 3.5), ((1, 0), None), ((9, 0), None)],
            "divide",
            [((5, 0), None), ((1, 4), 0.25)],
            id="guarded by zero",
        ),
        pytest.param(
            [(({"ann": 3, "bob": 7},), "bob"), (({"x": 9, "y": 1, "z": 4},), "x")],
            "highest",
            [(({"p": 1, "q": 2},), "q")],
            id="the key of the highest",
        ),
        pytest.param(
            [((25, 55, 65), 55.0), ((20, 10, 30), 20.0), ((15, 45, 75), 45.0)],
            "median three",
            [((9, 2, 1), 2)],
            id="as good as a float",
        ),
    ],
)
def test_body_holds_on_unseen_inputs(rows: Rows, words: str, unseen: Rows) -> None:
    setting = setting_of(rows, words)
    if "seven" in words:
        setting.constants.append(Leaf("7", (7,) * len(rows), 2, ATOM, fixed=True))
    body = next(bodies(setting, TRIES))
    function = function_of(body, ", ".join(leaf.text for leaf in setting.leaves))
    for arguments, want in [*rows, *unseen]:
        assert function(*arguments) == want, body


def test_bodies_come_by_cost_and_repeatably() -> None:
    setting = setting_of([((2, 3), 6), ((4, 5), 20)])
    found = list(bodies(setting, 4000))
    assert found == list(bodies(setting, 4000))
    assert found[0].lines == ("return a * b",)
    assert [body.cost for body in found] == sorted(body.cost for body in found)


def test_accidental_constant_is_not_a_constant() -> None:
    """A term whose values happen to be equal on all examples is not taken for one."""
    rows: Rows = [(([2, 1, 5],), 4), (([1, 9],), 8), (([3, 1],), 2)]
    found = [body.lines for body in bodies(setting_of(rows, "maximum difference"), 8000)]
    assert ("return max(a) - 1",) in found
    assert ("return max(a) - min(a)",) in found


def test_unused_parameter_has_a_cost() -> None:
    rows: Rows = [((1, 2), 1), ((0, 3), 0)]
    assert next(bodies(setting_of(rows), 4000)).lines == ("return a",)
    assert next(bodies(setting_of(rows, "minimum"), 4000)).lines == ("return min(a, b)",)


def test_fold_carries_a_result_through_a_loop() -> None:
    rows: Rows = [((6,), "20"), ((5,), "12"), ((9,), "100"), ((34,), "1021")]
    setting = setting_of(rows)
    base = Leaf("3", (3,) * len(rows), 2, ATOM, fixed=True)
    body = min(folds(setting.leaves, [base], frozenset({"digit"}), setting.expected))
    assert body.lines[1] == "while a > 0:"
    function = function_of(body, "a")
    assert [function(number) for number in (6, 12, 33)] == ["20", "110", "1020"]


def test_a_fold_may_count_its_best_result() -> None:
    rows: Rows = [(([1, -2, 3, 4],), 7), (([-1, 5, -9, 2],), 5), (([2, 2, -1, 3],), 6), (([5, -1, 5, -20, 3],), 9)]
    setting = setting_of(rows)
    body = min(folds(setting.leaves, setting.constants, frozenset({"max"}), setting.expected))
    assert function_of(body, "a")([4, -9, 3, 3, -1, 2]) == 7


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("result + x", "result += x"),
        ("result + [x]", "result.append(x)"),
        ("x - result", "result = x - result"),
        ("max(result, x)", "result = max(result, x)"),
    ],
)
def test_a_step_is_written_as_one_would(text: str, statement: str) -> None:
    assert assigned(text) == statement


def test_recurrence_is_found_from_few_members() -> None:
    places = (3, 6, 9)
    body = next(recurrences([Leaf("n", places, 1, ATOM)], [4, 18, 76]))
    assert [function_of(body, "n")(n) for n in range(7)] == [2, 1, 3, 4, 7, 11, 18]


def test_recurrence_may_sum_four_members() -> None:
    members = [0, 0, 2, 0, 2, 4, 8, 14, 28, 54]
    numbers = (3, 5, 6, 7)
    leaf = Leaf("n", numbers, 1, ATOM)
    body = next(recurrences([leaf], [members[number] for number in numbers]))
    assert body.lines[2] == "    a, b, c, d = b, c, d, a + b + c + d"
    assert [function_of(body, "n")(number) for number in range(10)] == members


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.lists(st.integers(-20, 20), unique=True, min_size=4))
def test_a_polynomial_is_told_by_its_values(coefficients: list[int], places: list[int]) -> None:
    values = [sum(factor * place**power for power, factor in enumerate(coefficients)) for place in places]
    found = interpolated(places, values)
    padded = [*coefficients, *[0] * (len(found) - len(coefficients))]
    assert found == [Fraction(factor) for factor in padded]


def test_odd_coefficients_make_no_polynomial() -> None:
    leaf = Leaf("n", (1, 2, 3), 1, ATOM)
    assert [body.lines for body in polynomials([leaf], [1, 3, 6])] == [("return (n ** 2 + n) // 2",)]
    assert list(polynomials([leaf], [1, 977, 12])) == []


def test_goals_lead_back_to_what_was_wanted() -> None:
    goals = Goals.of(["a b", "c d"])
    pieces = (["a", "b"], ["c", "d"])
    reached = list(goals.reached(Term("words", pieces, 2, ATOM, kinds_of(pieces))))
    assert [answer.text for answer in reached] == ["' '.join(words)"]


def test_missing_values_are_allowed_where_excused() -> None:
    rows = [[1, 2], []]
    assert partly(max, [rows], frozenset({1})) == (2, MISSING)
    assert partly(max, [rows], frozenset({0})) is None
    space = Enumeration([Leaf("a", tuple(rows), 1, ATOM)], frozenset(), (), Tries(2000), frozenset({1}))
    for cost in range(1, 4):
        for term in space.grow(cost):
            assert term.partial == any(value is MISSING for value in term.values)
    assert any(term.partial for term in space.terms())


def test_no_list_is_built_to_be_iterated() -> None:
    assert bare("list(zip(a, b))") == "zip(a, b)"
    assert bare("list(a) + list(b)") == "list(a) + list(b)"


def test_every_component_says_what_it_takes() -> None:
    for component in COMPONENTS:
        places = {place for place in range(4) if f"{{{place}}}" in component.text}
        assert places == set(range(len(component.takes))) == set(range(len(component.needs))), component.text


def test_checks_may_call_something_on_results() -> None:
    probe = Probe()
    with pytest.raises(Unseen):
        set(probe((1,)))
    assert probe.calls[0].handed_on
    with looked_through():
        assert set(probe((2,))) == {1, 2}
        assert sorted(probe((3,))) == [1, 2]
        assert math.isclose(probe((4,)), 2.5, rel_tol=0.1)
        assert isinstance([], list)
        assert not isinstance((), list)
    assert [call.expected for call in probe.calls[1:]] == [{1, 2}, [1, 2], 2.5]
    assert sorted([2, 1]) == [1, 2]


def test_words_ask_for_what_answers_to_them() -> None:
    hints = UnusedHints(frozenset({"n"}), stems("how many primes are there below n"), COMPONENTS)
    assert set(hints.answers) == stems("prime below")
    silent, speaking = "n // 2", "n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))"
    assert hints.answered(silent) < hints.answered(f"({speaking})") < 1
    assert hints.cost("1") > hints.cost(silent)


def test_a_number_may_be_wanted_only_roughly() -> None:
    wanted = Near.within(314.15, 0.001)
    assert agrees(314.159, wanted)
    assert not agrees(315.0, wanted)
    assert not agrees("314.15", wanted)


@pytest.mark.parametrize(
    ("prose", "value"),
    [
        ("The longest of them. Return None in case the input list is empty.", "None"),
        ("If the text is an empty string, return 0.", "0"),
        ("Sorts. When there are none,\nan empty list for an empty list.", None),
        ("Returns an empty list if the numbers are empty.", "[]"),
        ("Returns the list.", None),
    ],
)
def test_docstring_may_state_result_when_empty(prose: str, value: str | None) -> None:
    assert result_when_empty(prose) == value


def test_stated_empty_result_comes_first() -> None:
    setting = setting_of([((["a", "bb"],), "bb"), ((["ccc", "d"],), "ccc")], "longest")
    body = next(bodies(setting._replace(when_empty="None"), TRIES))
    assert body.lines[:2] == ("if not a:", "    return None")
    assert function_of(body, "a")([]) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text("ab 1,", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.tuples(VALUES, VALUES), VALUES), min_size=1, max_size=4))
def test_odd_examples_can_be_searched(rows: Rows) -> None:
    for body in bodies(setting_of(rows), 400):
        assert body.lines[-1].startswith("return ")
