"""Larger calls keep what belongs together in the known call."""

from __future__ import annotations

from typing import Any

import pytest

from certo_builtin.speed.larger_calls import Growing


def grown(*arguments: str, factor: float = 8, seed: int = 3) -> list[Any]:
    """Return the arguments of a call at a larger size."""
    call = {"callee": "f", "receiver": None, "arguments": list(arguments), "named": {}, "is_property": False}
    return Growing(call, {}).values(factor, seed)[0]


def test_known_size_is_the_known_call() -> None:
    assert grown("[3, 1]", "'ab'", factor=1, seed=0) == [[3, 1], "ab"]


def test_lists_have_so_many_times_the_elements() -> None:
    [values] = grown("[3, 1, 2]")
    assert len(values) == 24
    assert len(set(values)) == 24


def test_order_is_kept() -> None:
    assert [values == sorted(values) for values in grown("[1, 2, 5]", "[3, 1, 2]")] == [True, False]
    [falling] = grown("[5, 2, 1]")
    assert falling == sorted(falling, reverse=True)


def test_repetitions_stay_repetitions() -> None:
    [values] = grown("['a', 'b', 'a']")
    assert len(set(values)) == 16


def test_keys_of_two_lists_still_match() -> None:
    orders, customers = grown("[{'by': 7}, {'by': 5}]", "[{'id': 5, 'name': 'Ann'}, {'id': 7, 'name': 'Bob'}]")
    assert {order["by"] for order in orders} == {customer["id"] for customer in customers}
    assert len({customer["name"] for customer in customers}) == 16


def test_graphs_stay_connected() -> None:
    [graph] = grown("{'a': ['b', 'c'], 'b': ['c'], 'c': []}", factor=64)
    assert {node for others in graph.values() for node in others} <= graph.keys()
    reached, new = {"a"}, ["a"]
    while new:
        new = [other for node in new for other in graph[node] if other not in reached]
        reached |= set(new)
    assert len(reached) > 6


@pytest.mark.parametrize(("arguments", "expected"), [(["10"], [80]), (["[1]", "10"], [8, 10]), (["''", "3"], [0, 24])])
def test_numbers_grow_only_alone(arguments: list[str], expected: list[int]) -> None:
    sizes = [value if isinstance(value, int) else len(value) for value in grown(*arguments, seed=0)]
    assert sizes == expected


def test_matrices_stay_rectangular() -> None:
    [rows] = grown("[[1, 2], [3, 4]]", factor=16)
    assert {len(row) for row in rows} == {8}
    assert len(rows) == 8
