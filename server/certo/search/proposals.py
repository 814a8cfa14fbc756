"""Making a candidate from a proposal: its texts, its id, and its changes to other files."""

from __future__ import annotations

from certo.edits.diff import change_of
from certo.edits.patch import apply_edits, fit_newlines
from certo.edits.source import read_source
from certo.generation.generator import Proposal
from certo.verification.file_rules import why_not_changed, why_not_rewritten
from certo.vocabulary.candidate import Candidate, FileChange, Origin, candidate_id
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem


def why_unfit(proposal: Proposal, problem: Problem) -> str:
    """Return why a proposal is refused, as a sentence: it changes a file that it may not. Empty if it is not."""
    try:
        return why_not_changed(proposal.elsewhere, problem) or _why_not_so(proposal, problem)
    except BadRequest as error:
        return str(error)


def candidate_of(proposal: Proposal, problem: Problem, origin: Origin, parent: str | None) -> Candidate:
    """Return the candidate of a proposal that was not refused.

    Raises:
        BadRequest: another file that it changes cannot be read any more.
    """
    edits = fit_newlines(proposal.edits, problem.text)
    text = apply_edits(problem.text, edits)
    elsewhere = _changes(proposal, problem)
    return Candidate(
        id=candidate_id(problem.text, text, elsewhere),
        edits=edits,
        text=text,
        origin=origin,
        parent=parent,
        elsewhere=elsewhere,
        observations=proposal.observations,
    )


def _why_not_so(proposal: Proposal, problem: Problem) -> str:
    """Read every file that would be changed, and return why one may not get its new text; empty if all may."""
    for change in _changes(proposal, problem):
        if why := why_not_rewritten(change.before, change.after):
            return f"it may not change {change.path!r} like this: {why}"
    return ""


def _changes(proposal: Proposal, problem: Problem) -> tuple[FileChange, ...]:
    """Return the changes of a proposal to other files, sorted by path; a file that has the text already is left out.

    Raises:
        BadRequest: a file cannot be read.
    """
    found = (change_of(path, text_before(path, problem), after) for path, after in sorted(proposal.elsewhere.items()))
    return tuple(change for change in found if change.before != change.after)


def text_before(path: str, problem: Problem) -> str | None:
    """Return the text of a file besides the problem's own, with unsaved changes; None if it does not exist.

    Raises:
        BadRequest: it cannot be read.
    """
    if path in problem.unsaved:
        return problem.unsaved[path]
    file = problem.root / path
    return read_source(file) if file.exists() else None
