"""The size of a change in tokens: what a reader has to read again."""

from __future__ import annotations

import difflib
import re

from certo.edits.alignment import shared_prefix, shared_suffix

_TOKEN = re.compile(r"\w+|[^\w\s]")


def changed_tokens(before: str, after: str) -> int:
    """How many tokens one text adds to another or takes from it; white space is none."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    # What both begin and end with needs no comparing, which takes time as the square of their length.
    head = shared_prefix(old, new)
    tail = shared_suffix(old[head:], new[head:])
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    return len(old) + len(new) - 2 * kept
