"""Conversion between LSP positions (lines, units of the agreed encoding) and offsets (code points)."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum

from certo.vocabulary.records import dataclass

_BREAK = re.compile(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    r"""Return the offset at which each line starts; a text has one line more than it has line breaks.

    `str.splitlines` is unsuitable: it also breaks at form feeds, \x0b, \u2028 and others, at which neither
    Python's tokenizer nor LSP does.
    """
    return [0, *(found.end() for found in _BREAK.finditer(text))]


def split_lines(text: str) -> list[str]:
    """Split a text into lines that keep their line breaks; joined they are the text again, and none is empty."""
    starts = line_starts(text)
    lines = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return lines if lines[-1] else lines[:-1]


def newline_of(text: str) -> str:
    r"""Return the most frequent line break of a text, the first one on a tie, and \n if there is none."""
    counts: dict[str, int] = {}
    for found in _BREAK.finditer(text):
        counts[found.group()] = counts.get(found.group(), 0) + 1
    return max(counts, key=counts.__getitem__, default="\n")


def with_newlines(text: str, newline: str) -> str:
    """Return the text with every line break written as `newline`."""
    return _BREAK.sub(newline, text)


class Encoding(Enum):
    """The units in which a client counts characters; the values are LSP's PositionEncodingKind."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def units(self, character: str) -> int:
        """Return the number of units of one code point."""
        point = ord(character)
        if self is Encoding.UTF32:
            return 1
        if self is Encoding.UTF16:
            return 1 + (point > 0xFFFF)
        return 1 + (point > 0x7F) + (point > 0x7FF) + (point > 0xFFFF)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A 0-based line and a 0-based character on it, counted in units of some Encoding, as LSP has it."""

    line: int
    character: int


class LineIndex:
    """Position converter of one text in one encoding.

    As LSP demands, a character beyond the line's end means the line's end, before its line break. A line beyond the
    last means the end of the text, and a position within a character means that character's start.
    """

    def __init__(self, text: str, encoding: Encoding) -> None:
        self._text = text
        self._encoding = encoding
        self._starts = line_starts(text)

    def offset(self, position: Position) -> int:
        """Return the offset of a position, clamped to the text."""
        if position.line >= len(self._starts):
            return len(self._text)
        start, content = self._line(max(position.line, 0))
        if content.isascii() or self._encoding is Encoding.UTF32:
            return start + min(max(position.character, 0), len(content))
        left = position.character
        for count, character in enumerate(content):
            left -= self._encoding.units(character)
            if left < 0:
                return start + count
        return start + len(content)

    def position(self, offset: int) -> Position:
        """Return the position of an offset, clamped to the text; one within a line break is the line's end."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        start, content = self._line(line)
        before = content[: offset - start]
        if before.isascii():
            return Position(line, len(before))
        return Position(line, sum(map(self._encoding.units, before)))

    def _line(self, line: int) -> tuple[int, str]:
        """Return a line's start and its content without the line break."""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        return start, self._text[start:end].rstrip("\r\n")
