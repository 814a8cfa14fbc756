"""A candidate that changes two functions, as two candidates of one function each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from certo.edits.patch import apply_edits, edits_between
from certo.edits.source import parse
from certo.edits.target import ByName, examples, find_target
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Finding

Objections = Callable[[Candidate, Problem], tuple[Finding, ...]]
"""Returns the findings about a candidate that changes one function."""


def of_each(candidate: Candidate, problem: Problem, objections: Objections) -> tuple[Finding, ...]:
    """Return the findings about each function that a candidate may change.

    Raises:
        SyntaxError: A text is no Python.
    """
    return tuple(dict.fromkeys(found for each in one_by_one(candidate, problem) for found in objections(*each)))


def one_by_one(candidate: Candidate, problem: Problem) -> Iterator[tuple[Candidate, Problem]]:
    """Yield the change of each function with a problem about that function alone, the target's first.

    Raises:
        SyntaxError: The text with the first change is no Python, or the second function is gone from it.
    """
    target, second = problem.target, problem.target.second
    if second is None:
        yield candidate, problem
    elif second.path != problem.path:
        yield candidate, replace(problem, target=replace(target, second=None))
        yield from (
            _of_file(change, candidate, problem) for change in candidate.elsewhere if change.path == second.path
        )
    else:
        first = find_target(problem.text, ByName.of(target), path=problem.path)
        begin = next((n for n, edit in enumerate(candidate.edits) if edit.span.start > first.span.end), None)
        own, others = candidate.edits[:begin], candidate.edits[len(candidate.edits) if begin is None else begin :]
        between = apply_edits(problem.text, own)
        yield replace(candidate, edits=own, text=between), replace(problem, target=first)
        moved = len(between) - len(problem.text)
        edits = tuple(
            TextEdit(Span(edit.span.start + moved, edit.span.end + moved), edit.replacement) for edit in others
        )
        yield replace(candidate, edits=edits), _about(problem, problem.path, between)


def _of_file(change: FileChange, candidate: Candidate, problem: Problem) -> tuple[Candidate, Problem]:
    """Return the change of the second function, as if its file were the problem's document."""
    before = change.before or ""
    there = _about(problem, change.path, before)
    edits = _within(there.target.span, before, change.after) or edits_between(before, change.after)
    return replace(candidate, edits=edits, text=change.after, elsewhere=()), there


def _within(span: Span, before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the change of a text as one edit of a span; nothing if more than that is changed."""
    end = len(after) - (len(before) - span.end)
    if end < span.start or after != before[: span.start] + after[span.start : end] + before[span.end :]:
        return ()
    return (TextEdit(span, after[span.start : end]),)


def _about(problem: Problem, path: str, text: str) -> Problem:
    """Return the problem about the second function alone, in this text of its document."""
    assert problem.target.second is not None
    parse(text)
    try:
        target = find_target(text, ByName.of(problem.target.second.target), path=path)
    except BadRequest as error:
        raise SyntaxError(str(error)) from error
    return replace(problem, path=path, text=text, target=target, examples=examples(target, text), selected=None)
