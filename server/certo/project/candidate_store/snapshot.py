"""Snapshot of the user's uncommitted work through an index of certo's own; nothing of the user's is written."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import anyio

from certo.project.candidate_store.fast_import import ImportEntry
from certo.project.candidate_store.store import MAX_BYTES, Files, is_gits_own, is_text
from certo.project.git import Git
from certo.project.repository import Repository
from certo.project.testfiles import is_skipped
from certo.sandbox.confinement.secrets import looks_secret
from certo.vocabulary.errors import ExperimentsUnavailable

MAX_UNTRACKED = 5_000
"""Maximum number of untracked files; with more, there is no telling which belong to the project."""

WRITTEN = "written"
"""Name of the store of objects made from files and texts."""

_PLAIN, _EXECUTABLE = "100644", "100755"


def borrow_index(repository: Repository, index: Path) -> None:
    """Copy the user's index, so that unchanged files need not be read.

    The copy keeps its time of change: git compares it with files' times to find those that may have changed unnoticed.
    """
    own = repository.directory / "index"
    if own.is_file():
        shutil.copy2(own, index)
        for shared in repository.directory.glob("sharedindex.*"):
            shutil.copy2(shared, index.with_name(shared.name))


async def take_snapshot(git: Git, repository: Repository, texts: Files) -> tuple[ImportEntry, ...]:
    """Return the entries in which the project, with `texts` laid over it, differs from HEAD.

    The project consists of the index, tracked files as they are on disk, and untracked text files below its root that
    are neither ignored nor named like secrets. Submodules and everything outside the project stay as in the index.

    Raises:
        ExperimentsUnavailable: Git failed, or a text belongs to another repository.
    """
    changed = [path async for path in _changed(git, repository)]
    if changed:
        listed = b"\0".join(map(os.fsencode, changed)) + b"\0"
        await writing(git).ask("update-index", "-z", "--add", "--remove", "--replace", "--stdin", given=listed)
    if texts:
        await writing(git).ask("update-index", "-z", "--index-info", given=await _entries(git, repository, texts))
    if repository.head is None:
        said = await git.ask("ls-files", "--stage", "-z")
        return tuple(_staged(os.fsdecode(entry)) for entry in said.split(b"\0") if entry)
    words = ("diff-index", "--cached", "--raw", "--no-renames", "--abbrev=64", "-z")
    fields = [os.fsdecode(field) for field in (await git.ask(*words, repository.head)).split(b"\0") if field]
    return tuple(_differing(facts, path) for facts, path in zip(fields[::2], fields[1::2], strict=True))


def writing(git: Git) -> Git:
    """Return git set up to write objects into a separate store that knows no other.

    When git writes an object that a known store already has, it updates that file's time, which would touch the user's
    store.
    """
    store = str(Path(git.environment["GIT_DIR"], WRITTEN))
    return replace(git, environment={**git.environment, "GIT_OBJECT_DIRECTORY": store})


def place_of(repository: Repository, path: str) -> str:
    """Return the path of a project's file in its repository, links resolved.

    Raises:
        ExperimentsUnavailable: It is outside the repository, or in another one inside it.
    """
    real = Path(os.path.realpath(repository.top / repository.prefix / path))
    if not real.is_relative_to(repository.top) or real == repository.top:
        raise ExperimentsUnavailable(f"{path} leads to {real}, outside of the repository in {repository.top}")
    within = real.relative_to(repository.top)
    if is_gits_own(within):
        raise ExperimentsUnavailable(f"{path} leads into the repository's own files")
    for parent in within.parents[:-1]:
        if (repository.top / parent / ".git").exists():
            raise ExperimentsUnavailable(f"{path} belongs to another repository, the one in {repository.top / parent}")
    return within.as_posix()


async def as_blob(git: Git, path: str, content: bytes) -> str:
    """Write content as an object, with the repository's line breaks; return its id."""
    return (await writing(git).ask("hash-object", "-w", "--stdin", "--path", path, given=content)).decode().strip()


async def _entries(git: Git, repository: Repository, texts: Files) -> bytes:
    """Return texts in the format of `git update-index`."""
    places = {place_of(repository, path): content for path, content in texts.items()}
    staged = await git.ask("ls-files", "--stage", "-z", "--", *places)
    listed = (os.fsdecode(entry).partition("\t") for entry in staged.split(b"\0") if entry)
    known = {path: facts.split(" ")[0] for facts, _, path in listed}
    entries = []
    for place, content in places.items():
        if place not in known and looks_secret(repository.top, place):
            continue
        if content is None:
            entries.append(f"0 {repository.nothing}\t{place}")
        else:
            mode = known.get(place, _EXECUTABLE if os.access(repository.top / place, os.X_OK) else _PLAIN)
            entries.append(f"{mode} {await as_blob(git, place, content)}\t{place}")
    return b"".join(os.fsencode(entry) + b"\0" for entry in entries)


def _staged(entry: str) -> ImportEntry:
    """Return the entry of a line of `git ls-files --stage`."""
    facts, _, path = entry.partition("\t")
    mode, blob, _ = facts.split(" ")
    return ImportEntry(path=path, content=blob, mode=mode)


def _differing(facts: str, path: str) -> ImportEntry:
    """Return the entry of a line of `git diff-index --raw`."""
    _, mode, _, blob, status = facts.split(" ")
    return ImportEntry(path=path, content=None if status == "D" else blob, mode=mode)


async def _changed(git: Git, repository: Repository) -> AsyncIterator[str]:
    """Yield the files that differ from the index or are missing in it, and belong in the snapshot."""
    ignoring = [word for place in repository.ignoring for word in ("--exclude-from", str(place))]
    words = ("ls-files", "-z", "-t", "--modified", "--others", "--exclude-per-directory=.gitignore", *ignoring)
    said = await git.ask(*words, "--", *filter(None, [repository.prefix]))
    entries = [os.fsdecode(entry) for entry in said.split(b"\0") if entry]
    untracked = [entry[2:] for entry in entries if entry.startswith("? ")]
    tracked = [entry[2:] for entry in entries if not entry.startswith("? ")]
    skipped: dict[Path, bool] = {}
    for path in dict.fromkeys(tracked):
        if _may_be_taken(repository.top / path):
            yield path
    for path in untracked if len(untracked) <= MAX_UNTRACKED else ():
        await anyio.lowlevel.checkpoint()
        if _is_beside(repository, Path(path), skipped) or looks_secret(repository.top, path):
            continue
        if _is_new_text(repository.top / path):
            yield path


def _may_be_taken(file: Path) -> bool:
    """True if a changed tracked file belongs in the snapshot: it was deleted, or its size is bearable."""
    try:
        known = file.lstat()
    except OSError:
        return True
    return not stat.S_ISDIR(known.st_mode) and known.st_size <= 10 * MAX_BYTES


def _is_beside(repository: Repository, path: Path, skipped: dict[Path, bool]) -> bool:
    """True if an untracked file is in an environment or in a folder of build output."""
    for parent in path.parents[:-1]:
        if parent not in skipped:
            skipped[parent] = is_skipped(repository.top / parent)
    return any(skipped[parent] for parent in path.parents[:-1])


def _is_new_text(file: Path) -> bool:
    """True if an untracked file is text, or a link, which is as short as text."""
    try:
        known = file.lstat()
        if stat.S_ISLNK(known.st_mode):
            return True
        return stat.S_ISREG(known.st_mode) and known.st_size <= MAX_BYTES and is_text(file.read_bytes())
    except OSError:
        return False
