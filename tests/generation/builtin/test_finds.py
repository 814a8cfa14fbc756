"""Messages of the search program are not trusted: it shares its process with the user's code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.call_pool import MAX_MESSAGES
from certo.generation.builtin.search_program import Beginning, PlausibleCandidates
from support.search.candidates import problem

PROBLEM = problem()
BODY = PROBLEM.target.body
TOLD = {"note": "one", "weight": 1, "confidence": None}
GOOD = {"kind": "candidate", "edits": [[BODY.start, BODY.end, "return 1"]], **TOLD}

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def finds(most: int = 3) -> PlausibleCandidates:
    return PlausibleCandidates(PROBLEM, Beginning(PROBLEM.text, PROBLEM.target), most)


def test_candidate_messages_are_read():
    found = finds()
    found.hear(GOOD)
    (find,) = found.found
    assert (find.proposal.note, find.weight, find.confidence) == ("one", 1.0, None)
    assert [edit.replacement for edit in find.edits] == ["return 1"]


@given(key=st.sampled_from(sorted(GOOD)), value=ANYTHING)
def test_malformed_messages_break_nothing(key: str, value: Any):
    found = finds()
    found.hear({**GOOD, key: value})
    found.hear({name: told for name, told in GOOD.items() if name != key})
    for find in found.found:
        assert all(PROBLEM.target.span.contains(edit.span) for edit in find.edits)


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [[PROBLEM.target.span.end, PROBLEM.target.span.end + 1, ""]],
        [[BODY.start, len(PROBLEM.text) + 9, ""]],
        [[BODY.end, BODY.start, ""]],
        [[-1, 0, ""]],
        [[BODY.start, BODY.end, 1]],
        [[BODY.start, BODY.end]],
        [[BODY.start, BODY.end, "return 1"], [BODY.start, BODY.end, "return 2"]],
        [[BODY.start, BODY.end, "1" * (1 << 21)]],
    ],
)
def test_edits_outside_the_target_are_dropped(edits: list[Any]):
    found = finds()
    found.hear({**GOOD, "edits": edits})
    assert found.found == []


def test_no_more_candidates_than_asked_are_kept():
    found = finds(most=2)
    for number in range(9):
        found.hear({**GOOD, "edits": [[BODY.start, BODY.end, f"return {number}"]]})
    for _ in range(MAX_MESSAGES + 9):
        found.hear({"kind": "call"})
    assert (len(found.found), len(found.calls)) == (2, MAX_MESSAGES)
