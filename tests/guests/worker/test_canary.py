"""Assertions broken on purpose: honest results fail them, and results that equal anything do not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo_worker.canary.wrong_values import other_than
from support.sandbox.two_processes import run_apart

SHOP = """
import functools

class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return type(other) is Point and self.x == other.x

@functools.total_ordering
class Level(Point):
    def __lt__(self, other):
        return self.x < other.x

class Liar(Point):
    def __eq__(self, other):
        return True

    def __contains__(self, other):
        return True

class Near(float):
    def __eq__(self, other):
        return abs(float(self) - float(other)) < 100

    __hash__ = float.__hash__

class Alone:
    def __init__(self, x):
        pass

    def __eq__(self, other):
        return isinstance(other, Alone)

class Words:
    def __contains__(self, word):
        return word.isalpha()

class Unordered:
    def __le__(self, other):
        return True

    __lt__ = __ge__ = __gt__ = __le__

def double(n):
    return 2 * n

def refuse():
    raise KeyError("no")

def lie(n):
    return Liar(n)
"""

ASSERTIONS = {
    "equal": "assert shop.double(2) == 4",
    "equal_the_other_way": "assert 4 == shop.double(2)",
    "unequal": "assert shop.double(2) != 5",
    "truth": "assert shop.double(2)",
    "falsehood": "assert not shop.double(0)",
    "order": "assert 3 < shop.double(2) < 5",
    "order_of_two": "assert shop.double(2) <= 4 and shop.double(2) < 5 and 4 >= shop.double(2)",
    "order_of_objects": "assert shop.Level(1) <= shop.Level(1) and shop.Level(1) < shop.Level(2)",
    "identity": "assert shop.refuse is not None",
    "containing": "assert shop.double(2) in (3, 4) and shop.double(1) in range(10**9)",
    "not_containing": "assert 5 not in [shop.double(2)]",
    "both": "point = shop.Point(1)\nassert point is not None and point.x == 1",
    "either": "assert shop.double(2) == 4 or shop.double(2) == 5",
    "all_of": "assert all(shop.double(n) == 2 * n for n in range(3))",
    "approximately": "assert shop.double(0.1) == pytest.approx(0.2)\nassert [0.2] == pytest.approx([shop.double(0.1)])",
    "raising": "with pytest.raises(KeyError):\n    shop.refuse()",
    "raising_as_a_call": "pytest.raises(KeyError, shop.refuse)",
    "warning": "import warnings\nwith pytest.warns(UserWarning):\n    warnings.warn('look')",
    "unittest": "import unittest\nunittest.TestCase().assertEqual(shop.double(2), 4)",
    "unittest_almost": "import unittest\nunittest.TestCase().assertAlmostEqual(shop.double(0.1), 0.2)",
    "unittest_truth": "import unittest\nunittest.TestCase().assertTrue(shop.double(2))",
    "unittest_in": "import unittest\nunittest.TestCase().assertIn(shop.double(2), [4])",
    "unittest_raising": "import unittest\nunittest.TestCase().assertRaises(KeyError, shop.refuse)",
    "in_a_function": "assert_double(2, 4)",
    "of_objects": "assert shop.Point(1) == shop.Point(1)",
    "of_mocks": "from unittest.mock import Mock\nmock = Mock()\nmock(shop.double(2))\nmock.assert_called_once_with(4)",
}

LIES = {
    "equal": "assert shop.lie(1) == shop.Point(1)",
    "equal_the_other_way": "assert shop.Point(1) == shop.lie(1)",
    "unittest": "import unittest\nunittest.TestCase().assertEqual(shop.lie(1), shop.Point(1))",
    "containing": "assert 3 in shop.lie(1)",
    "containing_words": "assert 'three' in shop.Words()",
    "in_order": "assert all(a <= b for a, b in [(shop.Unordered(), shop.Unordered())])",
    "before": "assert shop.Unordered() < shop.Unordered()",
}

BESIDE = {
    "together": ("near", "assert shop.Near(2.0) == 2.5"),
    "apart": ("made", "assert shop.Alone(1) == shop.Alone(1)"),
}

VACUOUS = {
    "unreached": "for each in []:\n    assert each",
}

BARE = {
    "nothing": "shop.double(2)",
    "failing_if_nothing_is_raised": "try:\n    shop.refuse()\n    assert False\nexcept KeyError:\n    pass",
    "failing_else": "try:\n    shop.refuse()\nexcept KeyError:\n    pass\nelse:\n    pytest.fail('none')",
    "failing_if_raised": "try:\n    shop.double(2)\nexcept KeyError:\n    pytest.fail('refused')",
    "failing_inside": "def own(n):\n    try:\n        return 2\n    except KeyError:\n        pytest.fail()\nown(2)",
    "context": "with open(__file__):\n    pass\nshop.double(2)",
}
"""Tests that state nothing but that they come to their end."""


def files(bodies: Mapping[str, str]) -> dict[str, str]:
    head = "import pytest\nimport shop\n\ndef assert_double(n, twice):\n    assert shop.double(n) == twice\n\n"
    functions = [
        f"def test_{name}():\n" + "".join(f"    {line}\n" for line in body.splitlines())
        for name, body in bodies.items()
    ]
    return {"test_shop.py": head + "\n".join(functions)}


@pytest.fixture(scope="module", params=[True, False], ids=["apart", "together"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    lies = {f"lie_{name}": body for name, body in LIES.items()}
    return run_apart(
        tmp_path_factory.mktemp("canary"),
        SHOP,
        files({**ASSERTIONS, **lies, **VACUOUS, **BARE}),
        canary=True,
        apart=request.param,
    )


@pytest.mark.parametrize("name", ASSERTIONS)
def test_what_is_right_fails(name: str, told: dict[str, dict[str, Any]]) -> None:
    one = told[f"test_shop.py::test_{name}"]
    assert one["outcome"] == "failed"
    assert one["sites"] >= 1


@pytest.mark.parametrize("name", LIES)
def test_what_equals_anything_passes(name: str, told: dict[str, dict[str, Any]]) -> None:
    one = told[f"test_shop.py::test_lie_{name}"]
    assert (one["outcome"], one["message"]) == ("passed", "")
    assert one["sites"] == 1


@pytest.mark.parametrize("where", BESIDE)
def test_equal_only_to_near_values_passes(where: str, tmp_path: Path) -> None:
    name, body = BESIDE[where]
    told = run_apart(tmp_path, SHOP, files({name: body}), canary=True, apart=where == "apart")
    assert told[f"test_shop.py::test_{name}"]["outcome"] == "passed"


@pytest.mark.parametrize("name", BARE)
def test_without_assertion_fails_at_its_end(name: str, told: dict[str, dict[str, Any]]) -> None:
    one = told[f"test_shop.py::test_{name}"]
    assert (one["outcome"], one["sites"], one["bare"]) == ("failed", 0, True)


VAIN = {
    "doing_nothing": ("lambda *said: None", BARE["failing_else"].replace("refuse()", "double(2)")),
    "raising_another": (
        "lambda *said: {}[0]",
        "try:\n    shop.double(2)\n    pytest.fail()\nexcept KeyError:\n    pass",
    ),
}


@pytest.mark.parametrize("name", VAIN)
def test_failing_in_vain_is_no_end(name: str, tmp_path: Path) -> None:
    """What the candidate changed keeps the test from failing, which its end would not tell from an honest pass."""
    changed, body = VAIN[name]
    told = run_apart(
        tmp_path, SHOP + f"\nimport pytest\npytest.fail = {changed}\n", files({name: body}), canary=True, apart=False
    )
    one = told[f"test_shop.py::test_{name}"]
    assert (one["outcome"], one["sites"], one["bare"]) == ("passed", 0, False)


def test_unreached_assertion_is_no_site(told: dict[str, dict[str, Any]]) -> None:
    one = told["test_shop.py::test_unreached"]
    assert (one["outcome"], one["sites"], one["bare"]) == ("passed", 0, False)


def test_doctest_examples_expect_something_else(tmp_path_factory: pytest.TempPathFactory) -> None:
    shop = '''
    def double(n):
        """Twice a number.

        >>> double(2)
        4
        >>> four = double(2)
        >>> double(None)
        Traceback (most recent call last):
        TypeError: unsupported operand type(s) for *: 'int' and 'NoneType'
        """
        return 2 * n
    '''
    target = {"file": "shop.py", "qualname": "double", "first": 2, "last": 11, "changed": [], "entry_counts": False}
    asked = {"program": "doctest_run", "target": {**target, "text": dedent(shop), "line": 2}}
    place = tmp_path_factory.mktemp("doctests")
    as_it_is = run_apart(place / "as_it_is", shop, {}, **asked)
    assert [each["outcome"] for each in as_it_is.values()] == ["passed"] * 3
    told = list(run_apart(place / "broken", shop, {}, canary=True, **asked).values())
    assert [(each["outcome"], each["sites"], each["bare"]) for each in told] == [
        ("failed", 1, False),
        ("failed", 0, True),
        ("failed", 1, False),
    ]


VALUES = some.recursive(
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text()
    | some.binary()
    | some.decimals(allow_nan=False)
    | some.fractions()
    | some.dates()
    | some.timedeltas(),
    lambda inner: some.lists(inner) | some.tuples(inner) | some.dictionaries(some.text(), inner),
    max_leaves=4,
)


@given(VALUES)
def test_another_value_is_never_the_same(value: Any) -> None:
    assert other_than(value) != value


@given(some.floats(allow_nan=False, allow_infinity=False, max_value=1e300, min_value=-1e300) | some.integers())
def test_another_number_is_beyond_any_ordinary_tolerance(number: float) -> None:
    assert other_than(number) != pytest.approx(number, rel=1.0, abs=100.0)


def test_assertions_of_packages_are_broken_too(tmp_path: Path) -> None:
    tests = {"qa/__init__.py": "from shop import price\n\ndef test_price():\n    assert price() == 1\n"}
    told = run_apart(tmp_path, "def price():\n    return 1\n", tests, apart=False, canary=True)
    assert (told["qa/__init__.py::test_price"]["outcome"], told["qa/__init__.py::test_price"]["sites"]) == ("failed", 1)


COLLECTED = {
    "truth": "assert [1], 'nothing to test'",
    "equal": "assert shop.Point(1) == shop.Point(1)",
    "in_a_function": "def check():\n    assert shop.double(1) == 2\n\ncheck()",
    "unittest": "import unittest\nunittest.TestCase().assertEqual(shop.Point(1), shop.Point(1))",
}


def collected(check: str, tmp_path: Path) -> dict[str, dict[str, Any]]:
    tests = {"test_shop.py": f"import shop\n\n{check}\n\ndef test_double():\n    assert shop.double(2) == 4\n"}
    return run_apart(tmp_path, SHOP, tests, apart=False, canary=True)


@pytest.mark.parametrize("name", COLLECTED)
def test_honest_files_are_collected_when_broken(name: str, tmp_path: Path) -> None:
    assert collected(COLLECTED[name], tmp_path)["test_shop.py::test_double"]["outcome"] == "failed"


@pytest.mark.parametrize("name", ["equal", "unittest", "in_order"])
def test_forged_values_prevent_broken_collection(name: str, tmp_path: Path) -> None:
    assert "test_shop.py::test_double" not in collected(LIES[name], tmp_path)
