"""Candidates beside each other: what each gives for the same calls, and which examples hold for one of them alone."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.examples import examples_in
from certo.presentation.rivals import as_one_example, compared, deciding_examples, differing_calls
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
