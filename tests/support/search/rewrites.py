"""Problems about a function of a text, and candidates that rewrite it."""

from __future__ import annotations

from pathlib import Path

from certo.edits.patch import apply_edits
from certo.edits.target import ByName, examples, find_target
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import Span, TextEdit


def problem_about(text: str, qualname: str) -> Problem:
    """Return a problem about the function of that name in a document `a.py`."""
    target = find_target(text, ByName(qualname), path="a.py")
    return Problem(
        root=Path("/project"),
        path="a.py",
        text=text,
        target=target,
        goal=Goal.IMPLEMENT,
        examples=examples(target, text),
    )


def edited(problem: Problem, *edits: TextEdit) -> Candidate:
    """Return the candidate that some edits make."""
    text = apply_edits(problem.text, edits)
    return Candidate(id=candidate_id(problem.text, text), edits=edits, text=text, origin=Origin(generator="hand"))


def with_body(problem: Problem, body: str) -> Candidate:
    """Return the candidate with another body for the target."""
    return edited(problem, TextEdit(problem.target.body, body))


def with_target(problem: Problem, source: str) -> Candidate:
    """Return the candidate with another source for the whole target, decorators included."""
    return edited(problem, TextEdit(problem.target.span, source))


def with_replaced(problem: Problem, was: str, now: str) -> Candidate:
    """Return the candidate in which the first `was` at or after the start of the target is replaced by `now`."""
    start = problem.text.index(was, problem.target.span.start)
    return edited(problem, TextEdit(Span(start, start + len(was)), now))
