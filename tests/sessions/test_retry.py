"""What a next search has to go by: all that was said up to now, over the text as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.edits.examples import examples_in
from certo.edits.target import ByName
from certo.search.board import CandidateState
from certo.sessions.assembly.problem_statement import resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.retry import Said, guided
from certo.vocabulary.errors import StaleText
from certo.vocabulary.guidance import Feedback, Remark
from certo.vocabulary.text import Span
from support.search.user_remarks import remark

SOURCE = "def first(row):\n    return row\n\n\ndef last(row):\n    ...\n"


def searched(root: Path, text: str = SOURCE) -> LiveSearch:
    """A search about `last` that has ended."""
    (root / "rows.py").write_text(text)
    request = Request(document=root / "rows.py", text=text, place=ByName("last"))
    return LiveSearch(id="s", resolved=resolve_request(request, {}))


def row_of(made: Remark) -> CandidateState:
    """A candidate as a board has it."""
    candidate = made.candidate
    return CandidateState(
        candidate_id=candidate.id, number=1, origin=candidate.origin, edits=candidate.edits, diff="", hunks=()
    )


def retried(old: LiveSearch, text: str, said: Said) -> LiveSearch:
    """The search that comes after, on this text."""
    request = guided(old, replace(old.resolved.request, text=text), said)
    return LiveSearch(id="t", resolved=resolve_request(request, {}))


async def test_earlier_feedback_counts_on_new_text(tmp_path: Path) -> None:
    """Earlier feedback still counts, and edits move with the text."""
    old = searched(tmp_path)
    one, two = (remark(SOURCE, "...", f"return row[{index}]") for index in (1, 2))
    first = retried(
        old, SOURCE, Said(feedback="From the end.", row=row_of(one), examples=examples_in("last([1]) == 1"))
    )
    said = first.resolved.request.guidance
    assert [(each.candidate, each.feedback) for each in said.remarks] == [(one.candidate, "From the end.")]
    assert said.start == one.candidate
    assert said.feedback == ""

    longer = "import os\n" + SOURCE
    second = retried(first, longer, Said(feedback="Faster."))
    said = second.resolved.request.guidance
    assert said.feedback == "Faster."
    assert [each.id for each in said.examples] == ["example 1"]
    assert said.start is not None
    assert said.start.text == longer.replace("...", "return row[1]")

    third = retried(second, longer, Said(feedback="Shorter.", row=row_of(remark(longer, "...", "return row[2]"))))
    again = remark(longer, "...", "return row[1]")
    fourth = retried(third, longer, Said(row=row_of(again)))
    said = fourth.resolved.request.guidance
    assert said.feedback == "Faster."
    assert [each.candidate.text for each in said.remarks] == [
        longer.replace("...", "return row[2]"),
        longer.replace("...", "return row[1]"),
    ]
    assert said.prose == ("Faster.", "Shorter.")
    assert two.candidate.id != again.candidate.id


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (SOURCE, "return row"),
        ("import os\n" + SOURCE, "return row"),
        (SOURCE.replace("...", "pass"), "return row"),
        (SOURCE.replace("return row", "return row[0]"), None),
    ],
)
async def test_selection_is_kept_unless_changed(tmp_path: Path, text: str, meant: str | None) -> None:
    """The selection is kept unless its lines were changed."""
    old = searched(tmp_path)
    start = SOURCE.index("return row")
    request = replace(old.resolved.request, selected=Span(start, start + len("return row")))
    again = retried(LiveSearch(id="s", resolved=resolve_request(request, {})), text, Said()).resolved.request
    assert meant == (None if again.selected is None else text[again.selected.start : again.selected.end])


async def test_rejected_candidates_become_remarks(tmp_path: Path) -> None:
    """Rejected candidates are remarked on, and no attempt goes on from them."""
    old = searched(tmp_path)
    made = [remark(SOURCE, "...", f"return row[{index}]") for index in range(4)]
    old.state.rows = {each.candidate.id: row_of(each) for each in made}
    for index, ruling in ((0, "rejected"), (1, "rejected"), (2, "edited"), (3, "rejected"), (3, "accepted")):
        old.acceptance.feedback.append(
            Feedback(candidate_id=made[index].candidate.id, ruling=ruling, note=f"note {index}")
        )
    said = retried(old, SOURCE, Said()).resolved.request.guidance
    assert [(each.candidate, each.rejected, each.feedback) for each in said.remarks] == [
        (made[0].candidate, True, "note 0"),
        (made[1].candidate, True, "note 1"),
    ]
    assert said.start is None
    said = retried(old, SOURCE, Said(row=row_of(made[2]))).resolved.request.guidance
    assert said.start == made[2].candidate
    said = retried(old, SOURCE, Said(row=row_of(made[0]), feedback="No.")).resolved.request.guidance
    assert [(each.candidate, each.feedback) for each in said.remarks] == [
        (made[1].candidate, "note 1"),
        (made[0].candidate, "No."),
    ]
    assert said.start is None


async def test_changed_function_drops_remarks(tmp_path: Path) -> None:
    """If the function was changed, remarks on candidates are dropped."""
    old = searched(tmp_path)
    row = row_of(remark(SOURCE, "...", "return row[1]"))
    first = retried(old, SOURCE, Said(row=row, examples=examples_in("last([1]) == 1")))
    changed = SOURCE.replace("def last(row):", "def last(row, /):")
    with pytest.raises(StaleText):
        retried(first, changed, Said(row=row))
    said = retried(first, changed, Said()).resolved.request.guidance
    assert (said.remarks, said.start) == ((), None)
    assert len(said.examples) == 1
