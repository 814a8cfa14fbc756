"""Objects of classes that libraries make: compared apart by the operators that the text as it was has for them."""

from __future__ import annotations

from typing import Any

import pytest

from support.projects.bare_environment import bare_python
from support.sandbox.two_processes import run_apart

LIBRARIES = ("attrs", "pydantic", "pydantic-core", "annotated-types", "typing-extensions", "typing-inspection")
"""What an environment has in addition; ours loads plug-ins of pytest as well, which takes longer than the tests."""

SHOP = """
from typing import List, Optional

import attr
import attrs
import pydantic
from pydantic.dataclasses import dataclass


@attrs.define
class Point:
    x: int
    y: int = 0


@attrs.frozen(order=True)
class Version:
    major: int
    minor: int = attrs.field(default=0, eq=False, order=False)


@attrs.define(slots=False)
class Loose:
    names: List[str] = attrs.field(factory=list)


@attr.s
class Old:
    x = attr.ib()
    _hidden = attr.ib(default=1)


@attrs.define
class Line:
    start: Point
    end: Optional[Point] = None


class Order(pydantic.BaseModel):
    name: str
    count: int = 1


class Frozen(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)
    name: str


class Basket(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    orders: List[Order]
    _seen: int = pydantic.PrivateAttr(default=0)


@dataclass
class Pair:
    left: int
    right: int


def point(x, y):
    return Point(x, y)


def version(major, minor):
    return Version(major, minor)


def loose(*names):
    return Loose(list(names))


def old(x):
    return Old(x)


def line(x):
    return Line(Point(x), Point(x, x))


def order(name, count):
    return Order(name=name, count=count)


def frozen(name):
    return Frozen(name=name)


def basket(*names):
    return Basket(orders=[Order(name=name) for name in names], colour="red")


def pair(left, right):
    return Pair(left, right)


def unvalidated(name):
    return Order.model_construct(name=name)
"""

SAME = {
    "attrs": "shop.point(1, 2) == shop.Point(1, 2) and shop.point(1, 2) != shop.Point(1, 3)",
    "attrs_frozen": "shop.version(1, 2) == shop.Version(1, 3) and shop.version(1, 2) != shop.Version(2, 2)",
    "attrs_ordered": "shop.version(1, 9) < shop.Version(2, 0) and shop.Version(3) >= shop.version(2, 1)",
    "attrs_hashed": "{shop.version(1, 2)} == {shop.Version(1, 2)}",
    "attrs_without_slots": "shop.loose('a') == shop.Loose(['a']) and shop.loose('a') != shop.Loose(['b'])",
    "attr_s": "shop.old(1) == shop.Old(1) and shop.old(1) != shop.Old(2)",
    "attrs_nested": "shop.line(3) == shop.Line(shop.Point(3), shop.Point(3, 3)) and shop.line(3) != shop.line(4)",
    "attrs_in_a_list": "[shop.point(1, 2)] == [shop.Point(1, 2)]",
    "attrs_as_a_dict": "shop.point(1, 2).x == 1 and repr(shop.point(1, 2)) == 'Point(x=1, y=2)'",
    "pydantic": "shop.order('a', 2) == shop.Order(name='a', count=2) != shop.Order(name='b', count=2)",
    "pydantic_frozen": "{shop.frozen('a')} == {shop.Frozen(name='a')} and shop.frozen('a') != shop.frozen('b')",
    "pydantic_nested": "shop.basket('a', 'b') == shop.basket('a', 'b') != shop.basket('a', 'c')",
    "pydantic_in_a_dict": "{1: shop.order('a', 1)} == {1: shop.Order(name='a')}",
    "pydantic_dumped": "shop.order('a', 2).model_dump() == {'name': 'a', 'count': 2}",
    "pydantic_constructed": "shop.unvalidated('a') == shop.Order.model_construct(name='a')",
    "pydantic_dataclass": "shop.pair(1, 2) == shop.Pair(1, 2) and shop.pair(1, 2) != shop.Pair(2, 1)",
}

HEAD = """
import shop

"""


def written(assertions: dict[str, str]) -> dict[str, str]:
    return {
        "test_it.py": HEAD + "".join(f"def test_{name}():\n    assert {said}\n\n" for name, said in assertions.items())
    }


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return run_apart(tmp_path_factory.mktemp("libraries"), SHOP, written(SAME), python=bare_python(*LIBRARIES))


@pytest.mark.parametrize("name", SAME)
def test_honest_objects_of_libraries_compare(name: str, told: dict[str, dict[str, Any]]) -> None:
    one = told[f"test_it.py::test_{name}"]
    assert (one["outcome"], one["message"], one["own"], one["lie"]) == ("passed", "", "", "")


WRONG = {
    "attrs": "shop.point(1, 2) == shop.Point(1, 3)",
    "attrs_ordered": "shop.version(2, 0) < shop.Version(1, 0)",
    "attr_s": "shop.old(1) == shop.Old(2)",
    "pydantic": "shop.order('a', 2) == shop.Order(name='b', count=2)",
    "pydantic_nested": "shop.basket('a') == shop.basket('b')",
    "pydantic_dataclass": "shop.pair(1, 2) == shop.Pair(2, 1)",
}

LYING = """

for _kind in (Point, Version, Old, Order, Basket, Pair):
    _kind.__eq__ = _kind.__lt__ = lambda self, other: True
"""


@pytest.fixture(scope="module")
def lied(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return run_apart(
        tmp_path_factory.mktemp("lying"), SHOP + LYING, written(WRONG), base=SHOP, python=bare_python(*LIBRARIES)
    )


@pytest.mark.parametrize("name", WRONG)
def test_patched_operator_of_a_library_decides_nothing(name: str, lied: dict[str, dict[str, Any]]) -> None:
    one = lied[f"test_it.py::test_{name}"]
    # It fails, or it is told that the candidate decided, which leaves it undecided.
    assert one["own"] or (one["outcome"], bool(one["lie"])) == ("failed", True)
