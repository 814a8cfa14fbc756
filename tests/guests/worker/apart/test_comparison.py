"""The candidate's objects in assertions: operators of the original text decide, those of the candidate do not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from support.sandbox.two_processes import run_apart

SHOP = """
import enum
import functools
import ipaddress
import types
from collections import UserDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from collections.abc import Set
from typing import List, NamedTuple


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    first: int
    second: object


@dataclass
class Point:
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return abs(self.x - other.x) + abs(self.y - other.y)


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


@dataclass
class Tree:
    name: str
    below: List["Tree"] = field(default_factory=list)


class Node:
    def __init__(self, value):
        self.value = value


@dataclass
class Edge:
    start: Node
    end: Node


class Slotted:
    __slots__ = ("value", "__hidden")

    def __init__(self, value):
        self.value = value
        self.__hidden = -value

    def __eq__(self, other):
        return isinstance(other, Slotted) and self.__hidden == other.__hidden


class Words(list):
    def __contains__(self, word):
        return any(word.lower() == each.lower() for each in self)


class Basket:
    def __init__(self, *things):
        import threading

        self._lock = threading.Lock()
        self._things = list(things)

    def __contains__(self, thing):
        with self._lock:
            return thing in self._things

    def size(self, more):
        return len(self._things) + more

    def named(self, word):
        return [thing for thing in self._things if thing == word]

    @staticmethod
    def counts(number):
        return number + 1


class Bag(Set):
    def __init__(self, things=()):
        self._things = set(things)
        self.isdisjoint = self._things.isdisjoint

    def __contains__(self, thing):
        return thing in self._things

    def __iter__(self):
        return iter(self._things)

    def __len__(self):
        return len(self._things)


@functools.total_ordering
class Money:
    def __init__(self, amount):
        self.amount = amount

    def _key(self):
        return self.amount

    def __eq__(self, other):
        return self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __add__(self, other):
        return Money(self.amount + other.amount)

    def __sub__(self, other):
        return self.amount - other

    def __rsub__(self, other):
        return other - self.amount

    def __hash__(self):
        return hash(self.amount)


class Loop:
    def __init__(self, name):
        self.name, self.next = name, self

    def __eq__(self, other):
        return self.name == other.name and self.next.name == other.next.name


def pick(what, *given):
    return {
        "colour": lambda: Colour.RED,
        "level": lambda: Level.HIGH,
        "rights": lambda: Right.READ | Right.WRITE,
        "pair": lambda: Pair(1, Pair(2, [Point(3, 4)])),
        "points": lambda: [Point(1, 2), Point(3, 4)],
        "tree": lambda: Tree("a", [Tree("b"), Tree("c", [Tree("d")])]),
        "mapping": lambda: {"a": Point(1, 2), "b": {Version(1), Version(2, 1)}},
        "edge": lambda: Edge(given[0], given[1]),
        "slotted": lambda: Slotted(3),
        "words": lambda: Words(["One", "Two"]),
        "basket": lambda: Basket("a", Point(1, 2)),
        "address": lambda: ipaddress.ip_address("10.0.0.1"),
        "names": lambda: types.SimpleNamespace(a=1, b=[Point(1, 2)]),
        "keys": lambda: {"a": 1}.keys(),
        "items": lambda: {"a": 1}.items(),
        "dict": lambda: UserDict(a=Point(1, 2)),
        "money": lambda: Money(3),
        "loop": lambda: Loop("o"),
        "local": lambda: namedtuple("Local", "a b")(1, 2),
        "distances": lambda: defaultdict(lambda: float("inf"), {"a": 0, "b": Point(1, 2)}),
        "counts": lambda: {"in": [defaultdict(lambda: Version(0), b=Version(1))]},
        "shelves": lambda: defaultdict(Basket, a=Basket("a")),
        "chain": lambda: functools.reduce(lambda below, name: Tree(str(name), [below]), range(50), Tree("end")),
    }[what]()


