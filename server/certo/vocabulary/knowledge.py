"""Knowledge about a repository beyond its text: claims in sections, each with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score

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

MAX_CHARACTERS = 400
"""The most characters of a claim, and of a quotation for it."""

MAX_QUOTES = 3
"""The most quotations of one claim."""


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
        if len(self.quotes) > MAX_QUOTES:
            raise ValueError(f"a claim has at most {MAX_QUOTES} quotations, not {len(self.quotes)}")
        if any(len(text) > MAX_CHARACTERS for text in (self.text, *(quote.text for quote in self.quotes))):
            raise ValueError(f"a claim and its quotations have at most {MAX_CHARACTERS} characters each")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file by its path from the root (POSIX form), with its size in bytes and when it was changed, in nanoseconds."""

    path: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A function, method or class: its qualified name, its head as it is shown, and the first line of its docstring."""

    name: str
    shown: str
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The outline of a file: its purpose, its definitions (public ones first), and whether it is a program."""

    doc: str = ""
    symbols: tuple[Symbol, ...] = ()
    is_main: bool = False

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Outline:
        """The outline that plain fields stand for."""
        return cls(
            doc=fields["doc"],
            symbols=tuple(Symbol(**symbol) for symbol in fields["symbols"]),
            is_main=fields["is_main"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """A file as it was read: its listing then, a hash of its bytes, and its outline.

    `outline` is None where the bytes are those of the time before, and so is the outline.
    """

    listed: Listed
    hash: str
    outline: Outline | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAttempt:
    """A candidate that was judged: in which search and as which of it, for which function, and how it did.

    `number` counts the candidates of the search from 1, `at` is when it was judged, in seconds since 1970. `idea`
    says where the candidate came from, `diff` what it changes and `failure` why it did not pass; each may be cut.
    `cost` is None for one that did not pass and where nobody knows, `score` where nobody counted; neither is 0 then.
    `ruling` is what its user said of it last, if anything (see `Feedback`), and `note` why.
    """

    search: str
    candidate: str
    number: int
    path: str
    qualname: str
    at: float
    idea: str = ""
    diff: str = ""
    failure: str = ""
    passed: bool = False
    verified: bool = False
    cost: float | None = None
    score: Score | None = None
    ruling: str = ""
    note: str = ""

    @property
    def stands(self) -> bool:
        """True if it passed and its user did not turn it down: what passed and was rejected is no success."""
        return self.passed and self.ruling not in ("rejected", "undone")

    @property
    def came_of_it(self) -> str:
        """The result in words: passed, failed, or passed and rejected by the user."""
        if self.ruling == "rejected":
            return f"rejected by the user: {self.note}" if self.note else "rejected by the user"
        if self.ruling == "undone":
            return "accepted by the user and undone again"
        return "passed" if self.passed else f"failed {self.failure or 'before it was judged to the end'}"
