"""A change as people and tools read it: a unified diff, and the lines it touched."""

from __future__ import annotations

import difflib
import re

from certo.edits.alignment import changed_blocks
from certo.edits.newlines import split_lines

_NEEDS_QUOTES = re.compile(r'[\x00-\x1f"\\\x7f]')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
r"""A line as git sees it: ended by \n only, a \r before that being part of the line."""


def unified(base: str | None, text: str, path: str) -> str:
    """Return the change as a unified diff that `git apply` takes, or "" when nothing changed.

    `path` is relative to the directory in which it would be applied, in POSIX form; a `base` of None is a file that is
    not there yet.
    """
    lines = list(difflib.unified_diff(_LINE.findall(base or ""), _LINE.findall(text)))[2:]
    if not lines:
        return ""
    whole = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    old = "/dev/null" if base is None else _named("a", path)
    return f"--- {old}\n+++ {_named('b', path)}\n{''.join(whole)}"


def changed_lines(base: str, text: str) -> frozenset[int]:
    """Return the 1-based lines of `text` that are new or altered; for lines only removed, the lines next to them."""
    before, after = split_lines(base), split_lines(text)
    changed: set[int] = set()
    for block in changed_blocks(before, after):
        if block.new_end > block.new_start:
            changed.update(range(block.new_start + 1, block.new_end + 1))
        else:
            changed.update(line for line in (block.new_start, block.new_start + 1) if 1 <= line <= len(after))
    return frozenset(changed)


def _named(side: str, path: str) -> str:
    """Return a path as git writes it in a diff's head: quoted when it must be, ended by a tab when it has a space."""
    name = f"{side}/{path}"
    if _NEEDS_QUOTES.search(name):
        return '"' + _NEEDS_QUOTES.sub(lambda found: f"\\{ord(found.group()):03o}", name) + '"'
    return f"{name}\t" if " " in name else name
