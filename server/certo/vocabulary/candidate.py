"""One proposed program: edits over a base text, what it changes in other files, and where it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from certo.vocabulary.difference import Difference
from certo.vocabulary.observation import Observation
from certo.vocabulary.text import Hunk, TextEdit


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
class FileChange:
    """What a candidate makes of a file that is not the problem's: `after` of `before`, which is None for a new one.

    `path` is relative to the project's root, in POSIX form; `diff` is the change as a unified diff, `hunks` are its
    hunks.
    """

    path: str
    before: str | None
    after: str
    diff: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One proposed program: `text` is what `edits` make of the problem's text, `elsewhere` what it changes besides.

    `id` is a hash of the base text and of all that is changed, so equal candidates have equal ids; `parent` is the id
    of the candidate whose failure led to this one. `elsewhere` is in the order of the paths, each there once. Where it
    is the rival of another one, it is as good by all that its generator knows and acts otherwise: `difference` is a
    call that tells it, as ours, from that one. `observations` are what it and its rivals give for the same calls.
    """

    id: str
    edits: tuple[TextEdit, ...]
    text: str
    origin: Origin
    parent: str | None = None
    elsewhere: tuple[FileChange, ...] = ()
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()


def candidate_id(base: str, text: str, elsewhere: Sequence[FileChange] = ()) -> str:
    """Name a candidate by what it changes: 12 hex digits of a hash of the texts before and after, and of the paths."""
    others = [
        part
        for change in elsewhere
        for part in (change.path, "new" if change.before is None else "changed", change.before or "", change.after)
    ]
    digest = hashlib.sha256()
    for part in (base, text, *others):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:12]
