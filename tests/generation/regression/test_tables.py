"""Tests of one form are rows of a table, where the neighbours have tables or there are many of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.generation.regression.bodies import Assertion, TestBody
from certo.generation.regression.layout import Form, TestPlace, TestStyle
from certo.generation.regression.proposal import write_tests
from certo.generation.regression.selection import SelectionBudget
from certo.generation.regression.tables import in_tables
from certo.generation.regression.test_file import NewTest, TestFileWriter
from support.projects.subjects import subject_of

NEIGHBOUR = """\
import pytest
from till import total

@pytest.mark.parametrize("n", [1])
def test_other(n):
    assert n
"""

TOTAL = """\
    LIMIT = 100

    def total(prices: list[int]) -> int:
        if not prices:
            return 0
        amount = sum(prices)
        return amount - 10 if amount > LIMIT else amount
"""


def new_test(name: str, line: str) -> NewTest:
    """A test of one assertion."""
    return NewTest(
        name=name, body=TestBody(setup=(), assertions=(Assertion((line,), (f"assert not ({line[7:]})",)),)), imports=()
    )


def made(number: int, *, form: Form = "functions", like: bool = False, taken: tuple[str, ...] = ()) -> list[str]:
    """The names of so many tests of one form, and of one other."""
    tests = [new_test(f"test_half_of_{n}", f"assert half({n}) == {n // 2}") for n in range(number)]
    tests.append(new_test("test_half_of_none", "assert half(None) is None"))
    return [test.name for test in in_tables(tests, "half", ["n"], TestStyle(form=form, uses_parametrize=like), taken)]


def test_enough_of_one_form_become_rows() -> None:
    assert made(5) == [*(f"test_half[of_{n}]" for n in range(5)), "test_half_of_none"]
    assert made(2, like=True)[0] == "test_half[of_0]"


@pytest.mark.parametrize(
    ("number", "form", "taken"), [(4, "functions", ()), (5, "unittest", ()), (5, "functions", ("test_half",))]
)
def test_others_stay_functions(number: int, form: Form, taken: tuple[str, ...]) -> None:
    assert not any("[" in name for name in made(number, form=form, taken=taken))


def test_table_within_a_class() -> None:
    place = TestPlace(path="test_a.py", text=None, style=TestStyle(form="classes", uses_parametrize=True))
    tests = [new_test(f"test_half_of_{n}", f"assert half({n}) == '{n}'") for n in (2, 4)]
    rows = in_tables(tests, "half", ["n"], place.style, ())
    writer = TestFileWriter(place, "half")
    assert writer.text(rows) == (
        "import pytest\n\n\nclass TestHalf:\n    @pytest.mark.parametrize(\n"
        '        ("n", "expected"),\n        [\n            pytest.param(2, "2", id="of_2"),\n'
        '            pytest.param(4, "4", id="of_4"),\n        ],\n    )\n'
        "    def test_half(self, n, expected):\n        assert half(n) == expected\n"
    )
    assert writer.within_file(rows[0].name) == "TestHalf::test_half[of_2]"
    assert 'pytest.param(4, "4"' not in writer.text(rows[:1])


def test_rows_ask_for_the_fixture() -> None:
    """Only one that the statement names, and not where a row's value names it too."""
    place = TestPlace(path="test_a.py", text=None, style=TestStyle(uses_parametrize=True))
    tests = [new_test(f"test_take_of_{n}", f"assert account.take({n}) == {n}") for n in (1, 2)]
    tests = [replace(test, body=replace(test.body, fixtures=("account",))) for test in tests]
    rows = in_tables(tests, "take", ["n"], place.style, ())
    text = TestFileWriter(place, "take").text(rows)
    assert text.endswith("def test_take(account, n, expected):\n    assert account.take(n) == expected\n")
    assert in_tables(tests, "take", ["account"], place.style, ()) == tuple(tests)


@pytest.mark.slow
async def test_rows_pass_the_filter(tmp_path: Path) -> None:
    (tmp_path / "test_till.py").write_text(NEIGHBOUR, encoding="utf-8")
    subject = subject_of(tmp_path, TOTAL, "total", ("test_till.py",))
    proposal = await write_tests(subject, seed=0, budget=SelectionBudget(calls=200, mutants=40))
    names = [test.name for test in proposal.written.tests]
    assert sum(name.startswith("test_total[") for name in names) > 1, proposal.written
    text = proposal.text(set(names))
    assert text.startswith(NEIGHBOUR.rstrip())
    assert "def test_total(prices, expected):\n    assert total(prices) == expected\n" in text
    assert proposal.written.executed_after == proposal.written.branches
