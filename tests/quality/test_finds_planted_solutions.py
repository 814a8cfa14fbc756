"""The built-in generator finds what was planted: bugs of the kinds it promises to repair, holes it promises to fill.

A repair counts when one of the proposals does right on inputs that the search has not seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet

from certo.vocabulary.problem import Goal
from support.search.builtin_searches import searched, stated, text_of


class Planted(NamedTuple):
    """A function with a bug or a hole, its tests, and what the right one does on inputs they do not show."""

    source: str
    name: str
    tests: str
    right: Callable[[dict[str, Any]], bool]
    passing: tuple[str, ...] = ()


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("it waits for something")


BUGS = {
    "off by one": Planted(
        """
        def total_to(limit):
            total = 0
            for number in range(1, limit):  # all of them
                total += number
            return total
        """,
        "total_to",
        """
        from mod import total_to
        def test_red():
            assert total_to(4) == 10
        """,
        lambda space: [space["total_to"](n) for n in (0, 1, 7)] == [0, 1, 28],
    ),
    "wrong operator": Planted(
        """
        def is_adult(age):
            return age > 18
        """,
        "is_adult",
        """
        from mod import is_adult
        def test_red():
            assert is_adult(18)
        def test_child():
            assert not is_adult(17)
        """,
        lambda space: [bool(space["is_adult"](n)) for n in (3, 17, 18, 19, 70)] == [False, False, True, True, True],
        ("test_child",),
    ),
    "wrong variable": Planted(
        """
        def fill(width, height):
            rows = []
            for row in range(height):
                rows.append([row * width + column for column in range(height)])
            return rows
        """,
        "fill",
        """
        from mod import fill
        def test_red():
            assert fill(3, 2) == [[0, 1, 2], [3, 4, 5]]
        def test_square():
            assert fill(2, 2) == [[0, 1], [2, 3]]
        """,
        lambda space: space["fill"](1, 3) == [[0], [1], [2]] and space["fill"](4, 1) == [[0, 1, 2, 3]],
        ("test_square",),
    ),
    "swapped arguments": Planted(
        """
        def power(base, exponent):
            if exponent == 0:
                return 1
            return base * power(exponent - 1, base)
        """,
        "power",
        """
        from mod import power
        def test_red():
            assert power(2, 3) == 8
        def test_zero():
            assert power(5, 0) == 1
        """,
        lambda space: space["power"](3, 4) == 81 and space["power"](7, 1) == 7,
        ("test_zero",),
    ),
    "missing base case": Planted(
        """
        def depth(tree):
            return 1 + max(depth(child) for child in tree)
        """,
        "depth",
        """
        from mod import depth
        def test_leaf():
            assert depth([]) == 1
        def test_tree():
            assert depth([[], [[]]]) == 3
        """,
        lambda space: space["depth"]([[[[]]], []]) == 4,
    ),
    "a method": Planted(
        """
        class Account:
            def __init__(self, balance):
                self.balance = balance
                self.limit = 100

            def withdraw(self, amount):
                if amount > self.limit:
                    raise ValueError("not that much")
                self.balance += amount
                return self.balance
        """,
        "Account.withdraw",
        """
        import pytest
        from mod import Account
        @pytest.fixture
        def account():
            return Account(50)
        def test_red(account):
            assert account.withdraw(20) == 30
        def test_limit(account):
            with pytest.raises(ValueError):
                account.withdraw(101)
        """,
        lambda space: space["Account"](10).withdraw(4) == 6,
        ("test_limit",),
    ),
    "a decorated coroutine with tabs": Planted(
        "import functools\n"
        "def kept(function):\n"
        "\t@functools.wraps(function)\n"
        "\tasync def around(*given):\n"
        "\t\treturn await function(*given)\n"
        "\treturn around\n"
        "@kept\n"
        "async def longest(words):\n"
        "\tbest = ''\n"
        "\tfor word in words:\n"
        "\t\tif len(word) < len(best):\n"
        "\t\t\tbest = word\n"
        "\treturn best\n",
        "longest",
        """
        import asyncio
        from mod import longest
        def test_red():
            assert asyncio.run(longest(['a', 'ccc', 'bb'])) == 'ccc'
        """,
        lambda space: awaited(space["longest"](["x", "yyyy", "zz"])) == "yyyy",
    ),
    "a function within a function": Planted(
        """
        def counter(step):
            count = 0
            def advance():
                nonlocal count
                count -= step
                return count
            return advance
        """,
        "counter.<locals>.advance",
        """
        from mod import counter
        def test_red():
            advance = counter(2)
            assert [advance(), advance()] == [2, 4]
        """,
        lambda space: (lambda advance: (advance(), advance()))(space["counter"](5)) == (5, 10),
    ),
}


def ran(text: str) -> dict[str, Any]:
    """The module's names after running a text."""
    space: dict[str, Any] = {"__name__": "mod"}
    exec(compile(text, "mod.py", "exec"), space)
    return space


def does_right(planted: Planted, text: str) -> bool:
    """True if a text does right on the inputs nobody showed; one that raises does not."""
    try:
        return planted.right(ran(text))
    except Exception:  # noqa: BLE001 - a proposal that passes its tests may still do anything on other inputs
        return False


