"""Lessons of a search without a model; a branch learns from what led to it and from nothing else."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.target import ByName, find_target
from certo.knowledge.lessons import branch, fact_keys, facts, lessons, past_try
from certo.search.board import CandidateState, SearchState
from certo.vocabulary.candidate import Origin
from certo.vocabulary.cost import UNKNOWN, Cost
from certo.vocabulary.knowledge import Quote
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import FAILED_BEFORE
from support.search.events import BASELINE, told

pytestmark = pytest.mark.acceptance(64)

BASE = "def change(due):\n    while due > 1:\n        due -= 1\n    return due\n"
TARGET = find_target(BASE, ByName("change"), path="till/coins.py")
HEAD = Quote(path="till/coins.py", text="def change(due):")


def board(**replaced: object) -> SearchState:
    made = SearchState()
    for event in told(**replaced):  # type: ignore[arg-type]  # as told says
        made.apply(event)
    return made


def test_a_search_yields_its_facts() -> None:
    """Facts: the tests that reach its function, those that failed, and the checks that refused."""
    reached, aside, refused = facts(board(), TARGET)
    assert reached.section == "testing"
    assert reached.text == (
        "`change` in till/coins.py is reached by tests/test_coins.py::test_exact, tests/test_coins.py::test_nothing"
    )
    assert reached.quotes == (
        HEAD,
        Quote(path="tests/test_coins.py", text="def test_exact("),
        Quote(path="tests/test_coins.py", text="def test_nothing("),
    )
    assert (aside.section, aside.quotes) == ("gotchas", (Quote(path="tests/test_shop.py", text="def test_network("),))
    assert aside.text.endswith("red were tests/test_shop.py::test_network (ConnectionError)")
    assert refused.text == (
        "of 2 candidates for `change` in till/coins.py, `tests` refused 1, mostly for AssertionError"
    )
    assert [claim.key for claim in (reached, aside, refused)] == list(fact_keys(board()))
    assert {claim.search for claim in (reached, aside, refused)} == {"5eac"}


def test_tests_that_failed_before_are_no_facts() -> None:
    """Why they fail is not known, only that a change is not the reason."""
    older = tuple(replace(test, message=f"{FAILED_BEFORE}: {test.message}") for test in BASELINE.set_aside)
    some = board()
    assert some.started is not None
    some.started = replace(some.started, baseline=replace(BASELINE, set_aside=older))
    assert [claim.key.partition(" till")[0] for claim in facts(some, TARGET)] == ["reached", "refused"]


def test_unknown_facts_are_left_out() -> None:
    assert facts(SearchState(), TARGET) == ()
    some = board()
    assert some.started is not None
    some.started = replace(some.started, baseline=replace(BASELINE, tests=(), set_aside=()))
    some.rows.clear()
    assert facts(some, TARGET) == ()
    assert fact_keys(some) == ("reached till/coins.py::change", "set aside till/coins.py::change")
    assert fact_keys(SearchState()) == ()


def test_accepted_branches_name_failures_and_solution() -> None:
    failed, solved = lessons(board(), "bbb", BASE, TARGET)
    assert (failed.section, failed.candidate) == ("gotchas", "aaa")
    assert "was refused by `tests`: tests/test_coins.py::test_exact: assert [50] == [50, 1]" in failed.text
    assert (solved.section, solved.candidate) == ("where_to_edit", "bbb")
    assert solved.text.startswith("repair `change` in till/coins.py, which failed with AssertionError: what ")
    assert (
        lessons(board(), None, BASE, TARGET)
        == lessons(board(), "unknown", BASE, TARGET)
        == lessons(SearchState(), "aaa", BASE, TARGET)
        == ()
    )


def test_attempts_are_kept_with_change_and_failure() -> None:
    some = board(outcome=Outcome.ATTEMPTS_SPENT)
    made = past_try(some, some.rows["aaa"], 7.0)
    assert made is not None
    assert (made.candidate, made.number, made.qualname, made.at) == ("aaa", 1, "change", 7.0)
    assert (made.passed, made.cost) == (False, None)
    assert made.failure == "`tests`: tests/test_coins.py::test_exact: assert [50] == [50, 1]"
    assert "+    while due >= 1:" in made.diff
    unpriced = replace(some.rows["aaa"], cost=Cost(value=UNKNOWN, unit="tokens", source="nobody"))
    again = past_try(some, unpriced, 7.0)
    assert again is not None
    assert again.cost is None, "what is not known is not 0"


@st.composite
def some_rows(draw: st.DrawFn) -> dict[str, CandidateState]:
    """Candidates whose parents came before them, or, in a journal that is damaged, anywhere."""
    names = [str(number) for number in range(draw(st.integers(min_value=1, max_value=12)))]
    return {
        name: CandidateState(
            candidate_id=name,
            number=number + 1,
            origin=Origin(generator="a test"),
            edits=(),
            diff="",
            parent=draw(st.none() | st.sampled_from([*names, "gone"])),
        )
        for number, name in enumerate(names)
    }


@given(some_rows(), st.data())
def test_a_branch_never_sees_a_sibling(rows: dict[str, CandidateState], data: st.DataObject) -> None:
    leaf = data.draw(st.sampled_from(list(rows)))
    line = branch(rows, leaf)
    assert line[-1] is rows[leaf]
    for parent, child in itertools.pairwise(line):
        assert child.parent == parent.candidate_id
    some = board()
    some.rows = rows
    assert [claim.candidate for claim in lessons(some, leaf, BASE, TARGET)] == [row.candidate_id for row in line]
