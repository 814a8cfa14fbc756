"""Git: the single module that runs the user's git, with an environment in which it starts no other programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import anyio

from certo.vocabulary.errors import ExperimentsUnavailable
from certo.vocabulary.records import dataclass

OLDEST = (2, 25)
"""Oldest supported git, the first that reports a repository's hash algorithm; Ubuntu 20.04 has it."""

NAME, EMAIL = "certo", "certo@localhost"
"""Author of the commits of experiments."""

SECONDS = 60.0
"""Maximum time for one git command; repositories on network disks are slow."""

_INERT = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "protocol.allow=never",
)
"""Settings that keep git from running hooks, watchers, signers, maintenance and transports, whatever is configured."""

_OURS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
_ALONE = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}
_OF_ANY_OWNER = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
"""For commands that only read: a project in a container often belongs to another user than the one who runs it."""

_NEEDED = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
_HOMES = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME")


class GitFailed(ExperimentsUnavailable):
    """A git command failed; `said` is everything it printed about that."""

    def __init__(self, message: str, *, said: str) -> None:
        super().__init__(message)
        self.said = said


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """Git in one directory with one environment."""

    program: str
    directory: Path
    environment: Mapping[str, str]

    def command(self, words: Iterable[str]) -> list[str]:
        """Return the whole command line for these arguments."""
        settings = [word for setting in _INERT for word in ("-c", setting)]
        return [self.program, "--no-pager", *settings, *words]

    async def ask(self, *words: str, given: bytes = b"") -> bytes:
        """Run git to its end and return its output; `given` is its input.

        Raises:
            GitFailed: It ended with a status other than 0, could not be started, or took longer than SECONDS.
        """
        done = await self.run(*words, given=given)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise GitFailed(f"`git {words[0]}` failed in {self.directory}: {last_words(said)}", said=said)
        return done.stdout

    async def run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run git like `ask`, but return any status as a result."""
        try:
            with anyio.fail_after(SECONDS):
                return await anyio.run_process(
                    self.command(words),
                    input=given,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    check=False,
                    cwd=self.directory,
                    env=self.environment,
                )
        except OSError as error:
            raise GitFailed(f"git cannot be started: {error.strerror or error}", said=str(error)) from error
        except TimeoutError as error:
            raise GitFailed(f"`git {words[0]}` took longer than {SECONDS:g} s in {self.directory}", said="") from error


def last_words(said: str) -> str:
    """Return the reason that git gives for a failure, shortened for a message."""
    lines = said.splitlines()
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or ["it printed nothing"])[-1].strip()[:300]


_new_enough: set[tuple[str, int, int, int]] = set()
"""Programs that have told their version, as they were on the disk: a daemon looks for git several times in a second."""


async def find_git(environ: Mapping[str, str]) -> str | None:
    """Return the git on the user's PATH; None if there is none that is new enough."""
    program = shutil.which("git", path=environ.get("PATH", ""))
    if program is None:
        return None
    about = os.stat(program)
    stamp = (program, about.st_ino, about.st_mtime_ns, about.st_size)
    if stamp not in _new_enough:
        try:
            said = await Git(program=program, directory=Path("/"), environment=_variables(environ)).ask("--version")
        except GitFailed:
            return None
        found = re.search(rb"(\d+)\.(\d+)", said)
        if not found or (int(found[1]), int(found[2])) < OLDEST:
            return None
        _new_enough.add(stamp)
    return program


def users_git(program: str, directory: Path, environ: Mapping[str, str]) -> Git:
    """Return git for a repository of the user's, with the user's own configuration."""
    own = {name: environ[name] for name in _HOMES if name in environ}
    return Git(program=program, directory=directory, environment={**_variables(environ), **own})


def reading_git(program: str, directory: Path, environ: Mapping[str, str]) -> Git:
    """Return git for commands that only read a repository of the user's, which may belong to anybody."""
    git = users_git(program, directory, environ)
    return replace(git, environment={**git.environment, **_OF_ANY_OWNER})


def our_git(program: str, directory: Path, environ: Mapping[str, str], **variables: Path) -> Git:
    """Return git for a repository of certo's, with no configuration but that repository's own."""
    own = {name: str(place) for name, place in variables.items()}
    alone = {**_variables(environ), **_ALONE, "HOME": str(directory), "XDG_CONFIG_HOME": str(directory)}
    return Git(program=program, directory=directory, environment={**alone, **own})


def _variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that any program needs, and those that keep git from prompting or fetching."""
    return {**{name: environ[name] for name in _NEEDED if name in environ}, **_OURS}
