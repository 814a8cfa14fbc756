"""A change as its hunks: the stretches of lines it touches, each of which can stand without the others."""

from __future__ import annotations

from certo.edits.alignment import changed_blocks
from certo.edits.newlines import split_lines
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
