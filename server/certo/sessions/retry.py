"""Retrying: what the next search has to go by, after what an earlier one came to and what the user says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from certo.edits.rebase import rebase
from certo.search.board import CandidateState
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.vocabulary.candidate import Candidate, candidate_id
from certo.vocabulary.errors import StaleText
from certo.vocabulary.guidance import Example, Feedback, Guidance, Remark
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The user's feedback on retrying: in words, by examples, and about a candidate.

    `row` is the candidate that the feedback is about, and to go on from; without one the feedback is about the search.
    `examples` come besides those given before.
    """

    feedback: str = ""
    examples: tuple[Example, ...] = ()
    row: CandidateState | None = None


def guided(old: LiveSearch, request: Request, said: Said) -> Request:
    """Return the request with all feedback up to now, over its own text; that from before the old search counts too.

    So does what the user had selected. Candidates of the old search that were rejected are remarked on as well.

    Raises:
        StaleText: the function was changed, so that the candidate to go on from has no place in it any more.
    """
    before = old.resolved.request.guidance
    rejected = {one.candidate_id: one.note for one in _last_words(old) if one.ruling == "rejected"}
    rows = [old.state.rows[name] for name in rejected if said.row is None or name != said.row.candidate_id]
    earlier = [*before.remarks, *(_remark(old, row, rejected[row.candidate_id], rejected=True) for row in rows)]
    remarks = [*_carried(old, request.text, earlier)]
    if said.row is not None:
        turned_down = said.row.candidate_id in rejected
        note = said.feedback or rejected.get(said.row.candidate_id, "")
        remarks.append(_moved(old, request.text, _remark(old, said.row, note, rejected=turned_down)))
    about_all = [before.feedback, said.feedback if said.row is None else ""]
    guidance = Guidance(
        feedback="\n\n".join(filter(None, about_all)),
        examples=(*before.examples, *said.examples),
        remarks=_each_once(remarks),
    )
    return replace(request, guidance=guidance, selected=_selected(old, request.text))


def _selected(old: LiveSearch, text: str) -> Span | None:
    """Return the place of the user's selection in the text as it is now; None if those lines were changed."""
    selected = old.resolved.request.selected
    if selected is None:
        return None
    same = TextEdit(selected, old.base[selected.start : selected.end])
    try:
        return rebase(old.base, text, [same], guard=selected).edits[0].span
    except StaleText:
        return None


def _last_words(old: LiveSearch) -> Iterable[Feedback]:
    """Return the last feedback on each candidate."""
    return {each.candidate_id: each for each in old.acceptance.feedback}.values()


def _each_once(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    """Return the last remark on each candidate, in its place."""
    last = {each.candidate.id: number for number, each in enumerate(remarks)}
    return tuple(each for number, each in enumerate(remarks) if last[each.candidate.id] == number)


def _remark(old: LiveSearch, row: CandidateState, feedback: str, *, rejected: bool) -> Remark:
    text = old.text_with(row)
    candidate = Candidate(id=row.candidate_id, edits=row.edits, text=text, origin=row.origin, elsewhere=row.elsewhere)
    return Remark(candidate=candidate, report=row.report, feedback=feedback, rejected=rejected)


def _carried(old: LiveSearch, text: str, remarks: Iterable[Remark]) -> Iterator[Remark]:
    """Yield the remarks on candidates that still have a place in the text; those on others have lost their meaning."""
    for remark in remarks:
        try:
            yield _moved(old, text, remark)
        except StaleText:
            continue


def _moved(old: LiveSearch, text: str, remark: Remark) -> Remark:
    """Return a remark on the same candidate over today's text."""
    if text == old.base:
        return remark
    moved = rebase(old.base, text, remark.candidate.edits, guard=old.resolved.target.span)
    known = candidate_id(text, moved.text, remark.candidate.elsewhere)
    made = replace(remark.candidate, id=known, edits=moved.edits, text=moved.text)
    return replace(remark, candidate=made)