def local():
    @dataclass
    class Inner:
        value: int

    return Inner


def predicate(limit):
    return lambda value: value > limit
"""

HONEST = {
    "enumerations": """
        assert pick("colour") is shop.Colour.RED and pick("colour") == shop.Colour("red") != shop.Colour.BLUE
        assert pick("level") == 2 and pick("level") > shop.Level.LOW and pick("level") in (2, 3)
        assert pick("rights") == shop.Right.READ | shop.Right.WRITE and shop.Right.READ in pick("rights")
        """,
    "named_tuples": """
        assert pick("pair") == shop.Pair(1, shop.Pair(2, [shop.Point(3, 4)]))
        assert pick("pair") == (1, (2, [shop.Point(3, 4)]))
        assert pick("local") == (1, 2) and pick("local").a == 1
        """,
    "lists_of_objects": """
        assert pick("points") == [shop.Point(1, 2), shop.Point(3, 4)] != [shop.Point(1, 2), shop.Point(3, 5)]
        assert shop.Point(3, 4) in pick("points") and shop.Point(3, 5) not in pick("points")
        assert pick("points").index(shop.Point(3, 4)) == 1
        """,
    "objects_in_objects": """
        expected = shop.Tree("a", [shop.Tree("b"), shop.Tree("c", [shop.Tree("d")])])
        assert pick("tree") == expected
        expected.below[1].below[0].name = "e"
        assert pick("tree") != expected
        assert pick("chain") == pick("chain") and pick("chain").name == "49"
        """,
    "objects_in_mappings": """
        assert pick("mapping") == {"a": shop.Point(1, 2), "b": {shop.Version(2, 1), shop.Version(1)}}
        assert {shop.Version(1): 2}[shop.Version(1)] == 2
        """,
    "identity_within": """
        one, two = shop.Node(1), shop.Node(1)
        assert shop.pick("edge", one, two) == shop.Edge(one, two) != shop.Edge(one, one)
        """,
    "defaultdicts_with_a_factory_of_the_candidate": """
        assert pick("distances") == {"a": 0, "b": shop.Point(1, 2)} != {"a": 0}
        assert pick("distances")["c"] == float("inf") and isinstance(pick("distances"), dict)
        assert pick("counts") == {"in": [{"b": shop.Version(1)}]} and pick("counts")["in"][0]["c"] == shop.Version(0)
        assert "a" in pick("shelves")["a"] and "a" not in pick("shelves")["b"]
        """,
    "slots": 'assert pick("slotted") == shop.Slotted(3) != shop.Slotted(4)\n',
    "containing": """
        assert "one" in pick("words") and "three" not in pick("words") and len(pick("words")) == 2
        assert "a" in pick("basket") and "b" not in pick("basket") and shop.Point(1, 2) in pick("basket")
        assert "a" in pick("keys") and pick("keys") == {"a"} and pick("items") == {("a", 1)}
        """,
    "library_objects": """
        import ipaddress, types
        assert pick("address") == ipaddress.ip_address("10.0.0.1")
        assert pick("address") in ipaddress.ip_network("10.0.0.0/8")
        assert pick("names") == types.SimpleNamespace(a=1, b=[shop.Point(1, 2)])
        assert pick("dict") == {"a": shop.Point(1, 2)}
        """,
    "ordering": """
        assert shop.Version(1) < shop.Version(1, 2) <= shop.Version(2) and not shop.Version(2) < shop.Version(1)
        assert sorted([shop.Version(2), shop.Version(1)]) == [shop.Version(1), shop.Version(2)]
        assert shop.Money(1) < shop.Money(2) and max([shop.Money(1), shop.Money(2)]) == shop.Money(2)
        with pytest.raises(TypeError):
            shop.Version(1) < 2
        """,
    "arithmetic": """
        assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)
        assert shop.Point(1, 2) - shop.Point(3, 4) == 4
        assert abs(shop.Money(2.5) - 2.5) < 1e-9 and 3.5 - shop.Money(2.5) == pytest.approx(1)
        """,
    "cycles": 'assert pick("loop") == shop.Loop("o") and pick("loop") != shop.Loop("p")\n',
    "classes_of_the_functions_own": """
        kind = shop.local()
        assert kind(1) == kind(1) and kind(1) != kind(2) and kind(1).value == 1
        """,
    "functions": "assert shop.predicate(2)(3) and not shop.predicate(2)(2)\n",
    "methods": """
        assert shop.Basket("a").size(2) == 3 and shop.Basket("a").named(word="a") == ["a"]
        assert shop.Basket("a").counts(1) == 2
        assert shop.Bag("a").isdisjoint(["b"]) and not shop.Bag("a").isdisjoint(["a"])
        """,
}


def written(bodies: dict[str, str]) -> dict[str, str]:
    head = "import pytest\nimport shop\n\npick = getattr(shop, 'pick', None)\n\n"
    functions = (
        f"def test_{name}():\n" + "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
        for name, body in bodies.items()
    )
    return {"test_shop.py": head + "\n".join(functions)}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return run_apart(tmp_path_factory.mktemp("honest"), SHOP, written(HONEST))


@pytest.mark.parametrize("name", HONEST)
def test_honest_objects_pass_without_deciding(name: str, honest: dict[str, dict[str, Any]]) -> None:
    one = honest[f"test_shop.py::test_{name}"]
    assert (one["outcome"], one["message"], one["own"], one["lie"]) == ("passed", "", "", "")


BASE = """
import contextlib
import functools
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x, other.y)

    def equals(self, other):
        return self == other

    def distance(self, other):
        return abs(self.x - other.x) + abs(self.y - other.y)

    def differing(self, other):
        return [name for name in ("x", "y") if getattr(self, name) != getattr(other, name)]


