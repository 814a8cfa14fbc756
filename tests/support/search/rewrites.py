"""States a problem about a function of a text, and rewrites that function into candidates."""

from __future__ import annotations

from pathlib import Path

from certo.edits.patch import apply_edits
from certo.edits.target import ByName, examples, find_target
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import Span, TextEdit


def problem_about(text: str, qualname: str) -> Problem:
    """A problem about the function of that name in a document `a.py`."""
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
    """The candidate that some edits make."""
    text = apply_edits(problem.text, edits)
    return Candidate(id=candidate_id(problem.text, text), edits=edits, text=text, origin=Origin(generator="hand"))


def with_body(problem: Problem, body: str) -> Candidate:
    """The candidate with another body for the target."""
    return edited(problem, TextEdit(problem.target.body, body))


def with_target(problem: Problem, source: str) -> Candidate:
    """The candidate with other source for the whole target, decorators and all."""
    return edited(problem, TextEdit(problem.target.span, source))


def with_replaced(problem: Problem, was: str, now: str) -> Candidate:
    """The candidate in which the first `was` at or behind the target's start is `now`, wherever that may reach."""
    start = problem.text.index(was, problem.target.span.start)
    return edited(problem, TextEdit(Span(start, start + len(was)), now))
