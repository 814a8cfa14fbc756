"""Alignment of two texts: the lines of one that became lines of the other."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class MatchingBlock:
    """Lines `old_start` up to `old_end` of the old text became `new_start` up to `new_end` of the new; all 0-based."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changed_blocks(old: Sequence[str], new: Sequence[str]) -> tuple[MatchingBlock, ...]:
    """Return the changed blocks between two sequences of lines, in order; lines between the blocks are equal.

    Equal lines at both ends are stripped first, so that the cost grows with the changed range. The matcher's own
    heuristic avoids quadratic time on frequent lines; a coarser answer is still correct.
    """
    head = shared_prefix(old, new)
    tail = shared_suffix(old[head:], new[head:])
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    return tuple(
        MatchingBlock(old_start + head, old_end + head, new_start + head, new_end + head)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    )


def shared_prefix(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of equal elements, or characters of a string, at the start."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def shared_suffix(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of equal elements, or characters of a string, at the end."""
    return shared_prefix(old[::-1], new[::-1])


_TOKEN = re.compile(r"\w+|[^\w\s]")


def changed_tokens(before: str, after: str) -> int:
    """Return the number of tokens that one text adds to another or removes from it, without white space."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    # Common ends need no comparison, which takes quadratic time.
    head = shared_prefix(old, new)
    tail = shared_suffix(old[head:], new[head:])
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    return len(old) + len(new) - 2 * kept
