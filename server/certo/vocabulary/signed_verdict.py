"""A signed verdict: what its digest vouches for, and whether that still holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRecord(NoTruthValue):
    """The content of a digest: a function, its outcome, and hashes of the texts that it was reached on.

    `texts` are the files of the code, that of the function first, and `tests` the files of its tests, each by its path
    relative to the root. `rulings` are the verifiers' words, and `at` is the time in UTC.
    """

    root: str
    path: str
    qualname: str
    outcome: str
    verified: bool
    rulings: Mapping[str, str]
    texts: Mapping[str, str]
    tests: Mapping[str, str]
    at: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim(NoTruthValue):
    """The check of a digest: what it vouches for, None if it is not this user's, and which files changed since."""

    ask_for: ClassVar[str] = ".holds"

    digest: str
    record: VerdictRecord | None
    changed_texts: tuple[str, ...] = ()
    changed_tests: tuple[str, ...] = ()

    @property
    def is_ours(self) -> bool:
        """True if the user's certo signed it."""
        return self.record is not None

    @property
    def holds(self) -> bool:
        """True if it says verified, and code and tests are still those that it was reached on."""
        return self.record is not None and self.record.verified and not self.changed_texts and not self.changed_tests
