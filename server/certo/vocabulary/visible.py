"""Text as it is shown: nothing in it is hidden, or does anything but stand there."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""The categories of Unicode whose members nobody sees: controls, formats, what is not assigned, line breaks."""

_BLANK = (
    (0x034F, 0x034F),  # a joiner of graphemes
    (0x115F, 0x1160),  # fillers of Hangul
    (0x17B4, 0x17B5),  # vowels of Khmer that are not written
    (0x180B, 0x180F),  # selectors of variants, Mongolian
    (0x2800, 0x2800),  # the pattern of Braille without a dot
    (0x3164, 0x3164),  # a filler of Hangul
    (0xFE00, 0xFE0F),  # selectors of variants, in which a text can be hidden
    (0xFFA0, 0xFFA0),  # a filler of Hangul
    (0xE0100, 0xE01EF),  # more selectors
)
"""Code points that count as letters or marks and yet are blank."""


def visible(text: str) -> str:
    """Write characters that are not seen, change how others look, or cannot be sent, as escapes.

    They are controls, marks of direction, joiners, fillers, selectors of variants, tags, private and lone surrogate
    code points, and line breaks that no line of Python ends with; those that one may end with all become a newline. So
    no text can play with a terminal, or look there or to a judge like another one.
    """
    broken = text.replace("\r\n", "\n").replace("\r", "\n")
    unseen = sorted(one for one in set(broken) - {"\n", "\t"} if _is_unseen(one))
    if not unseen:
        return broken
    return re.sub(f"[{re.escape(''.join(unseen))}]", lambda found: _escape(found.group()), broken)


def _is_unseen(character: str) -> bool:
    point = ord(character)
    return unicodedata.category(character) in _UNSEEN or any(first <= point <= last for first, last in _BLANK)


def _escape(character: str) -> str:
    point = ord(character)
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\U{point:08x}" if point > 0xFFFF else f"\\u{point:04x}"
