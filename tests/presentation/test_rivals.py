"""Candidates beside each other: what each gives for the same calls, and which examples hold for one of them alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.examples import examples_in
from certo.presentation.rivals import agreement_in_words, as_one_example, compared, deciding_examples, differing_calls
from certo.search.board import CandidateState
from certo.vocabulary.candidate import Observation, Origin


def row(number: int, *results: str) -> CandidateState:
    """A candidate that gives these for f(0), f(1) and so on."""
    seen = tuple(Observation(call=f"f({place})", result=result) for place, result in enumerate(results))
    origin = Origin(generator="builtin")
    return CandidateState(candidate_id=str(number), number=number, origin=origin, edits=(), diff="", observations=seen)


ROWS = (row(1, "0", "raises KeyError: 1"), row(2, "0", "'a b'"), row(3, "5", "does not come back"))


def test_calls_are_shown_from_one_candidates_view() -> None:
    assert differing_calls(ROWS[1], ROWS) == (
        "f(0) gives 0 here and with #1, gives 5 with #3",
        "f(1) gives 'a b' here, raises KeyError: 1 with #1, does not come back with #3",
    )


def voting(number: int, group: int, agreeing: int, *results: str) -> CandidateState:
    """A candidate that was compared with two others."""
    return replace(row(number, *results), group=group, agreeing=agreeing, backed=agreeing, compared=3)


MEAN, MEDIAN, AGAIN = voting(1, 2, 1, "3.0"), voting(2, 1, 2, "2"), voting(3, 1, 2, "2")


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([[MEDIAN, AGAIN], [MEAN]], "2 of 3 candidates agree; #1 differs on `f(0)`: 2 here, 3.0 there"),
        ([[MEAN], [MEDIAN, AGAIN]], "no other of 3 candidates agrees; #2 and #3 differ on `f(0)`: 3.0 here, 2 there"),
        ([[replace(MEAN, agreeing=3)]], "the same answer was given 3 times"),
        (
            [[replace(MEDIAN, unusual=True)], [MEAN]],
            "2 of 3 candidates agree, counting answers that were given more than once; "
            "#1 differs on `f(0)`: 2 here, 3.0 there (only on calls unlike those of the tests)",
        ),
        (
            [[voting(2, 1, 1, "0", "5")], [voting(1, 2, 1, "raises E", "6")]],
            "no other of 3 candidates agrees; #1 differs on `f(1)`: 5 here, 6 there",
        ),
        (
            [[replace(voting(2, 1, 1, "0"), backed=2)], [voting(1, 2, 1, "1")]],
            "1 of 3 candidates agree, and 1 more wherever both answer; #1 differs on `f(0)`: 0 here, 1 there",
        ),
        ([[row(1, "1")], [row(2, "2")]], "#2 differs on `f(0)`: 1 here, 2 there"),
        ([[row(1)]], ""),
    ],
)
def test_agreement_is_said_in_a_line(groups: list[list[CandidateState]], said: str) -> None:
    assert agreement_in_words(groups[0][0], groups) == said


def test_calls_with_equal_results_are_omitted() -> None:
    assert [call for call, _ in compared([row(1, "0", "1"), row(2, "0", "2")])] == ["f(1)"]


@pytest.mark.parametrize(
    ("one", "others", "example"),
    [
        (ROWS[1], ROWS, "f(1) == 'a b'"),
        (ROWS[2], ROWS, "f(0) == 5"),
        (ROWS[0], ROWS, ""),
        (row(1, "1"), [row(2, "True")], ""),
        (row(1, "<Till 3>"), [row(2, "4")], ""),
        (row(1, "1", "2"), [row(2, "1", "3"), row(3, "0", "2")], ">>> f(0) == 1\nTrue\n>>> f(1) == 2\nTrue\n"),
    ],
)
def test_a_candidates_examples_hold_for_no_other(
    one: CandidateState, others: list[CandidateState], example: str
) -> None:
    found = deciding_examples(one, others)
    assert as_one_example(found) == example
    if found:
        assert len(examples_in(example)) == len(found)


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=5, unique=True))
def test_a_unique_candidate_can_be_called_right(made: list[tuple[int, ...]]) -> None:
    rows = [row(number, *map(str, results)) for number, results in enumerate(made, 1)]
    for one, other in permutations(rows, 2):
        examples = deciding_examples(one, rows)
        assert {each.call for each in examples} <= {each.call for each in one.observations}
        theirs = {each.call: each.result for each in other.observations}
        assert any(theirs[each.call] != each.result for each in examples)
