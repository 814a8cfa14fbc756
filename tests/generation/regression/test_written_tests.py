"""Tests are written for a function as it is: chosen by what they notice, in the project's style, and filtered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.generation.regression.bodies import Assertion, TestBody
from certo.generation.regression.gate import KillClaim, filter_tests
from certo.generation.regression.layout import TestPlace, TestStyle, find_place
from certo.generation.regression.proposal import TestProposal, write_tests
from certo.generation.regression.selection import SelectionBudget
from certo.generation.regression.test_file import NewTest, TestFileWriter
from certo.vocabulary.text import Span, TextEdit
from support.projects.subjects import subject_of

BUDGET = SelectionBudget(calls=200, mutants=40)
SMALL = SelectionBudget(calls=40, mutants=8)
"""Where the tests are written, and how they look, is the same for few of them."""

TOTAL = """\
    LIMIT = 100

    def total(prices: list[int]) -> int:
        if not prices:
            return 0
        amount = sum(prices)
        return amount - 10 if amount > LIMIT else amount
"""


def whole(proposal: TestProposal) -> str:
    """The test file with all tests."""
    assert proposal.written.reason == ""
    return proposal.text({test.name for test in proposal.written.tests})


async def test_new_file_covers_every_branch(tmp_path: Path) -> None:
    """And the same tests are written for the same seed."""
    subject = subject_of(tmp_path, TOTAL, "total")
    proposal, again = [await write_tests(subject, seed=0, budget=BUDGET) for _ in range(2)]
    written = proposal.written
    assert written == again.written
    text = whole(proposal)
    assert (written.path, written.is_new) == ("tests/test_till.py", True)
    assert text.startswith("from till import total\n\n\ndef test_total_of_nothing():\n    assert total([]) == 0\n")
    assert written.executed_after == written.branches
    assert 0.8 * written.mutants < written.noticed_after <= written.mutants
    assert os.listdir(tmp_path) == ["till.py"]


async def test_existing_tests_are_not_repeated(tmp_path: Path) -> None:
    before = "import till\n\n\ndef test_large():\n    assert till.total([200]) == 190\n"
    (tmp_path / "test_till.py").write_text(before, encoding="utf-8")
    proposal = await write_tests(subject_of(tmp_path, TOTAL, "total", ("test_till.py",)), seed=0, budget=SMALL)
    text = whole(proposal)
    assert text.startswith(before.rstrip("\n"))
    assert "assert till.total([]) == 0" in text
    assert proposal.written.noticed_before > 0
    assert all("[200]" not in test.call for test in proposal.written.tests)


@pytest.mark.slow
async def test_calls_of_one_world_are_left_out(tmp_path: Path) -> None:
    """What depends on the day, on chance or on the project's folder would fail on another day or machine."""
    source = """\
        import os, random, time

        def year(n: int) -> int:
            return time.localtime().tm_year + n

        def coin(n: int) -> int:
            return n + int(random.random() < 0.5)

        def folder(name: str) -> str:
            return os.path.join(os.path.dirname(__file__), name)
    """
    for name in ("year", "coin", "folder"):
        proposal = await write_tests(subject_of(tmp_path, source, name), seed=0, budget=BUDGET)
        assert [test.name for test in proposal.written.tests if not test.held] == []


@pytest.mark.slow
@pytest.mark.parametrize("content", ["def test_it(:\n", pytest.param("# caf\xe9\n", marks=pytest.mark.slow)])
async def test_unreadable_test_file_stays(tmp_path: Path, content: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_till.py").write_text(content, encoding="latin-1")
    proposal = await write_tests(subject_of(tmp_path, TOTAL, "total"), seed=0, budget=SMALL)
    assert (proposal.written.path, proposal.written.is_new) == ("tests/test_till_2.py", True)
    assert proposal.written.tests


async def test_coroutines_are_awaited(tmp_path: Path) -> None:
    source = """\
        async def later(n: int) -> int:
            if n < 0:
                raise ValueError("negative")
            return n + 1
    """
    text = whole(await write_tests(subject_of(tmp_path, source, "later"), seed=0, budget=SMALL))
    assert "assert asyncio.run(later(0)) == 1" in text
    assert "asyncio.run(later(-1))" in text


async def test_constructors_keep_their_first_argument(tmp_path: Path) -> None:
    source = """\
        class Label:
            def __init__(self, one, times):
                self.text = one + "!" * times
    """
    before = "from till import Label\n\n\ndef test_label():\n    assert Label('a', 2)\n"
    (tmp_path / "test_till.py").write_text(before, encoding="utf-8")
    subject = subject_of(tmp_path, source, "Label.__init__", ("test_till.py",))
    written = (await write_tests(subject, seed=0, budget=SMALL)).written
    assert written.ticked_names, written.reason


@pytest.mark.slow
async def test_names_of_other_modules_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "basket.py").write_text("def total(prices):\n    return -1\n", encoding="utf-8")
    before = "import till\nfrom basket import total\n\n\ndef test_it():\n    assert total([]) == till.LIMIT - 101\n"
    (tmp_path / "test_till.py").write_text(before, encoding="utf-8")
    proposal = await write_tests(subject_of(tmp_path, TOTAL, "total", ("test_till.py",)), seed=0, budget=BUDGET)
    assert "    assert till.total([]) == 0\n" in whole(proposal)


