"""The wire form of a checked claim about a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from certo.protocol.wire import Wire


class SignedVerdict(Wire):
    """The content of a digest: a function, the outcome, each verifier's ruling, and hashes of the files.

    `texts` are the files of the code, that of the function first, and `tests` those of its tests, by their paths
    relative to `root`, each with the SHA-256 of its content. `at` is the time in UTC.
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


class CheckedVerdict(Wire):
    """The check of a digest. It `holds` if it says verified, and code and tests are unchanged.

    It `isOurs` if this user's certo made it; then `record` says what for. `changedTexts` and `changedTests` are the
    files that are not what they were.
    """

    type: Literal["check"] = "check"
    digest: str
    is_ours: bool
    holds: bool
    record: SignedVerdict | None
    changed_texts: tuple[str, ...] = ()
    changed_tests: tuple[str, ...] = ()
