"""What is known of a repository beyond its text: claims in sections, each with the evidence it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SECTIONS: Mapping[str, str] = {
    "architecture": "what the parts are and how they hang together",
    "entrypoints": "where a run begins",
    "where_to_edit": "which place answers to which wish or failure",
    "invariants": "what must hold whatever changes",
    "testing": "how it is tested, and by what",
    "gotchas": "what went wrong before",
    "dependencies": "what it needs from outside",
}
"""The sections of a repository's memory, and what each is about."""

MOST_CHARACTERS = 400
"""How long a claim is, and a quotation for it."""

MOST_QUOTES = 3
"""How many quotations one claim has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Text that stands word for word in a file of the project, by its path from the root (POSIX form)."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence about the repository, in a section, and why it is believed.

    `search` is the one it was learned in, and `candidate` the one of it, if it is about one. It is believed only as
    long as that search is kept and every quotation holds. Of two claims with the same `key` the later one counts.
    """

    key: str
    section: str
    text: str
    search: str
    candidate: str = ""
    quotes: tuple[Quote, ...] = ()

    def __post_init__(self) -> None:
        if self.section not in SECTIONS:
            raise ValueError(f"there is no section {self.section!r}; known: {', '.join(SECTIONS)}")
        if not self.text.strip():
            raise ValueError("a claim says something, and this one is empty")
        if len(self.quotes) > MOST_QUOTES:
            raise ValueError(f"a claim has at most {MOST_QUOTES} quotations, not {len(self.quotes)}")
        if any(len(text) > MOST_CHARACTERS for text in (self.text, *(quote.text for quote in self.quotes))):
            raise ValueError(f"a claim and its quotations have at most {MOST_CHARACTERS} characters each")
