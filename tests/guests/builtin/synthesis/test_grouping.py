"""Dictionaries that collect elements by a key: groups, counts, totals, indexes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.source import Source
from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.grouping import groupings
from certo_builtin.synthesis.insertion import imports_for
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.terms import ATOM

ONE = [Leaf("1", (1, 1), 1, ATOM, fixed=True)]
PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(-9, 9)), max_size=6)


def found(given: list[Any], wanted: list[Any]) -> list[Body]:
    """The bodies over `a` that explain two examples, the cheapest first."""
    return sorted(groupings([Leaf("a", tuple(given), 1, ATOM)], ONE, frozenset(), wanted))


def called(body: Body, argument: Any) -> Any:
    """Return the result of a body."""
    module: dict[str, Any] = {}
    lines = [*imports_for("\n".join(body.lines), Source("def f(a): ...\n")), *body.lines]
    exec("def f(a):\n    " + "\n    ".join(lines), module)
    return module["f"](argument)


@pytest.mark.parametrize(
    ("rows", "unseen"),
    [
        ([(["ab", "c", "de"], {2: ["ab", "de"], 1: ["c"]}), (["x"], {1: ["x"]})], (["y", "z"], {1: ["y", "z"]})),
        ([("a b a", {"a": 2, "b": 1}), ("x", {"x": 1})], ("c d d", {"c": 1, "d": 2})),
        ([([("a", 1), ("b", 2), ("a", 3)], {"a": 4, "b": 2}), ([], {})], ([("c", 5), ("c", 6)], {"c": 11})),
        ([({"a": 1, "b": 2}, {1: "a", 2: "b"}), ({"x": "y"}, {"y": "x"})], ({"k": 0}, {0: "k"})),
    ],
    ids=["groups", "counts", "totals", "inverted"],
)
def test_grouping_by_a_key_is_found(rows: list[tuple[Any, Any]], unseen: tuple[Any, Any]) -> None:
    body = found([one for one, _ in rows], [want for _, want in rows])[0]
    for argument, want in [*rows, unseen]:
        assert called(body, argument) == want, body


@pytest.mark.parametrize("together", [list, sum, lambda values: values[-1]])
@given(first=PAIRS, second=PAIRS)
def test_every_body_satisfies_the_examples(
    together: Callable[[list[int]], Any], first: list[Any], second: list[Any]
) -> None:
    wanted = []
    for pairs in (first, second):
        groups: dict[str, list[int]] = {}
        for key, value in pairs:
            groups.setdefault(key, []).append(value)
        wanted.append({key: together(values) for key, values in groups.items()})
    bodies = found([first, second], wanted)
    assert bodies or len(first) + len(second) < 2
    for body in bodies[:40]:
        assert [called(body, first), called(body, second)] == wanted, body


def test_results_other_than_mappings_are_skipped() -> None:
    assert found([["a"], ["b", "c"]], [{"a": 1}, 2]) == []
