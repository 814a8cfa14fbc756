"""One proposed program: edits over a base text, and where they came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from certo.vocabulary.text import TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who proposed a candidate and how: generator, a short human note, and its place in the strategy.

    `slot` counts parallel lines of tries from 0, for users from 1; `attempt` counts the tries within a line from 0.
    `idea` is the number of the idea that it follows, where its search has ideas.
    """

    generator: str
    note: str = ""
    slot: int = 0
    attempt: int = 0
    idea: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One proposed program: `text` is what `edits` make of the problem's text.

    `id` is a hash of the base text and the edits, so equal candidates have equal ids; `parent` is the id of the
    candidate whose failure led to this one.
    """

    id: str
    edits: tuple[TextEdit, ...]
    text: str
    origin: Origin
    parent: str | None = None


def candidate_id(base: str, text: str) -> str:
    """Name a candidate by what it changes: 12 hex digits of a hash of the base text and the new text."""
    digest = hashlib.sha256()
    for part in (base, text):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:12]
