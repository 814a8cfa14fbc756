"""The user's repository as it is found around a project; it is only ever looked at here."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from certo.project.git import Git, GitFailed, users_git
from certo.vocabulary.errors import ExperimentsUnavailable

_CONVERSIONS = ["autocrlf", "eol", "filemode", "symlinks", "ignorecase", "precomposeunicode", "checkstat", "trustctime"]
"""Settings by which files become objects and back again; none of them runs anything."""

_PLAIN = re.compile(r"[A-Za-z0-9]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository with a work tree, seen from a project in it.

    `top` is the root of the work tree, `prefix` the project's root below that, "" or ending in a slash. `directory` is
    the git directory of this work tree, `common` what it shares with other work trees. `head` is the commit that is
    checked out, None before the first one. `hashing` is the name of the hash by which objects are called. `conversions`
    are the settings by which files become objects, `ignoring` files with patterns of what is not to be tracked.
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
        """The id of no object."""
        return "0" * (64 if self.hashing == "sha256" else 40)


async def find_repository(program: str, root: Path, environ: Mapping[str, str]) -> Repository | None:
    """Look for the repository a project is in; None where there is none, or one without a work tree.

    Raises:
        ExperimentsUnavailable: there is one, but git does not say of it what has to be known.
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
    """What there is, by what git has said of it, whose paths are seen from the project."""
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
    """What the user has configured of `core`, by names in small letters; the last one counts."""
    said = await git.run("config", "--null", "--get-regexp", r"^core\.")
    pairs = (os.fsdecode(entry).partition("\n") for entry in said.stdout.split(b"\0") if entry)
    return {name: value if line_break else "true" for name, line_break, value in pairs}


def _excludes_file(settings: Mapping[str, str], environ: Mapping[str, str]) -> Path | None:
    """The user's own list of what is not tracked anywhere."""
    home = environ.get("HOME")
    if chosen := settings.get("core.excludesfile"):
        place = Path(home) / chosen.removeprefix("~/") if home and chosen.startswith("~/") else Path(chosen)
        return place if place.is_absolute() else None
    if configured := environ.get("XDG_CONFIG_HOME"):
        return Path(configured) / "git" / "ignore"
    return Path(home) / ".config" / "git" / "ignore" if home else None
