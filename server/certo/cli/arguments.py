"""The command line's grammar: one parser for a sub-command, and what its words mean."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from certo.edits.target import ByLine, ByName, Place
from certo.vocabulary.errors import BadRequest


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence of ours."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise BadRequest(f"{message}; `{self.prog} --help` says what it takes")


def parser(name: str, what: str) -> Parser:
    """The parser of one sub-command, to which the sub-command adds its arguments."""
    return Parser(
        prog=f"certo {name}",
        description=f"{what[0].upper()}{what[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


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
