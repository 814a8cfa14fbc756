"""Rebase of edits onto a text that has changed elsewhere in the meantime."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from certo.edits.patch import apply_edits, edits_between, within
from certo.edits.positions import line_starts, split_lines
from certo.vocabulary.errors import StaleText
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebased:
    """Edits of the current text and the resulting text.

    `moved` is True if the current text differs from the one the edits were made for, so that they must be verified
    again.
    """

    edits: tuple[TextEdit, ...]
    text: str
    moved: bool


def rebase(base: str, current: str, edits: Sequence[TextEdit], *, guard: Span) -> Rebased:
    """Rebase edits from the base text onto the current one; all other changes of the base are kept.

    `guard` is the span of the target in the base, and the edits are on its lines. Changes elsewhere shift them; a
    change on or touching the guard's lines is a conflict, because the verified text is no longer there.

    Raises:
        StaleText: The lines of the guard have changed.
        ValueError: An edit lies outside the guard's lines.
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
    """Return the number of lines by which the guard has moved.

    Lines that occur once in each text are matched directly. Otherwise the diff decides; it alone would not do, because
    the best match of two texts may be one in which the guard is a moved block.

    Raises:
        StaleText: A change touches the lines.
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
    """Raise StaleText if an adjacent change became part of the guard's lines.

    That is text on the first or the last of them, a decorator above, or a line below with deeper indentation.
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
    """Return the first non-blank line after an offset, or ""."""
    return next((line for line in split_lines(text[offset:]) if line.strip()), "")


def _indent(line: str) -> int:
    """Return the indentation of a line in columns."""
    columns = line.expandtabs(8)
    return len(columns) - len(columns.lstrip())


def _collision(current: str, offset: int) -> StaleText:
    """Return the error that names the line of the current text where a change meets the edits."""
    line = bisect_right(line_starts(current), offset)
    return StaleText(
        f"line {line} was changed since the search began, and its edit would go there; start a new search on the "
        "current text"
    )