async def test_properties_hold_and_notice_mutants(tmp_path: Path) -> None:
    source = """\
        def encode(items: list[int]) -> str:
            return ",".join(str(item) for item in items)

        def decode(text: str) -> list[int]:
            return [int(part) for part in text.split(",") if part]
    """
    proposal = await write_tests(subject_of(tmp_path, source, "encode"), seed=0, budget=BUDGET)
    (found,) = [test for test in proposal.written.tests if test.held]
    assert (found.name, found.call) == ("test_encode_is_undone_by_decode", "decode(encode(items)) == items")
    assert found.held >= 200
    assert found.notices > 0
    assert "from till import decode, encode" in whole(proposal)


@pytest.mark.parametrize(
    ("source", "name", "call"),
    [
        pytest.param(
            """\
            def ordered(items: list[int]) -> list[int]:
                return sorted(item for item in items if item > -2)
            """,
            "test_ordered_is_sorted",
            "ordered(items) == sorted(ordered(items))",
            id="sorted",
        ),
        pytest.param(
            """\
            def label(number: int, unit: str, width: int) -> str:
                return unit.rjust(width % 9) + str(number % 7)
            """,
            "test_label_gives_a_str",
            "isinstance(label(number, unit, width), str)",
            id="type-and-no-exception",
        ),
    ],
)
async def test_order_and_type_are_properties(tmp_path: Path, source: str, name: str, call: str) -> None:
    proposal = await write_tests(subject_of(tmp_path, source, name.split("_")[1]), seed=0, budget=BUDGET)
    found = {test.name: test for test in proposal.written.tests if test.held}
    assert found[name].call == call
    assert found[name].held >= 200


async def test_single_elements_are_no_order(tmp_path: Path) -> None:
    source = """\
        def wrap(number: int) -> list[int]:
            return [number + 1]
    """
    proposal = await write_tests(subject_of(tmp_path, source, "wrap"), seed=0, budget=BUDGET)
    assert "test_wrap_is_sorted" not in [test.name for test in proposal.written.tests]


async def test_functions_that_raise_have_no_type(tmp_path: Path) -> None:
    source = """\
        def half(number: int) -> int:
            if number % 2:
                raise ValueError("odd")
            return number // 2
    """
    proposal = await write_tests(subject_of(tmp_path, source, "half"), seed=0, budget=BUDGET)
    assert not [test.call for test in proposal.written.tests if test.held]


async def test_unittest_neighbours_are_followed(tmp_path: Path) -> None:
    other = (
        "import unittest\n\n\nclass TestOther(unittest.TestCase):\n    def test_it(self):\n        self.assertTrue(1)\n"
    )
    (tmp_path / "other_test.py").write_text(other, encoding="utf-8")
    proposal = await write_tests(subject_of(tmp_path, TOTAL, "total"), seed=0, budget=SMALL)
    assert proposal.written.path == "till_test.py"
    text = whole(proposal)
    assert text.startswith("import unittest\n\nfrom till import total\n\n\nclass TestTotal(unittest.TestCase):\n")
    assert "        self.assertEqual(total([]), 0)\n" in text


