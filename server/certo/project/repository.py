"""The user's git repository around a project; read only in this module."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from certo.project.git import Git, GitFailed, users_git
from certo.vocabulary.errors import ExperimentsUnavailable
from certo.vocabulary.records import dataclass

_CONVERSIONS = ["autocrlf", "eol", "filemode", "symlinks", "ignorecase", "precomposeunicode", "checkstat", "trustctime"]
"""Settings that control the conversion of files to objects and back; none of them runs a program."""

_PLAIN = re.compile(r"[A-Za-z0-9]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository with a work tree, seen from a project in it.

    `top` is the root of the work tree and `prefix` the project's root below it, "" or ending in a slash. `directory` is
    the git directory of this work tree, `common` the one shared by all work trees. `head` is the checked-out commit,
    None before the first one. `hashing` is the name of the hash algorithm. `conversions` are the settings for
    converting files to objects, `ignoring` files with ignore patterns.
    """

    top: Path
    prefix: str
    directory: Path
    common: Path
    head: str | None
    hashing: str
    conversions: Mapping[str, str]
    ignoring: tuple[Path, ...]

    @property
    def nothing(self) -> str:
        """The all-zero id that stands for no object."""
        return "0" * (64 if self.hashing == "sha256" else 40)


async def find_repository(program: str, root: Path, environ: Mapping[str, str]) -> Repository | None:
    """Return the repository of a project; None if there is none, or one without a work tree.

    Raises:
        ExperimentsUnavailable: There is one, but git does not report everything needed.
    """
    git = users_git(program, root, environ)
    try:
        said = await git.ask(
            "rev-parse", "--is-inside-work-tree", "--show-object-format", "--git-dir", "--git-common-dir", "--show-cdup"
        )
    except GitFailed as failure:
        if "not a git repository" in failure.said or "must be run in a work tree" in failure.said:
            return None
        raise
    lines = os.fsdecode(said).split("\n")
    if lines[0] != "true":
        return None
    if len(lines) != 6:
        raise ExperimentsUnavailable(
            f"the path of the repository around {root} has a line break, and no experiments are kept there"
        )
    head = (await git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")).stdout.decode().strip()
    return _found(root, lines[1:5], head, await _settings(git), environ)


def _found(
    root: Path, said: list[str], head: str, settings: Mapping[str, str], environ: Mapping[str, str]
) -> Repository:
    """Return the repository from git's output, whose paths are relative to the project."""
    hashing, directory, common, up = said
    place = root.resolve()
    top = (place / up).resolve()
    prefix = place.relative_to(top).as_posix()
    shared = (place / common).resolve()
    excluded = (shared / "info" / "exclude", _excludes_file(settings, environ))
    return Repository(
        top=top,
        prefix="" if prefix == "." else f"{prefix}/",
        directory=(place / directory).resolve(),
        common=shared,
        head=head or None,
        hashing=hashing,
        conversions={
            name: settings[f"core.{name}"]
            for name in _CONVERSIONS
            if _PLAIN.fullmatch(settings.get(f"core.{name}", "!"))
        },
        ignoring=tuple(place for place in excluded if place is not None and place.is_file()),
    )


async def _settings(git: Git) -> dict[str, str]:
    """Return the user's `core` settings by lower-case name; the last value of a name counts."""
    said = await git.run("config", "--null", "--get-regexp", r"^core\.")
    pairs = (os.fsdecode(entry).partition("\n") for entry in said.stdout.split(b"\0") if entry)
    return {name: value if line_break else "true" for name, line_break, value in pairs}


def _excludes_file(settings: Mapping[str, str], environ: Mapping[str, str]) -> Path | None:
    """Return the user's global ignore file, if any."""
    home = environ.get("HOME")
    if chosen := settings.get("core.excludesfile"):
        place = Path(home) / chosen.removeprefix("~/") if home and chosen.startswith("~/") else Path(chosen)
        return place if place.is_absolute() else None
    if configured := environ.get("XDG_CONFIG_HOME"):
        return Path(configured) / "git" / "ignore"
    return Path(home) / ".config" / "git" / "ignore" if home else None
