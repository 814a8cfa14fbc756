"""Argument parser of one sub-command; imports almost nothing, because editors wait for `certo serve`."""

from __future__ import annotations

import argparse

from certo.vocabulary.errors import BadRequest

TYPE_CHECKING = False  # as type checkers understand it: importing `typing` for real takes as long as all the rest
if TYPE_CHECKING:
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """A parser whose errors are certo's one-sentence errors."""

    def error(self, message: str) -> NoReturn:
        """Raise the error about the command line."""
        raise BadRequest(f"{message}; `{self.prog} --help` says what it takes")


def parser(name: str, what: str) -> Parser:
    """Return the parser of one sub-command, without the sub-command's own arguments."""
    return Parser(
        prog=f"certo {name}",
        description=f"{what[0].upper()}{what[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
