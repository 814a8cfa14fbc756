"""Small git repositories, and observations of them from outside."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from certo.project.candidate_store.backends import ExperimentsOf

ADA = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{
        f"GIT_{role}_{what}": how
        for role in ("AUTHOR", "COMMITTER")
        for what, how in (("NAME", "Ada"), ("EMAIL", "a@b"))
    },
}
"""What git is told by its user, who is called Ada."""


@dataclass
class Stage:
    """A project, a folder for its experiments, and the messages about them."""

    root: Path
    state: Path
    said: list[str] = field(default_factory=list)

    @property
    def environ(self) -> dict[str, str]:
        """The variables of a user whose home is empty."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.state.parent / "home")}

    @property
    def experiments(self) -> ExperimentsOf:
        """The experiments about the project."""
        return ExperimentsOf(root=self.root, folder=self.state, environ=self.environ, say=self.said.append)

    def write(self, **files: str | bytes) -> None:
        """Write files by names in which `__` stands for a slash, and the last `_` for a dot."""
        for name, content in files.items():
            path = ".".join(name.replace("__", "/").rsplit("_", 1))
            self.put(path, content.encode() if isinstance(content, str) else content)

    def put(self, path: str, content: bytes) -> None:
        """Write one file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def git(root: Path, *words: str, status: int = 0) -> str:
    """Run git as its user would, and return its output without the last line break."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, env=ADA, check=False)
    assert done.returncode == status, (words, done.stderr)
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def begin(root: Path, *, branch: str = "main") -> None:
    """Make a repository without a commit, of a user called Ada."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", branch)
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")


def commit(root: Path, message: str = "as it is") -> str:
    """Commit everything, and return the id of the commit."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def everything_in(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Return each file below a folder with its mode, its time of change in nanoseconds, and a hash of its content."""
    found: dict[str, tuple[int, int, str]] = {}
    for path in sorted(folder.rglob("*")):
        known = path.lstat()
        holds = "" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
        found[path.relative_to(folder).as_posix()] = (known.st_mode, known.st_mtime_ns, holds)
    return found
