"""The size of a change in tokens: what a reader has to read again."""

from __future__ import annotations

import difflib
import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


def changed_tokens(before: str, after: str) -> int:
    """How many tokens one text adds to another or takes from it; white space is none."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    return len(old) + len(new) - 2 * kept
