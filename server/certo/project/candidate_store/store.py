"""Contract of the candidate store: experiments are candidates of a search kept as versions of the project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path, PurePath
from typing import Literal, Protocol

from certo.vocabulary.options import option
from certo.vocabulary.records import dataclass

Files = Mapping[str, bytes | None]
"""Contents of files by POSIX path relative to the project's root; None for a file that does not exist."""

MAX_BYTES = 1024 * 1024
"""Maximum size of a text file; larger ones are left out of a base unless the user's repository has them."""

BASE = "base"
"""Name used in branches in place of a number for the state in which a search began."""

_GITS_OWN = frozenset({".git", "git~1"})
_NAME = re.compile(r"certo/([A-Za-z0-9_-]+)/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCandidate:
    """A candidate to store: its number, from 1, the files that differ from the base, and its evidence.

    `parent` is the number of the nearest stored ancestor, None for the base. The first line of `message` says what was
    tried.
    """

    number: int
    parent: int | None
    files: Files
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOut:
    """Result of a checkout: the new branch, None without git, and the files written.

    `mixed` are files whose uncommitted changes could not be separated from the candidate's and are in its commit too.
    `back` is the git command that leads back, empty if there is none.
    """

    branch: str | None
    paths: tuple[str, ...]
    mixed: tuple[str, ...] = ()
    back: str = ""


class StoreWriter(Protocol):
    """Writer for the experiments of a running search; concurrent calls are allowed."""

    async def keep(self, experiment: StoredCandidate) -> str:
        """Store an experiment durably; return the id of its version. An existing number stays as it is.

        Raises:
            ExperimentsUnavailable: It cannot be stored, nor can any later one.
        """
        ...


class CandidateStore(Protocol):
    """The experiments of one search. Every method raises ExperimentsUnavailable if stored data is unusable."""

    def begun(self, texts: Files) -> AbstractAsyncContextManager[StoreWriter]:
        """Store the project with `texts` laid over it as the base, or continue from an existing base."""
        ...

    async def numbers(self) -> tuple[int, ...]:
        """Return the numbers of stored experiments in order."""
        ...

    async def message(self, number: int) -> str:
        """Return the message of an experiment.

        Raises:
            CandidateNotFound: There is none of that number.
        """
        ...

    async def files(self, number: int) -> Files:
        """Return the files of an experiment that differ from the base, as they would be on disk."""
        ...

    def materialized(self, number: int | None) -> AbstractAsyncContextManager[Path]:
        """Yield a temporary directory with the whole project as in an experiment, None for the base."""
        ...

    async def check_out(self, number: int, branch: str) -> CheckedOut:
        """Check an experiment out into the user's files, on a new branch if there is git.

        Raises:
            CheckoutRefused: Something of the user's would be lost, or is in the way; nothing was changed.
            CandidateNotFound: There is none of that number.
        """
        ...

    async def forget(self) -> None:
        """Delete all experiments of the search."""
        ...


def branch_name(search: str, number: int | None) -> str:
    """Return the branch name of an experiment, or of the base."""
    return f"certo/{search}/{BASE if number is None else number}"


def number_in(branch: str) -> int | None:
    """Return the number in the name of an experiment's branch; None for any other branch."""
    found = _NAME.fullmatch(branch)
    return int(found[2]) if found else None


def is_gits_own(path: PurePath) -> bool:
    """True if a path leads into a `.git` directory, in any letter case since some file systems ignore it."""
    return not _GITS_OWN.isdisjoint(part.casefold() for part in path.parts)


def is_text(content: bytes) -> bool:
    """True if content is text by git's rule and of bearable size."""
    return len(content) <= MAX_BYTES and b"\0" not in content[:8000]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """The choice of candidates that are kept as versions of the project."""

    keep: Literal["never", "passed", "all"] = option(
        "passed",
        "The candidates that are kept as commits next to your repository, for `certo searches checkout`: `never` "
        "keeps none, `passed` those that passed, `all` every judged one.",
    )
