"""Tests in one process, the candidate in another: what tests ordinarily do gives what it gives in one."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from support.sandbox.two_processes import run_apart

SHOP = """
import contextlib
import enum
import logging
import warnings
from dataclasses import dataclass

LIMIT = 5
NAMES = ["first"]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Refused(ValueError):
    def __init__(self, code):
        super().__init__(f"refused: {code}")
        self.code = code


@dataclass
class Point:
    x: int
    y: int

    def moved(self, by):
        return Point(self.x + by, self.y)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def area(width, height):
    print("area of", width, height)
    return width * height


def refuse(code):
    raise Refused(code)


def push(things):
    things.append(1)
    things[0].append("in")
    return things


def call(function, value):
    return function(value)


def count(most):
    yield from range(most)


async def later(number):
    return number + 1


async def gathered(fetch, names):
    return [await fetch(name) for name in names]


def write(folder):
    (folder / "x.txt").write_text("hello")
    return folder / "x.txt"


def register(name):
    NAMES.append(name)


def leave(code):
    raise SystemExit(code)


@contextlib.contextmanager
def tolerant():
    try:
        yield 5
    except ValueError:
        pass


def warn():
    warnings.warn("old", DeprecationWarning)
    logging.getLogger("shop").info("sold %d", 3)


def same(value):
    return value


def item(things, key):
    return things[key]
