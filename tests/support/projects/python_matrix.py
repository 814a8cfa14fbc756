"""The Pythons and pytests that a project may have: those on this machine, and environments with them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

PYTHONS = ((3, 8), (3, 9), (3, 10), (3, 11), (3, 12), (3, 13), (3, 14))
"""The Pythons that certo is tried with as a project's own."""

PYTESTS = {"7": (3, 8), "8": (3, 8), "9": (3, 10)}
"""The pytests that it is tried with, and the oldest Python that each runs under."""

_SECONDS = 300


class Absent(Exception):
    """A Python that this machine does not have; the message names the places that were searched."""


def dotted(version: tuple[int, int]) -> str:
    """Return a version as people write it."""
    return ".".join(map(str, version))


def find_python(version: tuple[int, int]) -> Path:
    """Return a Python of that version: pyenv's newest, the one on the PATH, or the one that runs these tests.

    Raises:
        Absent: there is none.
    """
    name = f"python{dotted(version)}"
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    built = (home / "versions").glob(f"{dotted(version)}.*/bin/{name}")
    newest = sorted(built, key=lambda path: int(path.parents[1].name.rpartition(".")[2]), reverse=True)
    ours = [sys.executable] if sys.version_info[:2] == version else []
    for found in (*newest, *filter(None, [shutil.which(name), *ours])):
        # What pyenv puts on the PATH may stand for a Python that is not switched on.
        said = subprocess.run([found, "-c", "import ensurepip, ssl, venv"], capture_output=True, check=False)
        if said.returncode == 0:
            return Path(found)
    raise Absent(f"this machine has no {name}, neither in {home / 'versions'} nor on its PATH")


def make_environment_with(python: Path, *requirements: str) -> Path:
    """Return the Python of a virtual environment of `python` with `requirements` from the package index.

    It is made when it is first asked for, and kept among the user's caches, for it takes longer than most tests.
    """
    text = "\n".join((os.path.realpath(python), *requirements))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "certo-tests"
    place = cache / hashlib.sha256(text.encode()).hexdigest()[:16]
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f"{place.name}.lock").open("w") as lock:
        # Whoever else runs these tests waits, and then finds it made.
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = place / "requirements"
        if not made.is_file():
            _run([python, "-m", "venv", "--clear", place])
            _run([place / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements])
            made.write_text(text)
    return place / "bin" / "python"


def _run(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
    assert done.returncode == 0, done.stderr
