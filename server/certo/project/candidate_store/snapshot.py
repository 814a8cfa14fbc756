"""The user's work as it is, as git sees it on an index of our own: nothing of the user's is written."""

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
"""Where more files than this are neither tracked nor ignored, nobody has said what of them is the project's own."""

WRITTEN = "written"
"""The store of the objects that are made of files and texts."""

_PLAIN, _EXECUTABLE = "100644", "100755"


def borrow_index(repository: Repository, index: Path) -> None:
    """Copy the user's index, so that files need not be read to know that they are as they were.

    A copy keeps its time: by that git tells which files may have changed since without looking it.
    """
    own = repository.directory / "index"
    if own.is_file():
        shutil.copy2(own, index)
        for shared in repository.directory.glob("sharedindex.*"):
            shutil.copy2(shared, index.with_name(shared.name))


async def take_snapshot(git: Git, repository: Repository, texts: Files) -> tuple[ImportEntry, ...]:
    """Find what the project has now, with `texts` laid over it, that is other than in the commit that is checked out.

    That is what the index has, the files as they are on the disk, and below the project's root the text that is neither
    tracked nor ignored and does not look like a secret. Submodules and what is out of the project stay as in the index.

    Raises:
        ExperimentsUnavailable: git failed, or a text belongs to another repository.
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
    """The same git for making objects, in a store of ours that knows no other.

    Where git makes an object that a store it knows has already, it marks that one as new: it would touch the user's.
    """
    store = str(Path(git.environment["GIT_DIR"], WRITTEN))
    return replace(git, environment={**git.environment, "GIT_OBJECT_DIRECTORY": store})


def place_of(repository: Repository, path: str) -> str:
    """The path of a project's file in its repository, where links lead to.

    Raises:
        ExperimentsUnavailable: it is in no part of the repository, or in one that is another's.
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
    """Write a file's content as an object, with the line breaks that the repository keeps it with; returns its id."""
    return (await writing(git).ask("hash-object", "-w", "--stdin", "--path", path, given=content)).decode().strip()


async def _entries(git: Git, repository: Repository, texts: Files) -> bytes:
    """Texts in the words in which an index takes them."""
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
    """A line of `git ls-files --stage`."""
    facts, _, path = entry.partition("\t")
    mode, blob, _ = facts.split(" ")
    return ImportEntry(path=path, content=blob, mode=mode)


def _differing(facts: str, path: str) -> ImportEntry:
    """A line of `git diff-index --raw`."""
    _, mode, _, blob, status = facts.split(" ")
    return ImportEntry(path=path, content=None if status == "D" else blob, mode=mode)


async def _changed(git: Git, repository: Repository) -> AsyncIterator[str]:
    """The files that are not as in the index, or not in it, as far as they are to be in the tree."""
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
    """Whether a tracked file that has changed is to be taken as it is: it is gone, or a file of bearable size."""
    try:
        known = file.lstat()
    except OSError:
        return True
    return not stat.S_ISDIR(known.st_mode) and known.st_size <= 10 * MAX_BYTES


def _is_beside(repository: Repository, path: Path, skipped: dict[Path, bool]) -> bool:
    """Whether an untracked file stands in what no project calls its own: an environment, or what tools build."""
    for parent in path.parents[:-1]:
        if parent not in skipped:
            skipped[parent] = is_skipped(repository.top / parent)
    return any(skipped[parent] for parent in path.parents[:-1])


def _is_new_text(file: Path) -> bool:
    """Whether an untracked file is text, or a link, which is as short as one."""
    try:
        known = file.lstat()
        if stat.S_ISLNK(known.st_mode):
            return True
        return stat.S_ISREG(known.st_mode) and known.st_size <= MAX_BYTES and is_text(file.read_bytes())
    except OSError:
        return False
