"""Why a candidate is right: sentences made of its evidence, and none where there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.edits.diff import change_of
from certo.presentation.why_right import why_right
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.events import SearchStarted
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.text import Hunk
from certo.vocabulary.verdict import Dependence, Ruling, Verdict
from support.search.live_searches import live_search


def verified() -> tuple[LiveSearch, CandidateState]:
    """Return a search and its winner, whose tests' strength is not known."""
    search = live_search()
    row = search.state.ranked()[0]
    row.strength = None
    return search, row


async def test_failure_change_and_tests_are_told() -> None:
    search, row = verified()
    noticed = Verdict(verifier="evidence", ruling=Ruling.PASSED, dependence=Dependence(noticed=1))
    row.verdicts.append(noticed)
    assert why_right(search.state, row) == (
        "test_exact failed: assert [50] == [50, 1]. "
        "Line 2 was `while due > 1:`, and is now `while due >= 1:`. "
        "1 test that failed passes now and 1 test passes as before; 1 test notices a wrong version of it. "
        "Calls that these tests do not make were not checked."
    )


async def test_calls_that_can_be_named_stand_elsewhere() -> None:
    search = live_search()
    row = search.state.ranked()[0]
    assert row.strength is not None
    assert "not checked" not in why_right(search.state, row)


@pytest.mark.parametrize("which", ["failed", "unverified"])
async def test_unverified_candidates_get_no_reasons(which: str) -> None:
    search, row = verified()
    if which == "failed":
        row = next(each for each in search.state.rows.values() if not each.passed)
    row.verified = False
    assert why_right(search.state, row) == ""


@pytest.mark.parametrize(
    ("hunks", "said"),
    [
        ((Hunk(line=3, removed=(), added=("    n += 1\n",)),), "Line 3 is new: `n += 1`."),
        ((Hunk(line=3, removed=("    n += 1\n",), added=()),), "Line 3 was `n += 1`, and is gone."),
        (
            (Hunk(line=3, removed=("a\n",), added=("b\n", "c\n")),),
            "The candidate changes 2 lines between line 3 and line 4.",
        ),
        (
            (Hunk(line=3, removed=("a\n",), added=("b\n",)), Hunk(line=9, removed=("c\n",), added=())),
            "Line 3 was `a`, and is now `b`; line 9 was `c`, and is gone.",
        ),
        (
            tuple(Hunk(line=line, removed=("a\n",), added=("b\n",)) for line in (3, 6, 9)),
            "The candidate changes 3 lines between line 3 and line 9.",
        ),
    ],
    ids=["a new line", "a line less", "a line in two", "two places", "three places"],
)
async def test_changed_lines_are_told(hunks: tuple[Hunk, ...], said: str) -> None:
    search, row = verified()
    row.hunks = hunks
    assert said in why_right(search.state, row)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((2,), "Line 2 (suspicion 0.71 of 1) was `a`, and is now `b`."),
        ((2, 4), "Line 2 was `a`, and is now `b`; line 4 was `a`, and is now `b` (suspicion up to 0.71 of 1)."),
        ((2, 4, 6), "The candidate changes 3 lines between line 2 and line 6 (suspicion up to 0.71 of 1)."),
    ],
    ids=["one line", "two lines", "three lines"],
)
async def test_the_suspicion_of_lines_is_told(lines: tuple[int, ...], said: str) -> None:
    search, row = verified()
    row.hunks = tuple(Hunk(line=line, removed=("a\n",), added=("b\n",)) for line in lines)
    row.origin = replace(row.origin, suspicion=0.7071)
    assert said in why_right(search.state, row)


async def test_lines_of_other_files_are_told() -> None:
    search, row = verified()
    row.elsewhere = (change_of("shop/till.py", "a\nb\n", "a\nc\n"),)
    assert "and is now `while due >= 1:`; line 2 of shop/till.py was `b`, and is now `c`." in why_right(
        search.state, row
    )


async def test_several_failing_tests_are_counted() -> None:
    search, row = verified()
    started = search.state.started
    assert isinstance(started, SearchStarted)
    silent = KnownTest(id="tests/test_coins.py::TestTill::test_none", ruling=Ruling.FAILED)
    example = KnownTest(id="doctest:change:3", ruling=Ruling.FAILED, message="change(1) gave 1, not 0.")
    baseline = replace(started.baseline, tests=(silent, example, replace(silent, id="tests/test_coins.py::test_b")))
    search.state.started = replace(started, baseline=baseline)
    assert why_right(search.state, row).startswith(
        "The example on line 3 failed: change(1) gave 1, not 0; so did 2 other tests. "
    )
    search.state.started = replace(started, baseline=replace(started.baseline, tests=(silent,)))
    assert why_right(search.state, row).startswith("TestTill.test_none failed. ")


async def test_failures_are_told_by_two_values() -> None:
    search, row = verified()
    started = search.state.started
    assert isinstance(started, SearchStarted)
    said = "assert [2, 2] == [4], At index 0 diff: 2 != 4, Left contains one more item: 2"
    failing = KnownTest(id="tests/test_coins.py::test_b", ruling=Ruling.FAILED, message=said)
    search.state.started = replace(started, baseline=replace(started.baseline, tests=(failing,)))
    assert why_right(search.state, row).startswith("test_b failed: assert [2, 2] == [4]. Line 2 ")
