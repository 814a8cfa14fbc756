r"""Line breaks as Python and LSP know them: \n, \r\n and \r, and no others."""

from __future__ import annotations

import re

_BREAK = re.compile(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    r"""Return the offset at which each line starts; a text has one line more than it has line breaks.

    `str.splitlines` is of no use here: it also breaks at form feeds, \x0b, \u2028 and others, at which neither
    Python's tokenizer nor LSP does.
    """
    return [0, *(found.end() for found in _BREAK.finditer(text))]


def split_lines(text: str) -> list[str]:
    """Split a text into lines that keep their line breaks; joined they are the text again, and none is empty."""
    starts = line_starts(text)
    lines = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return lines if lines[-1] else lines[:-1]


def newline_of(text: str) -> str:
    r"""Return the line break the text uses most, the first one used when two tie, and \n when it has none."""
    counts: dict[str, int] = {}
    for found in _BREAK.finditer(text):
        counts[found.group()] = counts.get(found.group(), 0) + 1
    return max(counts, key=counts.__getitem__, default="\n")


def with_newlines(text: str, newline: str) -> str:
    """Return the text with every line break written as `newline`."""
    return _BREAK.sub(newline, text)
