"""Checkout of an experiment into the user's repository: a commit of its changes alone, on a new branch.

The commit is based on the user's HEAD. Files changed by the experiment are updated if they are as they were when the
search began; every other file, staged or not, stays untouched. The user's own uncommitted changes of the same files
stay uncommitted, as far as they can be separated from the experiment's changes.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio

from certo.project.candidate_store.replacement import Replacement, refuse_moved, replaced
from certo.project.candidate_store.store import CheckedOut
from certo.project.git import EMAIL, NAME, Git, GitFailed
from certo.project.repository import Repository
from certo.vocabulary.errors import CheckoutRefused
from certo.vocabulary.records import dataclass

_BUSY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
}
"""Files that git keeps during an unfinished operation, and the name of the operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Change of one file by an experiment: objects and contents before and after, and the mode after.

    `file` is the replacement to write.
    """

    blob_before: str | None
    blob: str | None
    before: bytes | None
    after: bytes | None
    mode: str
    file: Replacement


@dataclass(frozen=True, slots=True)
class _TreeEntry:
    """Index entry at a path, present or wanted; `blob` is None for no file."""

    blob: str | None
    mode: str = "100644"


async def check_out(
    git: Git, repository: Repository, changes: Mapping[str, Change], message: str, branch: str
) -> CheckedOut:
    """Commit changes, given by path in the user's repository, on a new branch and update the work tree.

    `git` runs with the user's own configuration, which names the author of commits.

    Raises:
        CheckoutRefused: Work of the user would be lost or is in the way; nothing was changed.
    """
    try:
        await _refuse_unless_ready(git, repository, branch)
        files = {path: change.file for path, change in changes.items()}
        refuse_moved(repository.top, files)
        back = await _way_back(git, repository)
        head = await _listed(git, "ls-tree", "-z", "HEAD", paths=changes) if repository.head else {}
        staged = await _listed(git, "ls-files", "--stage", "-z", paths=changes)
        committed = {path: await _to_commit(git, change, head.get(path)) for path, change in changes.items()}
        if all(entry.blob == head.get(path, _TreeEntry(None)).blob for path, entry in committed.items()):
            raise CheckoutRefused("what you have checked out has these changes already; nothing was changed")
        to_stage = {path: _to_stage(path, changes[path], head, staged, committed[path]) for path in changes}
        commit = await _commit(git, repository, committed, message)
    except GitFailed as failure:
        raise CheckoutRefused(f"{failure}. Nothing was changed") from failure
    with anyio.CancelScope(shield=True):
        async with _branched(git, branch, commit), _staged(git, repository, staged, to_stage):
            with replaced(repository.top, files) as written:
                await _ask(git, "symbolic-ref", "-m", f"certo: to {branch}", "HEAD", f"refs/heads/{branch}")
    mixed = tuple(path for path, entry in committed.items() if _is_mixed(changes[path], head.get(path), entry))
    return CheckedOut(branch=branch, paths=tuple(written), mixed=mixed, back=back)


async def _refuse_unless_ready(git: Git, repository: Repository, branch: str) -> None:
    for name, what in _BUSY.items():
        if (repository.directory / name).exists():
            raise CheckoutRefused(f"{repository.top} is in the midst of {what}; finish or abort it first")
    if await git.ask("ls-files", "--unmerged", "-z"):
        raise CheckoutRefused(f"{repository.top} has conflicts that are not resolved; resolve them first")
    if (await git.run("check-ref-format", "--branch", branch)).returncode:
        raise CheckoutRefused(f"git takes no branch of the name {branch!r}; give another with --branch")
    if not (await git.run("show-ref", "--verify", "--quiet", f"refs/heads/{branch}")).returncode:
        raise CheckoutRefused(
            f"there is a branch {branch} already; `git switch {branch}` goes to it, --branch NAME takes another name"
        )


async def _way_back(git: Git, repository: Repository) -> str:
    """Return the git command that leads back to the current position; empty before the first commit."""
    if repository.head is None:
        return ""
    found = await git.run("symbolic-ref", "--quiet", "--short", "HEAD")
    if found.returncode:
        return f"git switch --detach {repository.head[:12]}"
    return f"git switch {shlex.quote(os.fsdecode(found.stdout).strip())}"


async def _listed(git: Git, *words: str, paths: Mapping[str, Change]) -> dict[str, _TreeEntry]:
    """Return the entries of a tree or index at some paths."""
    said = await git.ask(*words, "--", *paths)
    found: dict[str, _TreeEntry] = {}
    for entry in said.split(b"\0"):
        facts, _, path = os.fsdecode(entry).partition("\t")
        if path:
            mode, *between, last = facts.split(" ")
            # An index has the stage behind the object, a tree the kind of object before it.
            found[path] = _TreeEntry(between[0] if words[0] == "ls-files" else last, mode)
    return found


async def _to_commit(git: Git, change: Change, head: _TreeEntry | None) -> _TreeEntry:
    """Return the entry to commit: the experiment's change alone if it can be separated from the user's own."""
    mode = head.mode if head is not None else change.mode
    if change.after is None:
        return _TreeEntry(None)
    whole = _TreeEntry(await _written(git, change.after), mode)
    if head is not None and head.blob not in (change.blob_before, change.blob) and change.before is not None:
        ours = await git.ask("cat-file", "blob", str(head.blob))
        merged = await _merged(git, ours, change.before, change.after)
        if merged is not None:
            return _TreeEntry(await _written(git, merged), mode)
    return whole


def _is_mixed(change: Change, head: _TreeEntry | None, committed: _TreeEntry) -> bool:
    """True if a commit includes changes of a file that the user had not committed."""
    own = head.blob if head is not None else None
    return committed.blob is not None and committed.blob == change.blob and own not in (change.blob_before, change.blob)


def _to_stage(
    path: str, change: Change, head: Mapping[str, _TreeEntry], staged: Mapping[str, _TreeEntry], committed: _TreeEntry
) -> _TreeEntry:
    """Return the entry to stage, so that as much of the user's own change is staged as before.

    Raises:
        CheckoutRefused: The staged version is neither in the commit nor the one the search began with.
    """
    own = staged[path].blob if path in staged else None
    if own == (head[path].blob if path in head else None):
        return committed
    if own in (change.blob_before, change.blob):
        return _TreeEntry(change.blob, staged[path].mode if path in staged else change.mode)
    raise CheckoutRefused(
        f"{path} is staged in another version than the one the search began with; commit it, or unstage it "
        f"(git restore --staged {path}), first. Nothing was changed"
    )


async def _merged(git: Git, ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Return two changes of one text merged by lines; None on conflict."""
    with tempfile.TemporaryDirectory(prefix="certo-merge-") as folder:
        beside = replace(git, directory=_laid_out(Path(folder), ours=ours, base=base, theirs=theirs))
        done = await beside.run("merge-file", "--stdout", "ours", "base", "theirs")
    return done.stdout if done.returncode == 0 else None


