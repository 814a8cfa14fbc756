"""Tests without their assertions, for a function that is not there."""

from __future__ import annotations

import ast

import pytest

from certo.analysis.assertion_removal import mocking, without_assertions, without_tests

pytestmark = pytest.mark.acceptance(100)

SUITE = '''"""Tests."""

from __future__ import annotations

import unittest
import pytest
from half import half, quarter

def given(x):
    return x

def test_one():
    assert half(given(2)) == 1
    with pytest.raises(ValueError):
        half("x")
    with open("f") as f, pytest.raises(ValueError):
        pass

class TestMethods:
    def test_two(self):
        assert half(4)

class Cases(unittest.TestCase):
    def test_three(self):
        from half import half
        self.assertEqual(half(1), 0)
        with self.assertRaises(TypeError):
            half(None)
        self.fail("no")
'''


def test_assertions_go_and_calls_in_them_stay() -> None:
    code = without_assertions(SUITE)
    assert "assert" not in code
    assert "raises" not in code
    assert "half('x')" in code
    assert "half(None)" in code
    assert "with open('f') as f:" in code
    assert "from half import half, quarter" in code
    ast.parse(code)


def test_tests_go_and_all_else_stays() -> None:
    code = without_tests(SUITE)
    assert "def given" in code
    assert "test_" not in code
    assert "class" not in code


def test_stub_replaces_the_import_after_future_imports() -> None:
    code = mocking(SUITE, "half")
    assert "import half" not in code
    assert "from half import quarter" in code
    compile(code, "x", "exec")
    names: dict[str, object] = {}
    exec(mocking("from half import half\ndef half(x):\n    raise ValueError\nx = half(1) + 2", "half"), names)
    assert "x" in names


@pytest.mark.parametrize("change", [without_assertions, without_tests, lambda code: mocking(code, "f")])
def test_unparsable_code_is_left_unchanged(change: object) -> None:
    assert change("def f(:") == "def f(:"
