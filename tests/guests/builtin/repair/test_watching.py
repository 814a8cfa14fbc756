"""Observation of the code under repair while a check runs, by a trace function and by `sys.monitoring`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import certo_builtin
import certo_worker
from certo_builtin.repair.fault_localization import Watch
from support.projects.python_matrix import find_python


class Box:
    """An object of the project."""

    def __init__(self) -> None:
        self.width = 3


def watched(n: int, box: Box) -> int:
    total = 0
    for i in range(n):
        total += i
    if n > 1000:
        total = -1
    return total + box.width


def check() -> bool:
    return watched(4, Box()) == 9 and watched(10, Box()) == 48


@pytest.fixture(params=["as this Python does it", "by a trace function"])
def watch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Watch:
    if request.param == "by a trace function":
        monkeypatch.delattr(sys, "monitoring", raising=False)
    return Watch([watched.__code__], 100)


def test_lines_types_attributes_and_literals_are_seen(watch: Watch) -> None:
    assert watch.run(check) is True
    first = watched.__code__.co_firstlineno + 100
    assert watch.lines - {first} == {first + offset for offset in (1, 2, 3, 4, 6)}
    assert {("watched", "total", "int"), ("watched", "n", "int"), ("watched", "box", "Box")} <= watch.kinds
    assert ("watched", "box.width", "int") in watch.kinds
    assert watch.attributes == {("Box", "width")}
    assert [literal for literal in (4, 9, 10, 48) if literal in watch.literals] == [4, 9, 10, 48]


def test_long_loop_is_sampled_with_all_lines(watch: Watch) -> None:
    assert watch.run(lambda: watched(5000, Box())) == 2
    assert watched.__code__.co_firstlineno + 105 in watch.lines
    assert ("watched", "total", "int") in watch.kinds


def raising(watch: Watch) -> Callable[[], None]:
    def work() -> None:
        watched(2, Box())
        raise ValueError

    return work


def test_observation_ends_with_its_block(watch: Watch) -> None:
    before = sys.gettrace()
    with pytest.raises(ValueError, match=r"^$"):
        watch.run(raising(watch))
    assert sys.gettrace() is before
    seen = watch.events
    watched(3, Box())
    assert watch.events == seen


MONITORED = dedent(
    """
    import json, sys
    from certo_builtin.repair.fault_localization import Watch

    def watched(n):
        total = 0
        for i in range(n):
            total += i
        return total

    watch = Watch([watched.__code__], 0)
    assert watch.run(lambda: watched(5000) == 12497500)
    left = [sys.monitoring.get_tool(one) for one in range(6)]
    print(json.dumps([watch.events < 1000, len(watch.lines) >= 4, sorted(watch.kinds), watch.literals, left]))
    """
)


def test_monitoring_samples_long_loops_alike() -> None:
    """It sees the same, and not each iteration of a long loop."""
    homes = os.pathsep.join(str(Path(one.__file__).parents[1]) for one in (certo_builtin, certo_worker))
    command = [str(find_python((3, 12))), "-c", MONITORED]
    done = subprocess.run(command, env={"PYTHONPATH": homes}, capture_output=True, text=True, check=True)
    kinds = [["watched", name, "int"] for name in ("i", "n", "total")]
    assert json.loads(done.stdout) == [True, True, kinds, [5000, 12497500], [None] * 6]
