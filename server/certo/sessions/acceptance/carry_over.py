"""Carrying a candidate over to texts that went on changing: moved with its target, or merged with what was typed."""

from __future__ import annotations

from bisect import bisect_right

from certo.edits.diff import change_of
from certo.edits.merge import merge
from certo.edits.patch import edits_between
from certo.edits.positions import line_starts
from certo.edits.rebase import rebase, whole_lines
from certo.edits.source import parse_source
from certo.edits.target import find_again
from certo.search.proposals import text_before
from certo.vocabulary.candidate import FileChange
from certo.vocabulary.errors import BrokenWorld, StaleText, TargetNotFound
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Collision, Span, TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class RebasedCandidate:
    """Edits over the current text and what they make of it; `target` is where the target stands there.

    `merged` says that the target itself had been changed, so that what is there now was never judged in any form.
    """

    edits: tuple[TextEdit, ...]
    text: str
    target: Target
    merged: bool


async def rebase_candidate(problem: Problem, text: str, current: str) -> RebasedCandidate:
    """Carry the change of the target that makes `text` of the problem's own text over to the current one.

    What changed elsewhere only moves the edits. What changed in the target itself is merged with them line by line,
    if the function still is the one that was asked for: of the same name and signature, in a text that parses.

    Raises:
        StaleText: both changed the same lines, or the target is not what it was.
        BadSource: the current text does not parse.
    """
    parse_source(current, problem.path)
    target = _target_in(current, problem)
    if current == problem.text:
        return RebasedCandidate(edits=_edits_of_target(current, text, target), text=text, target=target, merged=False)
    edits = _edits_of_target(problem.text, text, problem.target)
    try:
        moved = rebase(problem.text, current, edits, guard=problem.target.span)
    except StaleText as touched:
        if target.signature != problem.target.signature:
            raise StaleText(
                f"the signature of {target.qualname} was changed since the search began; start a new search on the "
                "current text"
            ) from touched
        return await _merged(problem, text, current, target, touched)
    return RebasedCandidate(edits=moved.edits, text=moved.text, target=target, merged=False)


async def carry_elsewhere(changes: tuple[FileChange, ...], problem: Problem) -> tuple[FileChange, ...]:
    """Carry changes of other files over to what these hold now, merged line by line with what was changed meanwhile.

    Raises:
        StaleText: a file has changed in the same lines, is gone, or is there though it was to be made.
        BadRequest: one cannot be read.
    """
    return tuple([await _carried_elsewhere(change, text_before(change.path, problem)) for change in changes])


async def _carried_elsewhere(change: FileChange, now: str | None) -> FileChange:
    if now == change.before:
        return change
    if now is None or change.before is None:
        happened = "was deleted" if now is None else "was made"
        raise StaleText(f"{change.path} {happened} since the candidate was found; start a new search")
    try:
        merged = await merge(change.before, now, change.after)
    except BrokenWorld as error:
        raise StaleText(f"{change.path} has changed since the candidate was found. {error}") from error
    if isinstance(merged, tuple):
        raise StaleText(
            f"{change.path} has changed since the candidate was found, in lines that the candidate changes too; start "
            "a new search on the current text"
        )
    return change_of(change.path, now, merged)


def edits_of_target(base: str, text: str, target: Target) -> tuple[TextEdit, ...] | None:
    """Return the edits of the target's lines that turn `base` into `text`; None if more than these lines is changed."""
    for span in (target.span, whole_lines(base, target.span)):
        end = len(text) - (len(base) - span.end)
        if end >= span.start and text == base[: span.start] + text[span.start : end] + base[span.end :]:
            found = edits_between(base[span.start : span.end], text[span.start : end])
            return tuple(TextEdit(_further(edit.span, span.start), edit.replacement) for edit in found)
    return None


def _edits_of_target(base: str, text: str, target: Target) -> tuple[TextEdit, ...]:
    """Return a change as edits of the target; found in the whole text, they may reach into equal text around it.

    Raises:
        StaleText: more than the target's lines is changed.
    """
    edits = edits_of_target(base, text, target)
    if edits is not None:
        return edits
    raise StaleText(
        f"what is to be changed reaches beyond {target.qualname}, and the text was changed since the search began; "
        "start a new search on the current text"
    )


def _further(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


async def _merged(problem: Problem, text: str, current: str, target: Target, touched: StaleText) -> RebasedCandidate:
    try:
        merged = await merge(problem.text, current, text)
    except BrokenWorld as error:
        raise StaleText(f"{touched}. {error}") from error
    if isinstance(merged, tuple):
        raise _refused(current, merged)
    if merged == current:
        raise StaleText(f"{problem.path} has all of the candidate's changes already; there is nothing left to apply")
    # Two functions that look alike can be taken for each other, which is refused here.
    edits = _edits_of_target(current, merged, target)
    return RebasedCandidate(edits=edits, text=merged, target=target, merged=True)


def _target_in(current: str, problem: Problem) -> Target:
    try:
        return find_again(current, problem.target, path=problem.path)
    except TargetNotFound as gone:
        raise StaleText(f"the function of the search is gone since the search began: {gone}") from gone


def _refused(current: str, collisions: tuple[Collision, ...]) -> StaleText:
    """Return the refusal that names the colliding lines of the current text, 1-based."""
    starts = line_starts(current)
    named = []
    for collision in collisions:
        first = bisect_right(starts, collision.span.start)
        last = max(first, bisect_right(starts, max(collision.span.end - 1, collision.span.start)))
        named.append(f"line {first}" if first == last else f"lines {first} to {last}")
    return StaleText(
        f"{' and '.join(named)} {'was' if named[0].startswith('line ') and len(named) == 1 else 'were'} changed since "
        "the search began, and the candidate changes the same; start a new search on the current text",
        collisions=collisions,
    )
