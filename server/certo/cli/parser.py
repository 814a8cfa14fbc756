"""The parser of one sub-command; it imports next to nothing, because `certo serve` has an editor waiting."""

from __future__ import annotations

import argparse

from certo.vocabulary.errors import BadRequest

TYPE_CHECKING = False  # as type checkers understand it: importing `typing` for real takes as long as all the rest
if TYPE_CHECKING:
    from typing import NoReturn


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
