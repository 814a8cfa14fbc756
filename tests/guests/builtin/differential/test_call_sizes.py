"""Sizes that no call came back from are not tried again, and they grow only from those that it did."""

from __future__ import annotations

from typing import Any

from certo_builtin.differential.call_sizes import CallSizes
from certo_builtin.differential.calls import source_of


def call(*arguments: str) -> dict[str, Any]:
    return {"callee": "f", "receiver": None, "arguments": list(arguments), "named": {}, "is_property": False}


def test_larger_calls_than_endless_ones_are_hopeless() -> None:
    sizes = CallSizes()
    sizes.learn(call("10", "200"), has_ended=True)
    sizes.learn(call("100", "3"), has_ended=False)
    assert [sizes.is_hopeless(call(text, "500")) for text in ("11", "-99", "100", "1000")] == [False, False, True, True]


def test_small_calls_are_never_hopeless() -> None:
    sizes = CallSizes()
    sizes.learn(call("1"), has_ended=False)
    sizes.learn(call("8"), has_ended=False)
    assert not sizes.is_hopeless(call("8"))


def test_an_ended_call_lifts_the_limit() -> None:
    sizes = CallSizes()
    sizes.learn(call("[1, 2]", "50"), has_ended=False)
    sizes.learn(call("[1, 2, 3]", "60"), has_ended=True)
    assert not sizes.is_hopeless(call("[]", "55"))


def test_sizes_grow_from_those_that_ended() -> None:
    sizes = CallSizes()
    sizes.learn(call("12"), has_ended=True)
    sizes.learn(call("100"), has_ended=False)
    assert list(map(source_of, sizes.grown())) == ["f(13)", "f(14)", "f(15)"]