def test_insertions_leave_lines_as_they_are() -> None:
    before = "import till\r\n\r\n\r\nclass TestTotal:\r\n    def test_a(self):\r\n        pass\r\n\r\n\r\nX = 1"
    place = TestPlace(path="test_till.py", text=before, style=TestStyle(form="classes"))
    body = TestBody(setup=(), assertions=(Assertion(("assert 'a' == \"b\"",), ("",)),), modules=("pytest",))
    writer = TestFileWriter(place, "total")
    text = writer.text([NewTest(name="test_b", body=body, imports=())])
    added = '\r\n\r\n    def test_b(self):\r\n        assert "a" == "b"'
    assert text == before.replace("pass", "pass" + added).replace("import till", "import till\r\nimport pytest")


@pytest.mark.parametrize("has_docstrings", [True, False])
def test_docstrings_follow_the_neighbours(tmp_path: Path, has_docstrings: bool) -> None:
    said = '    """It is so."""\n' if has_docstrings else ""
    neighbour = "".join(f"def test_{name}():\n{said}    assert True\n" for name in "ab")
    (tmp_path / "test_other.py").write_text(neighbour, encoding="utf-8")
    place = find_place(tmp_path, "till.py", (), {})
    body = TestBody(setup=(), assertions=(Assertion(("assert total([]) == 0",), ("",)),))
    tests = [
        NewTest(name="test_plain", body=body, imports=(), states="total([]) gives 0"),
        NewTest(name="test_quoted", body=body, imports=(), states='total(["]) gives 0'),
    ]
    text = TestFileWriter(place, "total").text(tests)
    assert text.count('"""') == (2 if has_docstrings else 0)
    assert ('"""total([]) gives 0."""' in text) is has_docstrings


def test_tabs_and_byte_order_mark_stay() -> None:
    before = "\ufeffimport pytest\n\n\nclass TestTotal:\n\tdef test_a(self):\n\t\tpass\n"
    place = TestPlace(path="test_till.py", text=before, style=TestStyle(form="classes"))
    lines = ("with pytest.raises(ValueError):", "    total(None)")
    body = TestBody(setup=(), assertions=(Assertion(lines, ("",)),))
    text = TestFileWriter(place, "total").text([NewTest(name="test_b", body=body, imports=(("total", "till"),))])
    compile(text.lstrip("\ufeff"), "test_till.py", "exec")
    assert text.startswith("\ufeffimport pytest\nfrom till import total\n")
    assert text.endswith("\n\tdef test_b(self):\n\t\twith pytest.raises(ValueError):\n\t\t\ttotal(None)\n")


async def test_docstring_examples_are_inputs(tmp_path: Path) -> None:
    """Nobody makes up this text, and without it the branch is not reached."""
    source = """\
        def price(code: str) -> int:
            \'\'\'Return the price of a code.

            >>> price("-".join(["X", "17"]))
            3
            \'\'\'
            return 3 if code == "X" + "-%d" % 17 else 0
    """
    proposal = await write_tests(subject_of(tmp_path, source, "price"), seed=0, budget=SMALL)
    assert 'assert price("-".join(["X", "17"])) == 3' in whole(proposal)


async def test_accidental_exception_is_not_ticked(tmp_path: Path) -> None:
    """A test of it has a doubt, comes after the others, and passes the same filter."""
    source = """\
        def first(words: list[str]) -> str:
            if len(words) > 1:
                return words[1]
            return words[0]
    """
    written = (await write_tests(subject_of(tmp_path, source, "first"), seed=0, budget=BUDGET)).written
    assert [(one.call, one.result) for one in written.suspicious] == [("first([])", "raises IndexError")]
    *others, odd = written.tests
    assert odd.call == "first([])"
    assert "pytest.raises(IndexError)" in odd.source
    assert odd.doubt == "it looks wrong: no `raise` in the project makes this IndexError"
    assert all("raises" not in test.source for test in others)
    assert written.ticked_names == tuple(test.name for test in others)
    assert written.ticked_names


@pytest.mark.parametrize("declared", ["str", "str | bytes", "Union[bytes, str]"])
async def test_undeclared_type_is_not_ticked(tmp_path: Path, declared: str) -> None:
    """An empty list where texts are declared is listed, and no test without a doubt states it."""
    source = f"""\
        from __future__ import annotations

        from typing import Union

        def longest(words: list[str]) -> {declared}:
            if not words:
                return []
            return max(words, key=len)
    """
    written = (await write_tests(subject_of(tmp_path, source, "longest"), seed=0, budget=BUDGET)).written
    assert [(one.call, one.result) for one in written.suspicious] == [("longest([])", "gives []")]
    assert {test.call: test.doubt for test in written.tests if test.doubt} == {
        "longest([])": f"it looks wrong: the function is declared to return `{declared}`"
    }
    assert written.ticked_names


