"""The main job on a project laid out as real ones are: `certo generate --apply`, with the built-in generator."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project

ORDERS = '''\
"""Orders of the café — prices in €."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from .money import rounded


def logged(function):
    """Count the calls of a function."""

    @functools.wraps(function)
    def counted(*args, **kwargs):
        counted.calls += 1
        return function(*args, **kwargs)

    counted.calls = 0
    return counted


@dataclass
class Order:
    """What one table has ordered."""

    prices: list[float] = field(default_factory=list)

    def add(self, price: float, times: int = 1) -> None:
        """Put a price on the bill, so many times."""
        for _ in range(times - 1):  # naïve, but wrong
            self.prices.append(price)

    @property
    def empty(self) -> bool:
        """Whether nothing was ordered."""
        return len(self.prices) != 0

    @staticmethod
    def tip(total: float, percent: int) -> float:
        """The tip on a total."""
        return rounded(total * percent / 10)


@logged
def cheapest(prices: list[float], fallback: float) -> float:
    """The lowest price, or the fallback when there is none."""
    if not prices:
        return prices
    return min(prices)


def by_size(orders: list[Order]):
    """The orders, largest first."""

    def size(order: Order) -> int:
        return len(order.prices)

    return sorted(orders, key=size)


async def served(order: Order, table: int, guests: int) -> str:
    """What the waiter says."""
    return "{} for table {}".format(table, guests)
'''

MONEY = '"""Money."""\n\n\ndef rounded(amount: float) -> float:\n    return round(amount, 2)\n'

CONFTEST = """\
import pytest

from café.orders import Order


@pytest.fixture
def order():
    return Order(prices=[2.5, 3.0])
"""

TESTS = """\
import asyncio

import pytest

from café.orders import Order, by_size, cheapest, served


def test_add_once(order):
    order.add(1.0)
    assert order.prices == [2.5, 3.0, 1.0]


def test_add_twice(order):
    order.add(1.0, 2)
    assert len(order.prices) == 4


def test_empty(order):
    assert not order.empty
    assert Order().empty


@pytest.mark.parametrize(("total", "percent", "expected"), [(50, 10, 5), (20, 5, 1), (0, 10, 0)])
def test_tip(total, percent, expected):
    assert Order.tip(total, percent) == expected


def test_cheapest():
    assert cheapest([3, 1, 2], 9) == 1


def test_cheapest_of_none():
    assert cheapest([], 9) == 9


def test_by_size(order):
    assert by_size([Order(), order]) == [order, Order()]


def test_served(order):
    assert asyncio.run(served(order, 4, 2)) == "2 for table 4"
"""

PYPROJECT = """\
[project]
name = "café"
version = "1"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
addopts = "-q"
"""

TARGETS = {
    "a method that needs a fixture": "Order.add",
    "a property": "Order.empty",
    "a static method": "Order.tip",
    "under a decorator": "cheapest",
    "around a nested function": "by_size",
    "an async function": "served",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "pyproject.toml": PYPROJECT,
        "src/café/__init__.py": "",
        "src/café/money.py": MONEY,
        "src/café/orders.py": ORDERS,
        "tests/conftest.py": CONFTEST,
        "tests/test_orders.py": TESTS,
    }
    return write_project(tmp_path / "the project", files)


def generate(root: Path, target: str) -> tuple[int, list[dict[str, Any]], str]:
    """Run `certo generate --apply --json` in a project; return the exit code, the events and standard error."""
    command = [sys.executable, "-m", "certo", "generate", target, "--apply", "--json"]
    ran = subprocess.run(
        command, cwd=root, env=bare_environ(), capture_output=True, text=True, timeout=100, check=False
    )
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


def repaired(root: Path, path: str, target: str) -> tuple[bytes, bytes]:
    """Repair a target in place, check that no other file changed, and return the file before and after."""
    before = files_of(root)
    code, events, said = generate(root, f"{path}::{target}")
    assert code == 0, said
    last = events[-1]
    assert last["verified"]
    after = files_of(root)
    assert {name for name in after if after[name] != before.get(name)} == {root / path}
    assert after[root / path].decode("utf-8") == last["winner"]["source"]
    return before[root / path], after[root / path]


def files_of(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target(root, target):
    assert_little_changed(*repaired(root, "src/café/orders.py", target))


def assert_little_changed(before: bytes, after: bytes) -> None:
    """Hold that one line was changed at most, and few were added."""
    old, new = before.splitlines(), after.splitlines()
    changed = [line for line in old if line not in new]
    assert len(changed) <= 1
    assert len(new) <= len(old) + 2


@pytest.mark.slow
def test_windows_line_endings_stay(root):
    """With the target that differs most from others, an async function, for all of them in the usual run."""
    source = root / "src/café/orders.py"
    source.write_bytes(ORDERS.replace("\n", "\r\n").encode())
    before, after = repaired(root, "src/café/orders.py", "served")
    assert after.count(b"\n") == after.count(b"\r\n") > 60
    assert_little_changed(before, after)


@pytest.mark.slow
def test_missing_last_newline_stays_missing(root):
    source = root / "src/café/orders.py"
    source.write_bytes(ORDERS.rstrip("\n").encode())
    _, after = repaired(root, "src/café/orders.py", "served")
    assert not after.endswith(b"\n")


@pytest.mark.slow
def test_a_file_of_five_thousand_lines(root):
    filler = "".join(f"\n\ndef filler_{n}(value: int) -> int:\n    return value + {n}\n" for n in range(1250))
    (root / "src/café/orders.py").write_text(ORDERS + filler, encoding="utf-8")
    assert len((ORDERS + filler).splitlines()) > 5000
    before, after = repaired(root, "src/café/orders.py", "cheapest")
    assert before.splitlines()[-5000:] == after.splitlines()[-5000:]


@pytest.mark.slow
def test_line_in_nested_function_means_that_function(root):
    line = ORDERS.splitlines().index("    def size(order: Order) -> int:") + 2
    _, events, said = generate(root, f"src/café/orders.py:{line}")
    assert events[-1]["outcome"] in {"solved", "exhausted"}, said
    (started,) = [event for event in events if event["type"] == "search.started"]
    assert started["qualname"] == "by_size.<locals>.size"
    assert [test["id"].rpartition("::")[2] for test in started["baseline"]["tests"]] == ["test_by_size"]
