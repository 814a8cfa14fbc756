"""One proposed program: edits over a base text, what it changes in other files, and where it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Hunk, TextEdit

OWN = "builtin"
"""The generator that compares what it finds before it proposes any of it."""

USER = "user"
"""The generator of candidates that the user wrote."""

MADE = "compaction"
"""The generator of candidates that were made of the winner, such as a smaller one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A call, and what comes of it in the one candidate and in the other, in words."""

    call: str
    ours: str
    theirs: str

    @property
    def turned(self) -> Difference:
        """The same as it is seen from the other candidate."""
        return Difference(call=self.call, ours=self.theirs, theirs=self.ours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A call of the target, and what comes of it in one candidate, in words."""

    call: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The origin of a candidate: its generator, a short note for people, and its place in the strategy.

    `slot` is the number of its lane, from 0 (users see it from 1); `attempt` counts the candidates of a lane from 0.
    `idea` is the number of the idea that it follows, if its search has ideas. `suspicion` is that of the most
    suspicious line that it changes (Ochiai), from 0 to 1; None if its generator has none.
    """

    generator: str
    note: str = ""
    slot: int = 0
    attempt: int = 0
    idea: int | None = None
    suspicion: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The change of a file besides the problem's document, from `before`, which is None for a new file, to `after`.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The comparison of a candidate that passed with the others that passed.

    Those that behave alike are a group; `group` is its number, from 1 for the likeliest. `agreeing` of the `compared`
    votes are for its group, and `backed` counts those for other groups too that give the same wherever both answer. A
    candidate has a vote for each time it was written independently. One that behaves differently from the best is its
    rival, and `difference` is a call that shows it: `ours` is its result, `theirs` that of the best. `observations` are
    its results for the calls that tell all groups apart; they are `unusual` if none like those of the tests does. If it
    could not be compared, `uncompared` says why. `alike` is how many others its own generator found that behave like
    it; None if it does not know.
    """

    agreeing: int = 0
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    uncompared: str = ""
    group: int = 0
    backed: int = 0
    compared: int = 0
    unusual: bool = False
    alike: int | None = None

    def taken_by(self, candidate: Candidate) -> Candidate:
        """Return a candidate that stands so."""
        return replace(candidate, rival_of=self.rival_of, difference=self.difference, observations=self.observations)
