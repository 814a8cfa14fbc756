"""Carrying edits over to a text that was changed elsewhere in the meantime."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from certo.edits.patch import apply_edits, edits_between, within
from certo.edits.positions import line_starts, split_lines
from certo.vocabulary.errors import StaleText
from certo.vocabulary.text import Span, TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebased:
    """Edits over the current text and what they make of it.

    `moved` says that the current text is not the one the edits were made for, so that what was verified then has to be
    verified again.
    """

    edits: tuple[TextEdit, ...]
    text: str
    moved: bool


def rebase(base: str, current: str, edits: Sequence[TextEdit], *, guard: Span) -> Rebased:
    """Carry edits from the base text over to the current one; every change made to the base in between is kept.

    `guard` is where the target stands in the base, and the edits are on its lines. Changes elsewhere shift them; a
    change on the guard's lines or touching them collides, because what was verified was the text as it stood there.

    Raises:
        StaleText: the lines of the guard were changed.
        ValueError: an edit lies outside the guard's lines.
    """
    lines = whole_lines(base, guard)
    if not within(edits, lines):
        raise ValueError(f"edits outside {guard.start}..{guard.end} cannot be rebased")
    if base == current:
        return Rebased(edits=tuple(edits), text=apply_edits(base, edits), moved=False)
    shift = _shift(base, current, lines)
    _refuse_joined(base, current, lines, shift)
    moved = tuple(TextEdit(Span(edit.span.start + shift, edit.span.end + shift), edit.replacement) for edit in edits)
    return Rebased(edits=moved, text=apply_edits(current, moved), moved=True)


def _shift(base: str, current: str, lines: Span) -> int:
    """Return by how much the lines have moved.

    Lines that stand once in each text are the same ones. Otherwise the changes between the texts decide; they alone
    would not do, as the best match between two texts may well be one in which these lines have moved.

    Raises:
        StaleText: a change meets the lines.
    """
    block = base[lines.start : lines.end]
    if base.count(block) == 1 and current.count(block) == 1:
        return current.index(block) - lines.start
    shift = 0
    for change in edits_between(base, current):
        if change.span.start < lines.end and change.span.end > lines.start:
            raise _collision(current, change.span.start + shift)
        if change.span.end <= lines.start:
            shift += len(change.replacement) - len(change.span)
    return shift


def whole_lines(text: str, span: Span) -> Span:
    """Return the span widened to the start of its first line and the end of its last, without the line break."""
    starts = line_starts(text)
    start = starts[bisect_right(starts, span.start) - 1]
    last = bisect_right(starts, span.end)
    end = starts[last] if last < len(starts) else len(text)
    content = text[start:end].rstrip("\r\n")
    return Span(start, max(span.end, start + len(content)))


def _refuse_joined(base: str, current: str, lines: Span, shift: int) -> None:
    """Raise StaleText when a change next to the lines made something a part of them.

    That is text on the first or the last of them, a decorator above, or a line below that is indented more deeply.
    """
    start, end = lines.start + shift, lines.end + shift
    if (start and current[start - 1] not in "\r\n") or current[end : end + 1] not in {"", "\r", "\n"}:
        raise _collision(current, start)
    above, was_above = split_lines(current[:start])[-1:], split_lines(base[: lines.start])[-1:]
    if above != was_above and above and above[0].lstrip().startswith("@"):
        raise _collision(current, start - 1)
    below, was_below = _next_line(current, end), _next_line(base, lines.end)
    if below != was_below and _indent(below) > _indent(base[lines.start : lines.end]):
        raise _collision(current, end)


def _next_line(text: str, offset: int) -> str:
    """Return the first line behind an offset that is not blank, or ""."""
    return next((line for line in split_lines(text[offset:]) if line.strip()), "")


def _indent(line: str) -> int:
    """Return how many columns a line is indented."""
    columns = line.expandtabs(8)
    return len(columns) - len(columns.lstrip())


def _collision(current: str, offset: int) -> StaleText:
    """Return the refusal that names the line of the current text where a change and the edits meet."""
    line = bisect_right(line_starts(current), offset)
    return StaleText(
        f"line {line} was changed since the search began, and its edit would go there; start a new search on the text "
        "as it is now"
    )