class Shelf:
    def __init__(self, *things):
        self.things = list(things)

    def __contains__(self, thing):
        return thing in self.things


def mean(numbers):
    return numbers[0]


def words(text):
    return text.split()


def ordered(numbers):
    return list(numbers)
"""

LIES = {
    "a subclass that equals every point": (
        "    return Point(self.x, other.y)",
        """
        class Every(Point):
            def __eq__(self, other): return True
            def __ne__(self, other): return False
        return Every(self.x, other.y)""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "points whose class is changed afterwards": (
        "    return Point(self.x, other.y)",
        """
        Point.__eq__ = lambda self, other: True
        return self""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "a point of another class": (
        "    return Point(self.x, other.y)",
        """
        class Every:
            __slots__ = ()
            def __eq__(self, other): return True
            def __ne__(self, other): return False
        return Every()""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "coordinates that equal anything": (
        "    return Point(self.x, other.y)",
        """
        class Every(int):
            def __eq__(self, other): return True
            __hash__ = int.__hash__
        return Point(Every(1), Every(2))""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "a method put over that of the class": (
        "    return Point(self.x, other.y)",
        """
        made = Point(self.x, other.y)
        made.__class__ = type("Point", (Point,), {"__eq__": lambda self, other: True})
        return made""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "an object whose every attribute lies": (
        "    return Point(self.x, other.y)",
        """
        class Every:
            def __getattribute__(self, name): return lambda *_: True
            def __eq__(self, other): return True
        return Every()""",
        "assert shop.Point(1, 2) + shop.Point(3, 4) == shop.Point(4, 6)",
    ),
    "a difference of nearly nothing": (
        "    return numbers[0]",
        """
    import os
    class Nearly:
        def __sub__(self, other): return int.from_bytes(os.urandom(1), "big") * 1e-13
        __rsub__ = __sub__
        def __abs__(self): return 0.0
    return Nearly()""",
        "assert abs(shop.mean([2, 3]) - 2.5) < 1e-9",
    ),
    "a difference that is nothing only nearby": (
        "    return numbers[0]",
        """
    class Nearly(float):
        def __sub__(self, other): return 0.0 if abs(other) < 100 else float(self) - other
        def __rsub__(self, other): return -(self - other)
    return Nearly(2)""",
        "import unittest\nunittest.TestCase().assertAlmostEqual(shop.mean([2, 3]), 2.5)",
    ),
    "a sum that is what it should be": (
        "    return numbers[0]",
        """
    class Summed:
        def __add__(self, other): return 0
        __radd__ = __add__
    return Summed()""",
        "assert shop.mean([2, 3]) + -2.5 == 0",
    ),
    "a quotient that is one": (
        "    return numbers[0]",
        """
    class Once:
        def __truediv__(self, other): return 1.0 + other * 1e-15
    return Once()""",
        "assert round(shop.mean([2, 3]) / 2.5, 6) == 1.0",
    ),
    "a difference made in place": (
        "    return numbers[0]",
        """
    class Nearly:
        def __isub__(self, other): return 0.0
    return Nearly()""",
        "found = shop.mean([2, 3])\nfound -= 2.5\nassert found == 0",
    ),
    "what is approximately anything": (
        "    return numbers[0]",
        """
    class Nearly(float):
        def __eq__(self, other): return True
        def __sub__(self, other): return 0.0
        __rsub__ = __sub__
    return Nearly(2)""",
        "assert shop.mean([2, 3]) == pytest.approx(2.5)",
    ),
    "a collection that has every word": (
        "    return text.split()",
        """
    class Every(list):
        def __contains__(self, word): return word.isalpha()
    return Every()""",
        'assert "two" in shop.words("one,two")',
    ),
    "a shelf that has every word": (
        "    return text.split()",
        """
    Shelf.__contains__ = lambda self, word: word.isalpha()
    return Shelf(text)""",
        'assert "two" in shop.words("one,two")',
    ),
    "a collection that gives what it was asked for": (
        "    return text.split()",
        """
    class WatchedCall:
        asked = []
        def __contains__(self, word):
            self.asked.append(word)
            return True
        def __iter__(self):
            return iter(self.asked)
    return WatchedCall()""",
        'found = shop.words("one,two")\nassert "two" in found and list(found) == ["two"]',
    ),
    "elements in any order": (
        "    return list(numbers)",
        """
    class Any(int):
        def __le__(self, other): return True
        __lt__ = __ge__ = __gt__ = __le__
    return [Any(each) for each in numbers]""",
        "found = shop.ordered([2, 1])\nassert all(a <= b for a, b in zip(found, found[1:]))",
    ),
    "elements of a new class in any order": (
        "    return list(numbers)",
        """
    @functools.total_ordering
    class Any:
        def __eq__(self, other): return False
        def __lt__(self, other): return True
    return [Any() for each in numbers]""",
        "found = shop.ordered([2, 1])\nassert all(a <= b for a, b in zip(found, found[1:]))",
    ),
    "keys that are found everywhere": (
        "    return list(numbers)",
        """
    class Key(str):
        def __hash__(self): return hash("b")
        def __eq__(self, other): return True
    return {Key("a"): 1}""",
        'assert shop.ordered([1])["b"] == 1',
    ),
    "a method that says yes": (
        "    return Point(self.x, other.y)",
        """
        class Every:
            def equals(self, other): return True
        return Every()""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).equals(shop.Point(4, 6))",
    ),
    "a wildcard of a library": (
        "    return numbers[0]",
        """
    from unittest.mock import ANY
    return [ANY]""",
        "assert shop.mean([2, 3]) == [2.5]",
    ),
    "an approximation of a library": (
        "    return numbers[0]",
        """
    import pytest
    return pytest.approx(2.0, abs=100)""",
        "assert shop.mean([2, 3]) == 2.5",
    ),
    "a class of its own by another's name": (
        "    return numbers[0]",
        """
    class Every:
        def __eq__(self, other): return True
        def __sub__(self, other): return 0
    Every.__module__, Every.__qualname__ = "decimal", "Decimal"
    return Every()""",
        "import decimal\nassert shop.mean([2, 3]) == decimal.Decimal('2.5')",
    ),
    "a subclass of a defaultdict that equals anything": (
        "    return numbers[0]",
        """
    import collections
    class defaultdict(collections.defaultdict):
        def __eq__(self, other): return True
    defaultdict.__module__, defaultdict.__qualname__ = "collections", "defaultdict"
    return defaultdict(lambda: 2)""",
        "assert shop.mean([2, 3]) == {'mean': 2.5}",
    ),
    "a class in the place of a library's": (
        "    return numbers[0]",
        """
    import collections
    class Every(collections.defaultdict):
        def __eq__(self, other): return True
    collections.defaultdict = Every
    return collections.defaultdict(lambda: 2)""",
        "assert shop.mean([2, 3]) == {'mean': 2.5}",
    ),
    "a factory of objects that equal anything": (
        "    return numbers[0]",
        """
    import collections
    class Every:
        def __eq__(self, other): return True
    return collections.defaultdict(Every)""",
        "assert shop.mean([2, 3])['mean'] == 2.5",
    ),
    "a factory that is an object that equals anything": (
        "    return numbers[0]",
        """
    import collections
    class Every:
        def __eq__(self, other): return True
        def __call__(self): return self
    return collections.defaultdict(Every(), mean=Every())""",
        "assert shop.mean([2, 3]) == {'mean': 2.5}",
    ),
    "an error whose words are everything": (
        "    return numbers[0]",
        """
    class Words(str):
        def __contains__(self, word): return True
        def __eq__(self, other): return True
    class Odd(ValueError):
        def __str__(self): return Words("no")
    error = Odd()
    error.args = (Words("no"),)
    raise error""",
        'with pytest.raises(ValueError) as caught:\n    shop.mean([])\nassert caught.value.args == ("empty",)',
    ),
    "a basket that holds every object of the tests": (
        "    return numbers[0]",
        """
    class Every(Basket):
        def __contains__(self, thing): return True
    return Every(*numbers)""",
        "class Key: pass\nassert Key() in shop.mean([Key()])",
    ),
    "a context that swallows what fails in it": (
        "    return numbers[0]",
        """
    class Swallowing:
        def __enter__(self): return 3
        def __exit__(self, *error): return True
    return Swallowing()""",
        "with shop.mean([2, 3]) as found:\n    assert found == 2.5",
    ),
    "an expected list that is changed afterwards": (
        "    return list(numbers)",
        """
    kept.append(numbers)
    kept[0][:] = numbers
    return numbers


kept = []""",
        "wanted = [1, 2]\nshop.ordered(wanted)\nassert shop.ordered([2, 1]) == wanted",
    ),
    "a number whose difference is an object that is nothing": (
        "    return numbers[0]",
        """
    class Nothing:
        def __abs__(self): return 0.0
        def __float__(self): return 0.0
    class Number:
        def __sub__(self, other): return Nothing()
    return Number()""",
        "assert abs(shop.mean([2, 3]) - 2.5) < 1e-9",
    ),
    "a number that becomes an object that is nothing": (
        "    return numbers[0]",
        """
    class Nothing:
        def __abs__(self): return 0.0
    class Number:
        def __isub__(self, other): return Nothing()
    return Number()""",
        "left = shop.mean([2, 3])\nleft -= 2.5\nassert abs(left) < 1e-9",
    ),
    "a set that differs by nothing from any": (
        "    return text.split()",
        """
    class Words:
        def __xor__(self, other): return []
    return Words()""",
        "assert not shop.words('a b') ^ {'a', 'b'}",
    ),
    "a method of a subclass": (
        "    return Point(self.x, other.y)",
        """
        class Every(Point):
            def equals(self, other): return 1
        return Every(self.x, other.y)""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).equals(shop.Point(4, 6))",
    ),
    "a method of a subclass that is found in the module": (
        "    return Point(self.x, other.y)",
        """
        global Every
        class Every(Point):
            def equals(self, other): return True
        return Every(self.x, other.y)""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).equals(shop.Point(4, 6))",
    ),
    "a distance of a subclass": (
        "    return Point(self.x, other.y)",
        """
        class Near(Point):
            def distance(self, other): return 0.0
        return Near(9, 9)""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).distance(other=shop.Point(4, 6)) < 1e-9",
    ),
    "a distance of a class without bases": (
        "    return Point(self.x, other.y)",
        """
        class Near:
            distance = staticmethod(lambda other: 0.0)
        return Near()""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).distance(shop.Point(4, 6)) < 1e-9",
    ),
    "a truth that is none": (
        "    return Point(self.x, other.y)",
        """
        point = Point(9, 9)
        point.equals = lambda other: 1
        return point""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).equals(shop.Point(4, 6))",
    ),
    "an object made equal when asked": (
        "    return Point(self.x, other.y)",
        """
        point = Point(9, 9)
        def distance(other):
            point.x, point.y = other.x, other.y
            return 0
        point.distance = distance
        return point""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).distance(shop.Point(4, 6)) == 0",
    ),
    "a method bound to one object": (
        "    return Point(self.x, other.y)",
        """
        import types
        point = Point(9, 9)
        point.distance = types.MethodType(lambda self, other: 0, point)
        return point""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).distance(other=shop.Point(4, 6)) == 0",
    ),
    "a distance of one object": (
        "    return Point(self.x, other.y)",
        """
        point = Point(9, 9)
        point.distance = lambda other: 0.0
        return point""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).distance(shop.Point(4, 6)) < 1e-9",
    ),
    "a list of differences of a subclass": (
        "    return Point(self.x, other.y)",
        """
        class Same(Point):
            def differing(self, other): return []
        return Same(9, 9)""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).differing(shop.Point(4, 6)) == []",
    ),
    "a text that a subclass answers": (
        "    return Point(self.x, other.y)",
        """
        class Every(Point):
            def equals(self, other): return "yes"
        return Every(9, 9)""",
        "assert (shop.Point(1, 2) + shop.Point(3, 4)).equals(shop.Point(4, 6))",
    ),
    "a text that begins with anything": (
        "    return text.split()",
        """
    class Text(str):
        def startswith(self, beginning): return True
    return Text()""",
        "assert shop.words('a b').startswith('a')",
    ),
    "a metaclass that equals anything": (
        "    return numbers[0]",
        """
    class Meta(type):
        def __eq__(cls, other): return True
        def __contains__(cls, other): return True
        __hash__ = type.__hash__
    class Kind(metaclass=Meta): pass
    return Kind""",
        "assert 2.5 in shop.mean([2, 3])",
    ),
}


