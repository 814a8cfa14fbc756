"""What the words of a command line mean that name a function."""

from __future__ import annotations

from pathlib import Path

from certo.edits.target import ByLine, ByName, Place
from certo.vocabulary.errors import BadRequest


def split_target(words: str) -> tuple[Path, Place]:
    """Read FILE::QUALNAME or FILE:LINE, whatever colons the file's own name has.

    Raises:
        BadRequest: it is neither.
    """
    file, separator, name = words.rpartition("::")
    if separator and file and name and ":" not in name:
        return Path(file).expanduser(), ByName(name)
    file, separator, line = words.rpartition(":")
    if separator and file and line.isdecimal() and int(line) > 0:
        return Path(file).expanduser(), ByLine(int(line))
    raise BadRequest(
        f"{words!r} names no function; write FILE::NAME, as in shop.py::total or shop.py::Basket.total, or FILE:LINE"
    )
