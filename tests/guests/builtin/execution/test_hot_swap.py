"""Grafting and fuel: live functions take a candidate's code, and loops end by count."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from certo_builtin.execution.fuel import Meter, OutOfFuel
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.source import FUNCTIONS, Source

SOURCE = dedent(
    """
    import functools

    class Base:
        def greet(self):
            return "base"

    class Thing(Base):
        def greet(self):
            return super().greet() + "!"

        @property
        def size(self):
            return 1

        @staticmethod
        def half(n):
            return n // 2

    @functools.lru_cache(None)
    def cached(n):
        return n + 1

    def outer(n):
        def inner(k):
            return k * n
        return inner

    def spin():
        while True:
            pass
    """
)


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    place = tmp_path / "grafted.py"
    place.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("grafted", place)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["grafted"] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules["grafted"]


def put(name: str, old: str, new: str) -> HotSwap:
    """Swap in the last function of that name with one change."""
    source = Source(SOURCE)
    target = [one for one in ast.walk(source.tree) if isinstance(one, FUNCTIONS) and one.name == name][-1]
    hot_swap = HotSwap(source, "grafted.py", target)
    start = SOURCE.index(old, source.starts[target.lineno - 1])
    hot_swap.try_on([(start, start + len(old), new)])
    return hot_swap


@pytest.fixture(autouse=True)
def meter() -> Meter:
    fresh = Meter()
    fresh.fill(1000)
    return fresh


def test_method_with_super_keeps_its_cell(module: ModuleType) -> None:
    thing = module.Thing()
    put("greet", '"!"', '"?"')
    assert thing.greet() == "base?"


def test_properties_and_static_methods_are_swapped(module: ModuleType) -> None:
    put("size", "return 1", "return 2")
    put("half", "//", "-")
    assert module.Thing().size == 2
    assert module.Thing.half(9) == 7


def test_caches_forget_results_of_old_code(module: ModuleType) -> None:
    assert module.cached(1) == 2
    put("cached", "n + 1", "n + 5")
    assert module.cached(1) == 6


def test_a_name_bound_elsewhere_sees_the_graft(module: ModuleType) -> None:
    half = functools.partial(module.Thing.half, 8)
    put("half", "2", "4")
    assert half() == 2


def test_closures_take_the_new_code(module: ModuleType) -> None:
    """Those made before the swap and those made after it."""
    before = module.outer(3)
    put("inner", "k * n", "k - n")
    assert before(10) == 7
    assert module.outer(4)(10) == 6


def test_invalid_or_outside_edits_are_refused(module: ModuleType) -> None:
    with pytest.raises(SyntaxError):
        put("half", "//", "/ /")
    with pytest.raises(SyntaxError):
        put("half", "return n // 2", "return n\n    x = 1")
    assert module.Thing.half(8) == 4


def test_loop_ends_when_steps_are_spent(module: ModuleType, meter: Meter) -> None:
    put("spin", "pass", "continue")
    with pytest.raises(OutOfFuel):
        module.spin()
    assert meter.empty
    assert meter.used == 1000