"""

ORDINARY = {
    "printing": """
        def test(capsys):
            assert shop.area(2, 3) == 6
            assert capsys.readouterr().out == "area of 2 3\\n"
        """,
    "objects": """
        def test():
            point = shop.Point(1, 2)
            assert point == shop.Point(1, 2) and point != shop.Point(2, 2)
            assert point.moved(2).x == 3
            assert point + point == shop.Point(2, 4)
            assert repr(point) == "Point(x=1, y=2)"
            assert isinstance(point, shop.Point)
            point.x = 7
            assert point.x == 7
        """,
    "defaultdicts": """
        import collections

        def test():
            counts = collections.defaultdict(lambda: 5, a=1)
            assert shop.same(counts) is counts
            assert shop.item(counts, "b") == 5 and counts == {"a": 1, "b": 5}
        """,
    "exceptions": """
        def test():
            with pytest.raises(shop.Refused, match="refused: 3") as caught:
                shop.refuse(3)
            assert caught.value.code == 3
            with pytest.raises(ValueError):
                shop.refuse(3)
            with pytest.raises(ZeroDivisionError):
                shop.call(lambda x: x / 0, 1)
            with pytest.raises(SystemExit) as left:
                shop.leave(3)
            assert left.value.code == 3
        """,
    "arguments_changed_in_place": """
        def test():
            inner = []
            things = [inner]
            assert shop.push(things) is things
            assert things == [["in"], 1] and inner == ["in"]
        """,
    "callbacks": """
        class Own(Exception):
            pass

        def fail(value):
            raise Own(value)

        def test():
            assert shop.call(lambda x: x + 1, 3) == 4
            assert shop.call(len, [1, 2]) == 2
            assert shop.call(lambda n: shop.call(lambda m: shop.area(m, m), n + 1), 2) == 9
            with pytest.raises(Own):
                shop.call(fail, 1)
        """,
    "generators": "def test():\n    assert list(shop.count(3)) == [0, 1, 2]\n",
    "coroutines": """
        import asyncio

        async def both():
            return [await shop.later(1), await shop.later(2)]

        def test():
            assert asyncio.run(both()) == [2, 3]
        """,
    "coroutines_of_tests": """
        import asyncio

        async def fetch(name):
            if not name:
                raise KeyError(name)
            return name * 2

        def test():
            assert asyncio.run(shop.gathered(fetch, ["a", "b"])) == ["aa", "bb"]
            with pytest.raises(KeyError):
                asyncio.run(shop.gathered(fetch, ["a", ""]))
            assert asyncio.run(shop.call(fetch, "c")) == "cc"
        """,
    "files": "def test(tmp_path):\n    assert shop.write(tmp_path).read_text() == 'hello'\n",
    "the_directory": """
        import os
        from pathlib import Path

        def test(tmp_path, monkeypatch):
            monkeypatch.chdir(tmp_path)
            shop.write(Path("."))
            assert Path("x.txt").read_text() == "hello"
        """,
    "attributes": """
        from shop import *
        from shop import NAMES as names

        def test(monkeypatch):
            assert LIMIT == shop.LIMIT == 5
            monkeypatch.setattr(shop, "LIMIT", 7)
            assert shop.LIMIT == 7
            shop.register("second")
            assert names == ["first", "second"]
            names.append("third")
            assert shop.NAMES == ["first", "second", "third"] and shop.NAMES is NAMES
        """,
    "a_function_replaced": """
        def test(monkeypatch):
            monkeypatch.setattr(shop, "area", lambda width, height: 99)
            assert shop.area(1, 1) == 99
        """,
    "enumerations": """
        def test():
            assert shop.Colour.RED is shop.Colour("red")
            assert [each.value for each in shop.Colour] == ["red", "blue"]
            assert shop.Colour["RED"] == shop.Colour.RED != shop.Colour.BLUE
            assert {shop.Colour.RED: 1}[shop.Colour.RED] == 1
        """,
    "contexts": """
        def test():
            with shop.tolerant() as five:
                assert five == 5
                raise ValueError("gone")
        """,
    "warnings_and_logs": """
        def test(caplog):
            caplog.set_level("INFO")
            with pytest.warns(DeprecationWarning, match="old"):
                shop.warn()
            assert caplog.messages == ["sold 3"]
        """,
    "identity": """
        def test():
            point = shop.Point(1, 2)
            assert shop.same(point) is point
            things = [1]
            assert shop.same(things) is things
        """,
    "unittest": """
        import unittest

        class Test(unittest.TestCase):
            def test(self):
                self.assertEqual(shop.area(2, 3), 6)
                with self.assertRaisesRegex(shop.Refused, "refused"):
                    shop.refuse(1)
        """,
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    tests = {f"test_{name}.py": "import pytest\nimport shop\n\n" + dedent(text) for name, text in ORDINARY.items()}
    return run_apart(tmp_path_factory.mktemp("apart"), SHOP, tests)


@pytest.mark.parametrize("name", ORDINARY)
def test_what_tests_ordinarily_do_works_apart(name: str, told: dict[str, dict[str, Any]]) -> None:
    (one,) = [each for test, each in told.items() if test.startswith(f"test_{name}.py")]
    assert (one.get("outcome"), one["message"], one["carried"]) == ("passed", "", "")


def test_parametrize_ids_are_as_in_one_process(tmp_path: Path) -> None:
    shop = """
        import enum

        class Colour(enum.Enum):
            RED = "red"

        class Size(str, enum.Enum):
            BIG = "gro\u00df"

        class Level(enum.IntEnum):
            LOW = 1

        class Word(str):
            pass

        class Box:
            pass
        """
    tests = """
        import pytest
        import shop

        things = [shop.Colour.RED, shop.Size.BIG, shop.Level.LOW, shop.Word("a b"), shop.Box(), shop.Box, 3]

        @pytest.mark.parametrize("thing", things)
        def test(thing):
            assert thing
        """
    ids = [list(run_apart(tmp_path / str(n), shop, {"test_it.py": tests}, apart=bool(n))) for n in range(2)]
    assert ids[0] == ids[1]
    assert len(ids[0]) == 7


def test_uncarriable_values_fail_one_test_with_reason(tmp_path: Path) -> None:
    """The reason names the value, and the next test runs as usual."""
    text = """
        import asyncio
        import shop

        async def waits(name):
            await asyncio.sleep(0.01)
            return name

        def test_waits():
            assert asyncio.run(shop.gathered(waits, ["a"])) == ["a"]

        def test_locks():
            import threading
            assert shop.call(lambda _: threading.Lock(), 1)

        def test_next():
            assert shop.area(2, 3) == 6
    """
    told = run_apart(tmp_path, SHOP, {"test_it.py": text})
    said = {name.rpartition("::")[2]: (one["outcome"], one["carried"]) for name, one in told.items()}
    assert said == {
        "test_waits": ("failed", "it hands over a coroutine function that waits, while its event loop stands still"),
        "test_locks": ("failed", "it hands over an object of lock, which cannot be carried"),
        "test_next": ("passed", ""),
    }
