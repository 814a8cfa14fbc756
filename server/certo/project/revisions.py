"""Texts of the project at a revision of the user's repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from certo.project.git import Git, find_git, reading_git
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass

MAX_EARLIER = 20
"""Maximum number of earlier commits that are looked at for a function that a revision does not have."""

MAIN_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master", "trunk")
"""Names of the branch that changes are merged into, the most likely first."""

_ANOTHER_WAY = "name a file: --with FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit of the repository around `root`, and the name the user has for it.

    If `is_common`, it is the last commit that `name` has in common with HEAD.
    """

    root: Path
    name: str
    commit: str
    git: Git
    is_common: bool = False

    @property
    def in_words(self) -> str:
        """The commit, and how it was found."""
        short = self.commit[:12]
        if self.name == "HEAD":
            return f"HEAD ({short})"
        return f"{short}, the last commit in common with {self.name}" if self.is_common else f"{self.name} ({short})"

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

    async def differing_files(self) -> frozenset[str]:
        """Return all files of the repository that differ from the last commit or are new.

        Those below the root are relative to it. New ones whose path begins with a dot are left out, as environments do.
        """
        said = await self.git.ask("status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal")
        entries = (entry for entry in os.fsdecode(said).split("\0") if entry)
        folder = await self.folder()
        found = ((entry[:2], entry[3:].removeprefix(folder)) for entry in entries)
        return frozenset(path for state, path in found if not (state == "??" and path.startswith(".")))

    async def folder(self) -> str:
        """Return the folder of the root in its repository, with a slash at the end; empty if it is the same."""
        said = await self.git.ask("rev-parse", "--show-prefix")
        return os.fsdecode(said).removesuffix("\n")

    def below(self, root: Path) -> Revision:
        """Return this revision as a project within the root sees it."""
        return replace(self, root=root, git=replace(self.git, directory=root))

    async def new_files(self) -> tuple[str, ...]:
        """Return the Python files that git does not know yet and does not ignore, relative to the root."""
        said = await self.git.ask("ls-files", "-z", "--others", "--exclude-standard")
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


async def find_revision(
    root: Path, name: str, environ: Mapping[str, str], *, common: bool = False, advice: str = _ANOTHER_WAY
) -> Revision:
    """Return a revision by its name; with `common`, the last commit that it has in common with HEAD.

    The empty name stands for the main branch. `advice` is what to do without a revision.

    Raises:
        BadRequest: There is no git, no repository around the root, or no such revision in it.
    """
    program = await find_git(environ)
    if program is None:
        raise BadRequest(f"there is no git on the PATH, so there is no older version; {advice}")
    git = reading_git(program, root, environ)
    if (await git.run("rev-parse", "--is-inside-work-tree")).stdout.strip() != b"true":
        raise BadRequest(f"{root} is in no git repository, so there is no older version; {advice}")
    if await _commit(git, "HEAD") is None:
        raise BadRequest(f"the repository around {root} has no commit yet, so there is no older version; {advice}")
    name = name or await _main_branch(git)
    found = await _commit(git, name)
    if found is None:
        fetch = f"; this clone is shallow, and `git fetch --unshallow` brings the rest{_DEPTH}"
        raise BadRequest(
            f"there is no revision {name!r} in the repository around {root}"
            + (fetch if await _is_shallow(git) else "; `git log` lists those there are")
        )
    if common:
        found = await _merge_base(git, name, found)
    return Revision(root=root, name=name, commit=found, git=git, is_common=common)


_DEPTH = " (in GitHub Actions: `fetch-depth: 0` of actions/checkout)"


async def _merge_base(git: Git, name: str, commit: str) -> str:
    """Return the last commit that one has in common with HEAD.

    Raises:
        BadRequest: There is none.
    """
    merged = (await git.run("merge-base", commit, "HEAD")).stdout.decode("ascii", "replace").strip()
    if merged:
        return merged
    if await _is_shallow(git):
        raise BadRequest(
            f"this clone is shallow and lacks the last commit in common with {name}; "
            f"`git fetch --unshallow` brings it{_DEPTH}"
        )
    raise BadRequest(f"{name} and HEAD have no commit in common; name a commit that HEAD was made from")


async def _main_branch(git: Git) -> str:
    """Return the name of the main branch.

    Raises:
        BadRequest: No branch has one of the usual names.
    """
    for name in MAIN_BRANCHES:
        if await _commit(git, name) is not None:
            said = (await git.run("rev-parse", "--abbrev-ref", name)).stdout.decode("utf-8", "replace").strip()
            return said or name
    listed = ", ".join(MAIN_BRANCHES)
    raise BadRequest(
        f"no main branch was found (looked for {listed}); name the revision to compare with: --changed REV"
    )


async def _is_shallow(git: Git) -> bool:
    return (await git.run("rev-parse", "--is-shallow-repository")).stdout.strip() == b"true"


async def _commit(git: Git, name: str) -> str | None:
    if not name or name.startswith("-"):
        return None
    said = await git.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return said.stdout.decode("ascii", "replace").strip() or None
