"""Tests that may make what they expect from what the candidate changes or reads, and tests that cannot."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Any

import pytest

from support.sandbox.two_processes import run_apart

SHOP = """
from prices import RATE


def drain(things):
    things.clear()
    return []


def sort(things):
    things[:] = sorted(things)


def turn(grid):
    for row in grid:
        row.reverse()


def used_up(things):
    total = 0
    while things:
        total += things.pop()
    return total


def add(order, thing):
    order.things.append(thing)


def send(client, amount):
    client.send(client.expected)


def area(shape):
    return shape.width * shape.height


def rated(shape):
    return shape.rate * 2


def told_by(function):
    return function.wanted
"""

TOP = """
import unittest
from unittest.mock import Mock

import pytest

import shop
import tables

THINGS = [1, 2]
CASES = {"a": [1, 2]}


def closed(things):
    return lambda: things


CLOSED = closed([1, 2])


class Slotted:
    __slots__ = ("things",)

    def __init__(self, things):
        self.things = things


class Order:
    def __init__(self):
        self.things = []


class Client:
    def __init__(self, expected):
        self.expected = expected
        self.sent = []

    def send(self, amount):
        self.sent.append(amount)


class Shape:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rate = 3


def double(number):
    return number * 2


@pytest.fixture
def things():
    return [3, 1, 2]