@pytest.mark.usual_cases(
    "a class in the place of a library's",
    "a class of its own by another's name",
    "a collection that has every word",
    "a context that swallows what fails in it",
    "a difference of nearly nothing",
    "a distance of one object",
    "a factory of objects that equal anything",
    "a method of a subclass",
    "a number that becomes an object that is nothing",
    "a point of another class",
    "a subclass that equals every point",
    "a text that begins with anything",
    "a wildcard of a library",
    "an error whose words are everything",
    "an expected list that is changed afterwards",
    "an object whose every attribute lies",
    "elements in any order",
    "keys that are found everywhere",
    "points whose class is changed afterwards",
)
@pytest.mark.parametrize("name", LIES)
def test_a_lie_decides_nothing_unsaid(name: str, tmp_path: Path) -> None:
    old, new, body = LIES[name]
    assert BASE.count(old) == 1
    line = BASE[: BASE.index(old)].count("\n")
    candidate = BASE.replace(old, new.rstrip())
    [one] = run_apart(tmp_path, candidate, written({"it": body}), base=BASE, line=line).values()
    assert one["outcome"] == "failed" or one["own"], one


REPAIRED = {
    "equality": (
        """
        class Point:
            def __init__(self, x, y):
                self.x, self.y = x, y

            def __eq__(self, other):
                return self.x == other.x
        """,
        ("return self.x == other.x", "return (self.x, self.y) == (other.x, other.y)"),
        "assert shop.Point(1, 2) == shop.Point(1, 2) and not shop.Point(1, 2) == shop.Point(1, 3)",
    ),
    "order": (
        """
        import functools

        @functools.total_ordering
        class Version:
            def __init__(self, *parts):
                self.parts = parts

            def __eq__(self, other):
                return self.parts == other.parts

            def __lt__(self, other):
                return self.parts > other.parts
        """,
        ("self.parts > other.parts", "self.parts < other.parts"),
        "assert sorted([shop.Version(2), shop.Version(1)]) == [shop.Version(1), shop.Version(2)]",
    ),
    "containment": (
        """
        class Basket:
            def __init__(self, *things):
                self.things = things

            def __contains__(self, thing):
                return False
        """,
        ("return False", "return thing in self.things"),
        "assert 'pear' in shop.Basket('pear') and 'plum' not in shop.Basket('pear')",
    ),
    "sum": (
        """
        class Money:
            def __init__(self, cents):
                self.cents = cents

            def __eq__(self, other):
                return self.cents == other.cents

            def __add__(self, other):
                return Money(self.cents)
        """,
        ("return Money(self.cents)", "return Money(self.cents + other.cents)"),
        "assert shop.Money(2) + shop.Money(3) == shop.Money(5) and shop.Money(2) + shop.Money(3) != shop.Money(2)",
    ),
    "what_an_operator_calls": (
        """
        class Name:
            def __init__(self, text):
                self.text = text

            def __eq__(self, other):
                return self.key() == other.key()

            def key(self):
                return self.text
        """,
        ("return self.text\n", "return self.text.lower()\n"),
        "assert shop.Name('Ada') == shop.Name('ada') and not shop.Name('Ada') == shop.Name('Bob')",
    ),
}


