"""Annotations are types: they say what examples leave open, of functions, methods, properties and coroutines."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from certo.generation.builtin.options import BuiltinOptions
from certo.vocabulary.problem import Goal
from certo_builtin.source import FUNCTIONS
from certo_builtin.synthesis.annotations import Signature, attributes_of, may_be, meant
from support.search.builtin_searches import searched, stated

OPTIONS = BuiltinOptions(seconds=60.0, plausible=1)


def declared(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("value", "annotation", "is_meant"),
    [
        (2, "float", 2.0),
        (2, "int", 2),
        (True, "float", True),
        (2, "int | float", 2),
        (2, "Optional[float]", 2.0),
        (2, "'float | None'", 2.0),
        (2, "typing.Annotated[float, 'metres']", 2.0),
        (2, "Price", 2),
        (10**20, "float", 10**20),
        ([1, 2.5], "List[float]", [1.0, 2.5]),
        ((1, 2), "Sequence[float]", (1.0, 2.0)),
        ((1, 2), "tuple[int, float]", (1, 2.0)),
        ((1, 2), "Tuple[float, ...]", (1.0, 2.0)),
        ({"a": 1}, "collections.abc.Mapping[str, float]", {"a": 1.0}),
        ({"a": [1]}, "dict[str, Iterable[float]]", {"a": [1.0]}),
        ([1], "list", [1]),
        ([1], "dict[float, float]", [1]),
        (None, "Optional[float]", None),
        ({1}, "set[float]", {1.0}),
        (2, "'not an annotation", 2),
    ],
)
def test_int_stands_for_a_declared_float(value: Any, annotation: str, is_meant: Any) -> None:
    found = meant(value, declared(annotation) if annotation.count("'") != 1 else ast.Constant(value=annotation))
    assert repr(found) == repr(is_meant)


@pytest.mark.parametrize(
    ("annotation", "admitted"),
    [
        ("bool", [True, False]),
        ("Optional[bool]", [True, False, None]),
        ("None", [None]),
        ("str | None", [None]),
        ("list[bool]", []),
        ("'int'", []),
        ("object", [True, False, None]),
        ("Answer", [True, False, None]),
    ],
)
def test_only_what_is_declared_is_guessed(annotation: str, admitted: list[object]) -> None:
    assert [answer for answer in (True, False, None) if may_be(answer, declared(annotation))] == admitted


def test_set_in_a_test_becomes_declared_list() -> None:
    function = ast.parse("def f(xs: list[float], *rest: float) -> 'list[int]': ...").body[0]
    assert isinstance(function, FUNCTIONS)
    signature = Signature.of(function)
    assert signature.arguments(([1], (2,))) == ([1.0], (2,))
    assert signature.result({3, 1}, seen_through=True) == [1, 3]
    assert signature.result({3, 1}, seen_through=False) == {1, 3}
    assert signature.result({1, "a"}, seen_through=True) == {1, "a"}, "these have no order"


def test_self_attributes_take_their_declared_types() -> None:
    owner = ast.parse(
        dedent(
            """
            class Box:
                height: float
                def __init__(self, width: float, name, *, deep: int):
                    self.width = width
                    self.name = name
                    self.deep = deep
                    self.sides: list[float] = [width]
            """
        )
    ).body[0]
    assert isinstance(owner, ast.ClassDef)
    found = {name: ast.unparse(one) for name, one in attributes_of(owner).items()}
    assert found == {"height": "float", "width": "float", "deep": "int", "sides": "list[float]"}


AVERAGE = 'def average(a: float, b: float) -> float:\n    """The mean of both."""\n    ...\n'
LEVEL = (
    "from typing import Optional\n\ndef level(usual: int, other: Optional[int] = None) -> int:\n"
    '    """The other level if one is given."""\n    ...\n'
)
DIFFERENT = 'def different(xs: list[int]) -> list[int]:\n    """The different ones."""\n    ...\n'
LABEL = 'def label(name: str, number: int) -> str:\n    """A label."""\n    ...\n'

BOX = '''
class Box:
    unit = 10

    def __init__(self, width: int, height: int):
        self.width = width
        self.height = height

    @property
    def around(self) -> int:
        """All four sides together."""
        ...

    def fine(self) -> int:
        """Its height in the smaller unit."""
        ...

    @classmethod
    def units(cls, length: int) -> int:
        """A length in the smaller unit."""
        ...

    async def fetched(self, by: int) -> int:
        """Its width so many times."""
        ...


class Slim:
    __slots__ = ("first", "second")

    def __init__(self, first: str, second: str):
        self.first = first
        self.second = second

    def whole(self) -> str:
        """Both."""
        ...


async def shout(word: str) -> str:
    """The word in capitals."""
    ...
'''


@pytest.mark.usual_cases(
    "source5-Box.fine-lines5-self.unit",
    "source9-shout-lines9-word.upper()",
    "source1-level-lines1-usual if other is None else other",
    "source6-Box.units-lines6-cls.unit",
)
@pytest.mark.parametrize(
    ("source", "name", "lines", "body"),
    [
        (AVERAGE, "average", ["average(2, 4) == 3", "average(10, 30) == 20", "average(7, 9) == 8"], " / "),
        (
            LEVEL,
            "level",
            ["level(70) == 70", "level(151) == 151", "level(42, 0) == 0", "level(15, 130) == 130"],
            "usual if other is None else other",
        ),
        (
            DIFFERENT,
            "different",
            ["set(different([3, 1, 3])) == {1, 3}", "set(different([7, 7, 2, 12])) == {2, 7, 12}"],
            "sorted(set(xs))",
        ),
        (LABEL, "label", ["label('a', 3) == 'a3'", "label('foo', 12) == 'foo12'", "label('q', 5)"], "name + str("),
        (BOX, "Box.around", ["Box(3, 4).around == 14", "Box(7, 13).around == 40"], "2 * (self.width + self.height)"),
        (BOX, "Box.fine", ["Box(3, 4).fine() == 40", "Box(7, 13).fine() == 130"], "self.unit"),
        (BOX, "Box.units", ["Box.units(13) == 130", "Box.units(212) == 2120"], "cls.unit"),
        (BOX, "Box.fetched", ["run(Box(3, 4).fetched(12)) == 36", "run(Box(7, 13).fetched(5)) == 35"], "self.width"),
        (BOX, "Slim.whole", ["Slim('ab', 'c').whole() == 'abc'", "Slim('x', 'yz').whole() == 'xyz'"], "self.first + "),
        (BOX, "shout", ["run(shout('ab')) == 'AB'", "run(shout('tree')) == 'TREE'"], "word.upper()"),
    ],
)
async def test_stub_is_filled_by_annotations(
    source: str, name: str, lines: list[str], body: str, tmp_path: Path
) -> None:
    tests = "from asyncio import run\nfrom mod import *\n\ndef test_it():\n"
    tests += "".join(f"    assert {line}\n" for line in lines)
    problem = stated(tmp_path, source, name, tests=tests, failing=["test_it"], goal=Goal.IMPLEMENT)
    found, ended = await searched(problem, OPTIONS)
    assert found, ended.reason
    (edit,) = found[0].edits
    assert body in edit.replacement
