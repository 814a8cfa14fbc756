"""A user's remarks on candidates of an earlier search."""

from __future__ import annotations

from certo.edits.patch import apply_edits
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.guidance import Remark
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Report, Verdict


def remark(base: str, old: str, new: str, *verdicts: Verdict, feedback: str = "", rejected: bool = False) -> Remark:
    """Return a remark on the candidate that has `new` for the first `old`, with these verdicts."""
    start = base.index(old)
    edits = (TextEdit(Span(start, start + len(old)), new),)
    text = apply_edits(base, edits)
    made = Candidate(id=candidate_id(base, text), edits=edits, text=text, origin=Origin(generator="a test"))
    report = Report(candidate_id=made.id, verdicts=verdicts)
    return Remark(candidate=made, report=report, feedback=feedback, rejected=rejected)