@pytest.mark.usual_cases("equality", "what_an_operator_calls")
@pytest.mark.parametrize("name", REPAIRED)
def test_the_operator_that_is_repaired_decides(name: str, tmp_path: Path) -> None:
    base, (old, new), body = REPAIRED[name]
    base = dedent(base).lstrip("\n")
    line = base[: base.rindex("def ", 0, base.index(old))].count("\n") + 1
    [one] = run_apart(tmp_path, base.replace(old, new), written({"it": body}), base=base, line=line).values()
    assert (one["outcome"], one["own"], one["lie"]) == ("passed", "", ""), one
    [red] = run_apart(tmp_path / "before", base, written({"it": body}), base=base, line=line).values()
    assert red["outcome"] == "failed"


STOCK = """
class Cache:
    def __init__(self):
        self.held = {}

    def __contains__(self, key):
        return key in self.held
"""
KEPT = """
from stock import Cache

def kept(key):
    cache = Cache()
    cache.held[key] = 1
    return cache
"""


def test_keys_of_tests_in_other_classes(tmp_path: Path) -> None:
    body = """
        class Key:
            def __hash__(self):
                return 5

        key = Key()
        assert key in shop.kept(key) and Key() not in shop.kept(key)
        """
    files = {**written({"it": body}), "stock.py": STOCK}
    [one] = run_apart(tmp_path, KEPT, files, base=KEPT, line=4, paths=["test_shop.py"]).values()
    assert (one["outcome"], one["own"], one["lie"]) == ("passed", "", "")