def _laid_out(folder: Path, **contents: bytes) -> Path:
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


async def _written(git: Git, content: bytes) -> str:
    return (await git.ask("hash-object", "-w", "--stdin", given=content)).decode().strip()


async def _commit(git: Git, repository: Repository, entries: Mapping[str, _TreeEntry], message: str) -> str:
    """Commit on top of HEAD through a temporary index; return the id."""
    with tempfile.TemporaryDirectory(prefix="certo-index-") as folder:
        variables = {**git.environment, "GIT_INDEX_FILE": str(Path(folder, "index"))}
        aside = replace(git, environment=variables)
        await aside.ask("read-tree", *([repository.head] if repository.head else ["--empty"]))
        await aside.ask("update-index", "-z", "--index-info", given=_as_lines(entries, repository.nothing))
        tree = (await aside.ask("write-tree")).decode().strip()
    known = [(await git.run("config", "--get", name)).returncode == 0 for name in ("user.name", "user.email")]
    anonymous = [] if all(known) else ["-c", f"user.name={NAME}", "-c", f"user.email={EMAIL}"]
    parents = ["-p", repository.head] if repository.head else []
    utf8 = ["-c", "i18n.commitEncoding=utf-8"]
    made = await git.ask(*utf8, *anonymous, "commit-tree", tree, *parents, given=message.encode("utf-8", "replace"))
    return made.decode().strip()


@asynccontextmanager
async def _branched(git: Git, branch: str, commit: str) -> AsyncIterator[None]:
    """Create a branch that does not exist; it is deleted again if the block fails."""
    await _ask(git, "update-ref", "-m", "certo: checkout", f"refs/heads/{branch}", commit, "")
    try:
        yield
    except BaseException:
        await git.run("update-ref", "-d", f"refs/heads/{branch}", commit)
        raise


@asynccontextmanager
async def _staged(
    git: Git, repository: Repository, before: Mapping[str, _TreeEntry], after: Mapping[str, _TreeEntry]
) -> AsyncIterator[None]:
    """Put entries into the user's index; they are restored if the block fails."""
    await _ask(git, "update-index", "-z", "--index-info", given=_as_lines(after, repository.nothing))
    try:
        yield
    except BaseException:
        lines = _as_lines({path: before.get(path, _TreeEntry(None)) for path in after}, repository.nothing)
        await git.run("update-index", "-z", "--index-info", given=lines)
        raise


async def _ask(git: Git, *words: str, given: bytes = b"") -> None:
    try:
        await git.ask(*words, given=given)
    except GitFailed as failure:
        raise CheckoutRefused(f"{failure}. What was changed has been undone") from failure


def _as_lines(entries: Mapping[str, _TreeEntry], nothing: str) -> bytes:
    """Return entries in the format of `git update-index`; `nothing` is the id of no object."""
    lines = (
        f"{entry.mode} {entry.blob}\t{path}" if entry.blob is not None else f"0 {nothing}\t{path}"
        for path, entry in entries.items()
    )
    return b"".join(os.fsencode(line) + b"\0" for line in lines)