async def test_wrong_annotation_makes_nothing_suspicious(tmp_path: Path) -> None:
    """Where most results are of another type, the annotation is wrong."""
    source = """\
        def pair(number: int) -> list:
            return (number, number) if number else []
    """
    written = (await write_tests(subject_of(tmp_path, source, "pair"), seed=0, budget=SMALL)).written
    assert not written.suspicious
    assert written.ticked_names


async def test_purposeful_exception_is_asserted_with_message(tmp_path: Path) -> None:
    source = """\
        def half(number: int) -> int:
            if number % 2:
                raise ValueError(f"{number} is an odd number")
            return number // 2
    """
    text = whole(await write_tests(subject_of(tmp_path, source, "half"), seed=0, budget=SMALL))
    assert 'with pytest.raises(ValueError, match="is an odd number"):' in text


async def test_changed_argument_is_asserted(tmp_path: Path) -> None:
    source = """\
        def drop(items: list[int], most: int) -> None:
            while len(items) > most >= 0:
                items.pop()
    """
    text = whole(await write_tests(subject_of(tmp_path, source, "drop"), seed=0, budget=SMALL))
    assert "    items = [" in text
    assert "    assert items == [" in text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import time\n    return time.time() + n", "what stamp gives depends on the time"),
        pytest.param(
            "import random\n    return random.randrange(10**9) + n",
            "what stamp gives depends on the time",
            marks=pytest.mark.slow,
        ),
        ("log.append(n)", "stamp changes globals or files"),
    ],
)
async def test_unsteady_functions_get_a_sentence(tmp_path: Path, body: str, said: str) -> None:
    source = f"log = []\n\n\ndef stamp(n: int):\n    {body}\n"
    proposal = await write_tests(subject_of(tmp_path, source, "stamp"), seed=0, budget=SMALL)
    assert not proposal.written.tests
    assert proposal.written.reason.startswith(said)


async def test_arguments_nobody_can_make(tmp_path: Path) -> None:
    source = "import socket\n\n\ndef send(connection: socket.socket) -> int:\n    return connection.send(b'')\n"
    proposal = await write_tests(subject_of(tmp_path, source, "send"), seed=0, budget=BUDGET)
    assert proposal.written.reason.startswith("certo cannot make up connection of send")


async def test_skipped_files_get_a_sentence(tmp_path: Path) -> None:
    before = "import pytest\n\nfrom till import total\n\npytestmark = pytest.mark.skip\n"
    (tmp_path / "test_till.py").write_text(before, encoding="utf-8")
    proposal = await write_tests(subject_of(tmp_path, TOTAL, "total", ("test_till.py",)), seed=0, budget=SMALL)
    assert proposal.written.reason == (
        "the project skips every test that was written for total, so nothing is known of them"
    )


async def test_filter_drops_tests_without_force(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, TOTAL, "total")
    place = TestPlace(path="test_till.py", text=None, style=TestStyle())
    bodies = {
        "test_red": Assertion(("assert total([1]) == 2",), ("assert not total([1]) == 2",)),
        "test_always": Assertion(("assert total([1]) == 1",), ("assert total([1])",)),
        "test_vain": Assertion(("assert total([1]) == 1",), ("assert not total([1]) == 1",)),
        "test_good": Assertion(("assert total([]) == 0",), ("assert not total([]) == 0",)),
    }
    tests = [
        NewTest(name=name, body=TestBody(setup=(), assertions=(one,)), imports=(("total", "till"),))
        for name, one in bodies.items()
    ]
    start = subject.text.index("return 0") + len("return ")
    mutants = {7: (TextEdit(Span(start, start + 1), "5"),)}
    claims = [KillClaim(test=test, mutants=(7,), is_needed=False) for test in tests]
    kept, result = await filter_tests(subject, place.path, TestFileWriter(place, "total"), claims, mutants)
    assert kept == {"test_good": (7,)}
    assert set(result.wrong) == {"test_red", "test_always"}
