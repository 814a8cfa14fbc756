"""Texts of the project at a revision of the user's repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from certo.project.git import Git, find_git, reading_git
from certo.vocabulary.errors import BadRequest

MAX_EARLIER = 20
"""Maximum number of earlier commits that are looked at for a function that a revision does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit of the repository around `root`, and the name the user has for it."""

    root: Path
    name: str
    commit: str
    git: Git

    async def text_of(self, path: str) -> str | None:
        """Return the text of a file, relative to the root, at this revision; None if it was not there or is no text."""
        done = await self.git.run("cat-file", "blob", f"{self.commit}:./{path}")
        try:
            return done.stdout.decode("utf-8") if done.returncode == 0 else None
        except UnicodeDecodeError:
            return None

    async def changed_files(self) -> tuple[str, ...]:
        """Return the Python files that differ between this revision and the working tree, relative to the root.

        Files that git does not know yet are not among them.
        """
        said = await self.git.ask(
            "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", self.commit
        )
        return tuple(name for name in os.fsdecode(said).split("\0") if name.endswith(".py"))

    async def earlier(self, path: str) -> tuple[tuple[str, str], ...]:
        """Return the short names and texts of the last commits that changed a file, the newest first."""
        said = await self.git.run("log", "--format=%h", f"-n{MAX_EARLIER}", "HEAD", "--", path)
        found = []
        for name in said.stdout.decode("ascii", "replace").split():
            done = await self.git.run("cat-file", "blob", f"{name}:./{path}")
            if done.returncode == 0:
                found.append((name, done.stdout.decode("utf-8", "replace")))
        return tuple(found)


async def find_revision(root: Path, name: str, environ: Mapping[str, str], *, common: bool = False) -> Revision:
    """Return a revision by its name; with `common`, the last commit that it has in common with HEAD.

    Raises:
        BadRequest: There is no git, no repository around the root, or no such revision in it.
    """
    program = await find_git(environ)
    if program is None:
        raise BadRequest("there is no git on the PATH, so there is no older version; name a file: --with FILE")
    git = reading_git(program, root, environ)
    if (await git.run("rev-parse", "--is-inside-work-tree")).stdout.strip() != b"true":
        raise BadRequest(f"{root} is in no git repository, so there is no older version; name a file: --with FILE")
    found = await _commit(git, name)
    if found is None:
        raise BadRequest(
            f"there is no revision {name!r} in the repository around {root}; `git log` lists those there are"
        )
    if common:
        merged = await git.run("merge-base", found, "HEAD")
        found = merged.stdout.decode("ascii", "replace").strip() or found
    return Revision(root=root, name=name, commit=found, git=git)


async def _commit(git: Git, name: str) -> str | None:
    if not name or name.startswith("-"):
        return None
    said = await git.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return said.stdout.decode("ascii", "replace").strip() or None
