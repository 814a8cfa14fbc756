"""A change as its hunks: the stretches of lines it touches, each of which can stand without the others."""

from __future__ import annotations

from collections.abc import Collection

from certo.edits.alignment import changed_blocks
from certo.edits.newlines import split_lines
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.text import Hunk


def hunks_of(base: str, text: str) -> tuple[Hunk, ...]:
    """Return what was changed of `base` to make `text`, from the top down; between two hunks a line is the same."""
    before, after = split_lines(base), split_lines(text)
    return tuple(
        Hunk(
            line=block.old_start + 1,
            removed=tuple(before[block.old_start : block.old_end]),
            added=tuple(after[block.new_start : block.new_end]),
        )
        for block in changed_blocks(before, after)
    )


def with_hunks(base: str, text: str, numbers: Collection[int]) -> str:
    """Return the base text with only these hunks of the change, which are numbered from 1 in the order of the text.

    Raises:
        BadSetting: the change has no hunk of such a number.
    """
    hunks = hunks_of(base, text)
    unknown = sorted(set(numbers) - set(range(1, len(hunks) + 1)))
    if unknown:
        raise BadSetting(f"the candidate has no hunk {unknown[0]}; name some of 1 to {len(hunks)}")
    old = split_lines(base)
    parts: list[str] = []
    done = 0
    for number, hunk in enumerate(hunks, start=1):
        if number in numbers:
            parts += [*old[done : hunk.line - 1], *hunk.added]
            done = hunk.line - 1 + len(hunk.removed)
    return "".join([*parts, *old[done:]])
