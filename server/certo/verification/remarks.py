"""What a tool says of a candidate that it did not say of the base text already, wherever the lines have moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from certo.edits.newlines import split_lines

_NUMBER = re.compile(r"\b\d+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing a tool says of a text: on which line (1-based), and the tool's code for things of that kind."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """A text, and all that a tool said of it."""

    text: str
    remarks: tuple[Remark, ...]


def new_remarks(base: Inspected, candidate: Inspected) -> tuple[Remark, ...]:
    """Return what is said of the candidate and not of the base text, in the order in which it was said.

    Two remarks are the same when code, message and the source of the line are. Of a remark that is made more
    often than before, the last ones are new.
    """
    known = Counter(key for _remark, key in _keyed(base))
    found = []
    for remark, key in _keyed(candidate):
        known[key] -= 1
        if known[key] < 0:
            found.append(remark)
    return tuple(found)


def _keyed(inspected: Inspected) -> Iterable[tuple[Remark, tuple[str, str, str]]]:
    lines = split_lines(inspected.text)
    for remark in inspected.remarks:
        source = lines[remark.line - 1].strip() if 0 < remark.line <= len(lines) else ""
        # Messages speak of other lines by number, and measure lengths and complexities: a function that is still too
        # complex, though less so, is no new complaint.
        yield remark, (remark.code, _NUMBER.sub("0", remark.message), source)