def each_bug() -> Iterator[ParameterSet]:
    """Each kind of bug with each ending of lines; Windows' ending in two telling kinds in the usual run."""
    for kind, (name, ending) in itertools.product(BUGS, {"unix": "\n", "windows": "\r\n"}.items()):
        rare = name == "windows" and kind not in {"a method", "wrong variable"}
        yield pytest.param(kind, ending, id=f"{kind}-{name}", marks=[pytest.mark.slow] if rare else [])


@pytest.mark.usual_cases("a method-windows", "off by one-unix")
@pytest.mark.parametrize(("kind", "ending"), list(each_bug()))
async def test_a_planted_bug_is_repaired(kind: str, ending: str, tmp_path: Path) -> None:
    planted = BUGS[kind]
    source = dedent(planted.source).strip("\n").replace("\n", ending)
    names = [line.split()[1].partition("(")[0] for line in planted.tests.splitlines() if "def test_" in line]
    problem = stated(
        tmp_path,
        source,
        planted.name,
        tests=planted.tests,
        failing=[name for name in names if name not in planted.passing],
        passing=planted.passing,
    )
    found, ended = await searched(problem)
    texts = [text_of(problem, one) for one in found]
    assert any(does_right(planted, text) for text in texts), f"{ended.reason}; {texts}"
    for one, text in zip(found, texts, strict=True):
        assert all(problem.target.span.contains(edit.span) for edit in one.edits)
        assert text.replace(ending, "").count("\r") == text.replace(ending, "").count("\n") == 0


HOLES = {
    "from a doctest": Planted(
        '''
        def area(width, height):
            """The area of a rectangle.

            >>> area(2, 3)
            6
            >>> area(4, 5)
            20
            """
            ...
        ''',
        "area",
        "",
        lambda space: space["area"](7, 11) == 77,
    ),
    "from parameters": Planted(
        """
        def clamp(value, low, high):
            pass
        """,
        "clamp",
        """
        import pytest
        from mod import clamp
        @pytest.mark.parametrize('value, low, high, want', [(5, 0, 3, 3), (-1, 0, 3, 0), (2, 0, 3, 2), (9, 4, 6, 6)])
        def test_red(value, low, high, want):
            assert clamp(value, low, high) == want
        """,
        lambda space: [space["clamp"](n, 10, 20) for n in (5, 15, 25)] == [10, 15, 20],
    ),
    "from a truth": Planted(
        """
        class Stack:
            def __init__(self, items):
                self.items = list(items)

            def is_empty(self):
                raise NotImplementedError
        """,
        "Stack.is_empty",
        """
        from mod import Stack
        def test_full():
            for items in ([1], [0], ["a", "b"], [None], [[], []]):
                assert Stack(items).is_empty() is False
        def test_empty():
            assert Stack([]).is_empty() is True
        """,
        lambda space: space["Stack"]([]).is_empty() is True and space["Stack"]([0, 0]).is_empty() is False,
    ),
    "from a unittest case": Planted(
        '''
        def initials(name):
            """The initials of a name, in capitals."""
            # TODO
            pass
        ''',
        "initials",
        """
        import unittest
        from mod import initials
        class Names(unittest.TestCase):
            def test_red(self):
                self.assertEqual(initials('ada lovelace'), 'AL')
                self.assertEqual(initials('grace brewster hopper'), 'GBH')
        """,
        lambda space: space["initials"]("alan mathison turing") == "AMT",
    ),
    "near a number": Planted(
        """
        def hypotenuse(a, b): ...
        """,
        "hypotenuse",
        """
        import pytest
        from mod import hypotenuse
        def test_red():
            assert hypotenuse(3, 4) == 5.0
            assert hypotenuse(1, 1) == pytest.approx(1.41421356)
            assert abs(hypotenuse(2, 5) - 5.38516480) < 1e-6
        """,
        lambda space: abs(space["hypotenuse"](8, 15) - 17) < 1e-9,
    ),
}


@pytest.mark.usual_cases("from parameters")
@pytest.mark.parametrize("kind", HOLES)
async def test_a_planted_hole_is_filled(kind: str, tmp_path: Path) -> None:
    planted = HOLES[kind]
    failing = {
        "from parameters": [f"test_red[{case}]" for case in ("5-0-3-3", "-1-0-3-0", "2-0-3-2", "9-4-6-6")],
        "from a truth": ["test_full", "test_empty"],
        "from a unittest case": ["Names::test_red"],
        "from a doctest": [],
    }.get(kind, ["test_red"])
    problem = stated(
        tmp_path,
        dedent(planted.source).strip("\n"),
        planted.name,
        tests=planted.tests,
        failing=failing,
        goal=Goal.IMPLEMENT,
    )
    found, ended = await searched(problem)
    texts = [text_of(problem, one) for one in found]
    assert any(does_right(planted, text) for text in texts), f"{ended.reason}; {texts}"
    if problem.target.docstring:
        assert all(problem.target.docstring.splitlines()[0] in text for text in texts)
