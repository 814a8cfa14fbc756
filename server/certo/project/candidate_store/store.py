"""Experiments: the candidates of a search kept as versions of the project, each made from the one it came of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, Protocol

from certo.vocabulary.options import option

Files = Mapping[str, bytes | None]
"""The content of files by their path relative to the project's root, in POSIX form; None for one that is not there."""

MAX_BYTES = 1024 * 1024
"""A file that is larger is no text anybody works on, and no part of a base unless the user's repository has it."""

BASE = "base"
"""What stands in the name of a branch in place of a number for what a search began with."""

_GITS_OWN = frozenset({".git", "git~1"})
_NAME = re.compile(r"certo/([A-Za-z0-9_-]+)/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCandidate:
    """A candidate as it is to be kept: its number, from 1, the files that are other than in the base, and its evidence.

    `parent` is the number of the nearest one it came of that is kept too, None for the base. The first line of
    `message` says what was tried.
    """

    number: int
    parent: int | None
    files: Files
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOut:
    """What a checkout has done: the branch that was made, None where there are none, and the files it wrote.

    `mixed` are those whose uncommitted changes could not be kept apart from the candidate's and are in its commit too.
    `back` is the command of git's that leads to where the user was, nothing where there is none.
    """

    branch: str | None
    paths: tuple[str, ...]
    mixed: tuple[str, ...] = ()
    back: str = ""


class StoreWriter(Protocol):
    """Where a search that runs puts its experiments; several may be put at once."""

    async def keep(self, experiment: StoredCandidate) -> str:
        """Keep one, durably; returns the id of its version. One whose number is kept already stays as it is.

        Raises:
            ExperimentsUnavailable: it cannot be kept; no more can be put here.
        """
        ...


class CandidateStore(Protocol):
    """The experiments of one search. Every method raises ExperimentsUnavailable where what is kept cannot be used."""

    def begun(self, texts: Files) -> AbstractAsyncContextManager[StoreWriter]:
        """Keep the project as it is as the base, with `texts` laid over it, or go on from the base that is there."""
        ...

    async def numbers(self) -> tuple[int, ...]:
        """The experiments that are kept, in order."""
        ...

    async def message(self, number: int) -> str:
        """What was said of one.

        Raises:
            CandidateNotFound: there is none of that number.
        """
        ...

    async def files(self, number: int) -> Files:
        """The files of one that are other than in the base, as they would be on the disk."""
        ...

    def materialized(self, number: int | None) -> AbstractAsyncContextManager[Path]:
        """The whole project as one has it, None for the base, in a directory that is gone afterwards."""
        ...

    async def check_out(self, number: int, branch: str) -> CheckedOut:
        """Bring one into the user's files, on a new branch where there is a repository; see `certo searches checkout`.

        Raises:
            CheckoutRefused: something of the user's would be lost, or is in the way; nothing was changed.
            CandidateNotFound: there is none of that number.
        """
        ...

    async def forget(self) -> None:
        """Leave nothing of them."""
        ...


def branch_name(search: str, number: int | None) -> str:
    """What the branch of an experiment is called, or that of the base."""
    return f"certo/{search}/{BASE if number is None else number}"


def number_in(branch: str) -> int | None:
    """The number in the name of an experiment's branch; None for any other."""
    found = _NAME.fullmatch(branch)
    return int(found[2]) if found else None


def is_gits_own(path: PurePath) -> bool:
    """Whether a path leads to what git keeps for itself, on any disk: some take small letters for capitals."""
    return not _GITS_OWN.isdisjoint(part.casefold() for part in path.parts)


def is_text(content: bytes) -> bool:
    """Whether some content is text as far as git goes, and no larger than what anybody works on."""
    return len(content) <= MAX_BYTES and b"\0" not in content[:8000]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """The choice of candidates that are kept as versions of the project."""

    keep: Literal["never", "passed", "all"] = option(
        "passed",
        "The candidates that are kept as commits next to your repository, for `certo searches checkout`: `never` "
        "keeps none, `passed` those that passed, `all` every judged one.",
    )
