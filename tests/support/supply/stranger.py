"""A user who is new to this machine: a home of its own with spaces in its path, no rights of root, and no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

NOBODY = 65534
SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))
BROUGHT = ("pip", "pipx", "uv")
"""What a user has who installs programs written in Python; here in the versions of the group `packages`."""

KEPT = (".local/share/certo", ".cache/certo", ".local/state/certo")
"""The folders in a home that are gone after everything was deleted."""


PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
SHOWN = """\
home=$1 shown=$2; shift 2
mount --bind "$shown" /mnt; mount -t tmpfs -o mode=755 none "$home"; mkdir -p "$shown"; mount --move /mnt "$shown"
exec "$@"
"""
"""Lets all start the Pythons in the home of root, at their own place; nothing else of that home is seen."""

LOOPBACK = ("sh", "-ec", 'ip link set lo up; exec "$@"', "sh")
"""Switches on the loopback interface, which is off in a network of its own."""


class Stranger:
    """One user, and the wheels that were downloaded before the network went."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.wheels = base / "wheels"
        self.home = base / "a home"

    def arrive(self, wheel: Path, versions: Collection[str]) -> None:
        """Download what the wheel needs on these versions of Python, and the installers; and make the home."""
        began = time.monotonic()
        brought = [f"{name}=={version(name)}" for name in BROUGHT]
        for python in versions:
            download = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
            download += ["--python-version", python, "--dest", str(self.wheels), str(wheel), *brought]
            subprocess.run(download, check=True)
        self.note("download", time.monotonic() - began, f"{size(self.wheels):.1f} MB with pip, pipx and uv")
        for folder in (self.home, self.home / ".local", self.home / ".local" / "bin", self.home / "tmp"):
            folder.mkdir(parents=True)
        self.give(self.base)

    def give(self, place: Path) -> None:
        """Make this user the owner of a folder and of all in it."""
        for each in (place, *place.rglob("*")) if os.geteuid() == 0 else ():
            os.chown(each, NOBODY, NOBODY, follow_symlinks=False)

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment of all that this user starts: nothing of ours, and no index but the downloaded wheels."""
        wheels = self.wheels.as_uri()  # without the spaces, at which pip would split it
        offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "UV_OFFLINE": "1", "UV_NO_CONFIG": "1"}
        found = {"PIP_FIND_LINKS": wheels, "UV_FIND_LINKS": wheels, "UV_PYTHON_DOWNLOADS": "never"}
        path = f"{self.home}/.local/bin:/usr/bin:/bin"
        return {
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "PATH": path,
            "LANG": "C.UTF-8",
            **offline,
            **found,
        }

    def run(
        self,
        what: str,
        command: Sequence[str | Path],
        says: str = "",
        folder: Path | None = None,
        *,
        loopback: bool = False,
        **environ: str,
    ) -> str:
        """Run a command at home, or in another folder, and note how long it took; return what it printed.

        Raises:
            SystemExit: it failed, or did not say what it has to say.
        """
        began = time.monotonic()
        words = [*alone(loopback=loopback), *map(str, command)]
        done = subprocess.run(
            words, cwd=folder or self.home, env={**self.environ, **environ}, capture_output=True, text=True, check=False
        )
        if done.returncode or says not in done.stdout:
            raise SystemExit(f"{what} failed with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        self.note(
            what,
            time.monotonic() - began,
            next((line for line in done.stdout.splitlines() if says and says in line), ""),
        )
        return done.stdout

    def note(self, what: str, seconds: float, said: str = "") -> None:
        """Print a step as a row: what was done, in how many seconds, and what it said or how large it is."""
        sys.stdout.write(f"{what:<34}{seconds:7.1f} s  {said.strip()[:80]}\n")
        sys.stdout.flush()

    def environment(self, python: Path, name: str, *packages: str) -> Path:
        """Return the folder of programs of a new environment without pip, as pipx makes them, with these packages."""
        place = self.home / "venvs" / name
        self.run(f"{name}: environment", [python, "-m", "venv", "--without-pip", place])
        pip = next(self.wheels.glob("pip-*.whl")) / "pip"
        self.run(f"{name}: install", [place / "bin" / "python", pip, "install", *packages])
        return place / "bin"

    def left(self) -> list[str]:
        """Return the folders of certo that are in the home."""
        return [place for place in KEPT if (self.home / place).exists()]


def pythons() -> Mapping[str, Path | None]:
    """Return for each supported version a Python of it that a stranger may start, or None if there is none here."""
    return {".".join(map(str, numbers)): _python(numbers) for numbers in SUPPORTED}


def _python(numbers: tuple[int, int]) -> Path | None:
    name = "python" + ".".join(map(str, numbers))
    named = (shutil.which(name), f"/usr/bin/{name}", sys.executable, *sorted(map(str, PYENV.glob(f"*/bin/{name}"))))
    asked = f"import sys, ensurepip, ssl, venv; raise SystemExit(sys.version_info[:2] != {numbers})"
    for each in filter(None, named):
        if subprocess.run([*alone(), each, "-I", "-c", asked], capture_output=True, check=False).returncode == 0:
            return Path(each)
    return None


def alone(*, loopback: bool = False) -> tuple[str, ...]:
    """Return the words before a command that take away the network and the rights of root, as far as we may."""
    if os.geteuid() or not (shutil.which("setpriv") and shutil.which("unshare")):
        return ()
    shown = ("sh", "-ec", SHOWN, "sh", str(Path.home()), str(PYENV))
    # The first program that setpriv starts is still found with the rights of root: a shell, which starts ours.
    user = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "sh", "-c", 'exec "$@"', "sh")
    up = LOOPBACK if loopback else ()
    return ("unshare", "--net", "--mount", *up, *(shown if PYENV.is_dir() else ()), *user)


def size(place: Path) -> float:
    """Return the size of a file, or of all files in a folder, in millions of bytes."""
    files = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    return sum(file.lstat().st_size for file in files) / 1e6
