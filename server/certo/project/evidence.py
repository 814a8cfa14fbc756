"""Whether the quotations of a claim still stand in the files of the project, word for word."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

import anyio

from certo.vocabulary.claim import Claim, Quote

MOST_BYTES = 1024 * 1024
"""In larger files nothing is looked up."""


async def holding(
    claims: Iterable[Claim], root: Path, readable: Iterable[str], texts: Mapping[str, str]
) -> tuple[Claim, ...]:
    """The claims whose quotations all hold, in order; one without any holds.

    Only files of the paths `readable` are looked into, and no links. `texts` are those that are not saved, by path;
    they count in place of the files. Others have their turn between files.
    """
    allowed, read = frozenset(readable), {path: _outdented(text) for path, text in texts.items()}
    kept: list[Claim] = []
    for claim in claims:
        for path in {quote.path for quote in claim.quotes} & allowed - read.keys():
            await anyio.lowlevel.checkpoint()
            read[path] = _outdented(_text_of(root / path))
        if all(quote.path in allowed and _holds(quote, read[quote.path]) for quote in claim.quotes):
            kept.append(claim)
    return tuple(kept)


def holds(quote: Quote, text: str) -> bool:
    """Whether a text has the quotation, word for word, at whatever depth its lines are indented."""
    return _holds(quote, _outdented(text))


def _holds(quote: Quote, outdented: str) -> bool:
    wanted = _outdented(quote.text.strip())
    return bool(wanted) and wanted in outdented


def _outdented(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def _text_of(path: Path) -> str:
    """The text of a plain file; nothing where there is none."""
    try:
        # A link, or a pipe that was put in the place of the file meanwhile, is not followed or waited for.
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    with open(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return ""
        content = file.read(MOST_BYTES + 1)
    return "" if len(content) > MOST_BYTES else content.decode("utf-8", "replace")
