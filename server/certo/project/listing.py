"""Readable files of a project: those that git does not ignore and that are not named like secrets."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path

import anyio

from certo.project.git import GitFailed, find_git, users_git
from certo.project.testfiles import is_skipped
from certo.sandbox.confinement.secrets import is_named_like_secret, looks_secret
from certo.vocabulary.knowledge import Listed
from certo.vocabulary.records import dataclass

MAX_FILES = 20_000
"""Maximum number of listed files, the first by path; the others are unknown."""

_AT_ONCE = 100
"""Number of files that are examined before other tasks get a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The files of a project in order of path; `whole` is False if there are more, or it is unknown."""

    files: tuple[Listed, ...]
    whole: bool = True


async def list_files(root: Path, environ: Mapping[str, str]) -> Listing:
    """List the readable files below `root`, yielding to other tasks.

    In a git repository these are the files that git does not ignore, and none if git fails. Links, hidden directories,
    environments, build output and files named like secrets are always left out.
    """
    if not any((place / ".git").exists() for place in (root, *root.parents)):
        paths: Iterable[str] | None = [path async for path in _walk(root)]
    else:
        paths = await _ask_git(root, environ)
    if paths is None:
        return Listing(files=(), whole=False)
    found: list[Listed] = []
    skipped: dict[str, bool] = {"": False}
    for number, path in enumerate(sorted(paths)):
        if number % _AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        if len(found) == MAX_FILES:
            return Listing(files=tuple(found), whole=False)
        if not _is_secret(root, path) and not _lies_in_skipped(root, path, skipped):
            found.extend(_listed(root, path))
    return Listing(files=tuple(found))


def _is_secret(root: Path, path: str) -> bool:
    return is_named_like_secret(path.rpartition("/")[2]) or looks_secret(root, path)


async def _ask_git(root: Path, environ: Mapping[str, str]) -> set[str] | None:
    """Return the files that git tracks or would add; None if git fails."""
    program = await find_git(environ)
    if program is None:
        return None
    try:
        git = users_git(program, root, environ)
        said = await git.ask("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    except GitFailed:
        return None
    return set(said.decode("utf-8", "replace").split("\0")) - {""}


async def _walk(root: Path) -> AsyncIterator[str]:
    for place, directories, names in os.walk(root):
        await anyio.lowlevel.checkpoint()
        directories[:] = sorted(name for name in directories if not is_skipped(Path(place, name)))
        for name in names:
            yield Path(place, name).relative_to(root).as_posix()


def _lies_in_skipped(root: Path, path: str, known: dict[str, bool]) -> bool:
    """True if a file is in a directory that holds nothing of the project's own; `known` caches the answers.

    A link may lead out of the project, and git still lists files that were there before the link.
    """
    place = path.rpartition("/")[0]
    if place not in known:
        folder = root / place
        known[place] = _lies_in_skipped(root, place, known) or folder.is_symlink() or is_skipped(folder)
    return known[place]


def _listed(root: Path, path: str) -> Iterator[Listed]:
    """Yield the file of a path; nothing unless it is a plain file, such as for a link or a submodule."""
    try:
        found = os.lstat(root / path)
    except (OSError, ValueError):
        return
    if stat.S_ISREG(found.st_mode):
        yield Listed(path=path, size=found.st_size, changed=found.st_mtime_ns)