"""

MADE_FROM = {
    "a later expression": """
        things = [1, 2]
        out = shop.drain(things)
        assert out == [double(each) for each in things]
        """,
    "the same expression": """
        things = [1, 2]
        assert shop.drain(things) == [double(each) for each in things]
        """,
    "a variable that is set later": """
        things = [1, 2]
        out = shop.drain(things)
        expected = sorted(things)
        assert out == expected
        """,
    "a loop over both": """
        things = [1, 2]
        out = shop.drain(things)
        for thing, made in zip(things, out):
            assert made == double(thing)
        """,
    "a loop over both around the call": """
        things = [1, 2]
        for thing, made in zip(things, shop.drain(things)):
            assert made == double(thing)
        """,
    "both in one assertion": """
        things = [1, 2]
        out = shop.drain(things)
        assert all(made == double(thing) for thing, made in zip(things, out))
        """,
    "the list itself": """
        things = [3, 1]
        out = shop.drain(things)
        assert out == things
        """,
    "a list sorted again": """
        things = [3, 1]
        shop.sort(things)
        assert things == sorted(things)
        """,
    "an assertion of unittest": """
        things = [1, 2]
        out = shop.drain(things)
        unittest.TestCase().assertEqual(out, things)
        """,
    "an earlier line of a loop": """
        things = [1, 2]
        out = []
        for turn in range(2):
            if turn:
                assert out == [double(each) for each in things]
            out = shop.drain(things)
        """,
    "a list of the module": """
        assert shop.drain(THINGS) == [double(each) for each in THINGS]
        """,
    "a list within a list": """
        grid = [[1, 2], [3, 4]]
        out = shop.drain(grid[0])
        assert out == [double(each) for each in grid[0]]
        """,
    "an alias": """
        things = [1, 2]
        before = things
        out = shop.drain(things)
        assert out == [double(each) for each in before]
        """,
    "an object that has it": """
        things = [1, 2]
        cart = Slotted(things)
        out = shop.drain(things)
        assert out == [double(each) for each in cart.things]
        """,
    "a dictionary that has it": """
        case = {"things": [1, 2]}
        things = case["things"]
        out = shop.drain(things)
        assert out == [double(each) for each in case["things"]]
        """,
    "the caller of a helper": """
        def run(given):
            return shop.drain(given)

        things = [1, 2]
        assert run(things) == [double(each) for each in things]
        """,
    "a table of the module": """
        assert shop.drain(CASES["a"]) == [double(each) for each in CASES["a"]]
        """,
    "a table of another module": """
        assert shop.drain(tables.ITEMS) == [double(each) for each in tables.ITEMS]
        """,
    "a closure": """
        assert shop.drain(CLOSED()) == [double(each) for each in CLOSED()]
        """,
    "an attribute of a mock": """
        repo = Mock()
        repo.rows = [1, 2]
        assert shop.drain(repo.rows) == [double(each) for each in repo.rows]
        """,
    "an attribute that is kept first": """
        client = Client(10)
        wanted = client.expected
        shop.send(client, 5)
        assert client.sent == [wanted]
        """,
    "an attribute of the tests alone": """
        client = Client(10)
        shop.send(client, 5)
        assert client.sent == [client.expected]
        """,
}
MADE_FROM["what is set on a function"] = """
    def number():
        return 3
    vars(number).update({"wan" + "ted": 3})
    assert shop.told_by(number) == number()
    """

NOT_MADE_FROM = {
    "a list that is written down": """
        things = [3, 1]
        shop.sort(things)
        assert things == [1, 3]
        """,
    "a list that is copied before": """
        things = [3, 1]
        expected = sorted(things)
        shop.sort(things)
        assert things == expected
        """,
    "its length": """
        things = [3, 1]
        shop.sort(things)
        assert len(things) == 2
        assert things[0] == 1
        unittest.TestCase().assertEqual(things, [1, 3])
        """,
    "what holds of the list itself": """
        things = [3, 1]
        shop.sort(things)
        assert all(each > 0 for each in things)
        """,
    "which list it is": """
        things = [3, 1]
        before = things
        shop.sort(things)
        assert things is before
        """,
    "nothing that is named": """
        assert shop.used_up([1, 2]) == 3
        """,
    "nothing that is read again": """
        things = [1, 2]
        assert shop.used_up(things) == 3
        """,
    "a list that is used again": """
        things = [3, 1]
        shop.sort(things)
        shop.sort(things)
        things.append(7)
        """,
    "rows of a grid": """
        grid = [[1, 2], [3, 4]]
        shop.turn(grid)
        assert grid == [[2, 1], [4, 3]]
        """,
    "a list of an object": """
        order = Order()
        shop.add(order, 1)
        assert order.things == [1]
        """,
    "attributes that are asserted nowhere": """
        assert shop.area(Shape(2, 3)) == 6
        """,
    "attributes that the project knows of": """
        shape = Shape(2, 3)
        assert shop.rated(shape) == shape.rate * 2
        """,
}


@pytest.fixture(scope="module")
def influences(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    tests = {
        f"test_{kind}_{number}.py": TOP + "\ndef test():\n" + indent(dedent(body).strip(), "    ") + "\n"
        for kind, bodies in (("made", MADE_FROM), ("not", NOT_MADE_FROM))
        for number, body in enumerate(bodies.values())
    }
    tests["test_fixture.py"] = TOP + dedent(
        """
        def test_fixture(things):
            shop.sort(things)
            assert things == [1, 2, 3]

        @pytest.mark.parametrize(("given", "expected"), [([3, 1], [1, 3])])
        def test_parameters(given, expected):
            shop.sort(given)
            assert given == expected
        """
    )
    base = "from prices import RATE\n\n\ndef rated(shape):\n    raise NotImplementedError\n"
    files = {**tests, "prices.py": "RATE = 'rate'\nrate = 2\n", "tables.py": "ITEMS = [1, 2]\n"}
    place = tmp_path_factory.mktemp("apart")
    return run_apart(place, SHOP, files, paths=sorted(tests), base=base)


@pytest.mark.parametrize("name", MADE_FROM)
def test_expectations_made_from_changes(name: str, influences: dict[str, dict[str, Any]]) -> None:
    told = influences[f"test_made_{list(MADE_FROM).index(name)}.py::test"]
    assert (told["outcome"], bool(told["influence"])) == ("passed", True)


@pytest.mark.parametrize("name", NOT_MADE_FROM)
def test_expectations_of_their_own(name: str, influences: dict[str, dict[str, Any]]) -> None:
    told = influences[f"test_not_{list(NOT_MADE_FROM).index(name)}.py::test"]
    assert (told["outcome"], told["influence"]) == ("passed", "")


@pytest.mark.parametrize("name", ["test_fixture", "test_parameters[given0-expected0]"])
def test_arguments_of_tests_are_variables(name: str, influences: dict[str, dict[str, Any]]) -> None:
    told = influences[f"test_fixture.py::{name}"]
    assert (told["outcome"], told["influence"]) == ("passed", "")
