"""Memory of a repository as shown to a reader: its map and valid claims, within a limit of characters."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import anyio

from certo.knowledge.repo_map import RepoMap
from certo.vocabulary.knowledge import SECTIONS, Claim, Quote
from certo.vocabulary.records import dataclass

BRIEF_CHARACTERS = 2500
"""Default length of a summary, as much as Kapso gives its coding agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoMemory:
    """The map of a repository, and the claims about it that still hold."""

    map: RepoMap
    claims: tuple[Claim, ...] = ()

    def section(self, name: str, near: str = "") -> tuple[str, ...]:
        """Return the lines of one section: claims, then facts of the files, the nearest first.

        Raises:
            KeyError: There is no such section.
        """
        return self._sections(near)[name]

    def summary(self, max_chars: int = BRIEF_CHARACTERS, near: str = "") -> str:
        """Return the repository in one sentence, the size of each section, and as much of each as fits."""
        sections = self._sections(near)
        contents = ", ".join(f"{name} {len(lines)}" for name, lines in sections.items() if lines)
        lines = [self.map.overview(), *([f"sections, and lines in each: {contents}"] if contents else [])]
        return within(max_chars, [*lines, *_in_turns(sections)])

    def _sections(self, near: str) -> dict[str, tuple[str, ...]]:
        """Return every possible section with its lines."""
        mapped = self.map.sections(near)
        learned = {name: [shown(claim) for claim in self.claims if claim.section == name] for name in SECTIONS}
        return {name: (*learned[name], *mapped.get(name, ())) for name in SECTIONS}


def shown(claim: Claim) -> str:
    """Return a claim as a line, with its evidence."""
    candidate = f", candidate {claim.candidate}" if claim.candidate else ""
    quoted = "; ".join(f"{quote.path}: {quote.text}" for quote in claim.quotes)
    return " ".join(f"{claim.text} [{quoted or f'search {claim.search}{candidate}'}]".split())


def within(characters: int, lines: list[str]) -> str:
    """Return as many lines as fit, in order; one that is too long is skipped."""
    kept: list[str] = []
    for line in lines:
        if len(line) + bool(kept) <= characters:
            kept.append(line)
            characters -= len(line) + (len(kept) > 1)
    return "\n".join(kept)


def _in_turns(sections: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield one line of each section in turn, under the section's name, until none has more."""
    for number in range(max(map(len, sections.values()), default=0)):
        for name, lines in sections.items():
            if number < len(lines):
                yield f"{name}: {lines[number]}"


MAX_BYTES = 1024 * 1024
"""Maximum size of a file in which quotations are looked up."""


async def holding(
    claims: Iterable[Claim], root: Path, readable: Iterable[str], texts: Mapping[str, str]
) -> tuple[Claim, ...]:
    """Return the claims whose quotations all hold, in order; one without quotations holds.

    Only files of the paths in `readable` are read, and no links. `texts` are unsaved documents by path, which replace
    files. Yields to other tasks between files.
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
    """True if a text contains the quotation word for word, at any indentation."""
    return _holds(quote, _outdented(text))


def _holds(quote: Quote, outdented: str) -> bool:
    wanted = _outdented(quote.text.strip())
    return bool(wanted) and wanted in outdented


def _outdented(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def _text_of(path: Path) -> str:
    """Return the text of a plain file; empty if there is none."""
    try:
        # Links are not followed, and a pipe put in the place of the file is not waited for.
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    with open(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return ""
        content = file.read(MAX_BYTES + 1)
    return "" if len(content) > MAX_BYTES else content.decode("utf-8", "replace")
