"""The memory of a repository as it is shown: its map and what was learned of it, within so many characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from certo.project.repo_map import RepoMap
from certo.vocabulary.claim import SECTIONS, Claim

BRIEF_CHARACTERS = 2500
"""How long a summary is unless somebody says otherwise; Kapso gives its coding agents as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoMemory:
    """A repository by its map, and the claims about it whose evidence holds."""

    map: RepoMap
    claims: tuple[Claim, ...] = ()

    def section(self, name: str, near: str = "") -> tuple[str, ...]:
        """All that one section says, a line each: what was learned, then what the files say, the nearest first.

        Raises:
            KeyError: there is no such section.
        """
        return self._sections(near)[name]

    def summary(self, max_chars: int = BRIEF_CHARACTERS, near: str = "") -> str:
        """The repository in one sentence, how much each section says, and of each as much as there is room for."""
        sections = self._sections(near)
        contents = ", ".join(f"{name} {len(lines)}" for name, lines in sections.items() if lines)
        lines = [self.map.overview(), *([f"sections, and lines in each: {contents}"] if contents else [])]
        return within(max_chars, [*lines, *_in_turns(sections)])

    def _sections(self, near: str) -> dict[str, tuple[str, ...]]:
        """Every section there can be, with its lines."""
        mapped = self.map.sections(near)
        learned = {name: [shown(claim) for claim in self.claims if claim.section == name] for name in SECTIONS}
        return {name: (*learned[name], *mapped.get(name, ())) for name in SECTIONS}


def shown(claim: Claim) -> str:
    """A claim as a line, with the evidence it stands on."""
    candidate = f", candidate {claim.candidate}" if claim.candidate else ""
    quoted = "; ".join(f"{quote.path}: {quote.text}" for quote in claim.quotes)
    return " ".join(f"{claim.text} [{quoted or f'search {claim.search}{candidate}'}]".split())


def within(characters: int, lines: list[str]) -> str:
    """As many lines as fit, in order; one that is too long for the rest is left out, and shorter ones follow."""
    kept: list[str] = []
    for line in lines:
        if len(line) + bool(kept) <= characters:
            kept.append(line)
            characters -= len(line) + (len(kept) > 1)
    return "\n".join(kept)


def _in_turns(sections: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """One line of each section after the other, each under its section's name, until none has more."""
    for number in range(max(map(len, sections.values()), default=0)):
        for name, lines in sections.items():
            if number < len(lines):
                yield f"{name}: {lines[number]}"
