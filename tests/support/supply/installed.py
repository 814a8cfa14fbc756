"""Installs a wheel as a stranger would, and plays the demo: `python -m support.supply.installed WHEEL`.

In a folder with spaces, in an environment without pip as pipx makes it, by a link in another folder, and, once the
wheels are downloaded, without network. If it is root that asks, all of it runs as a user who owns nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

NOBODY = 65534
STEPS = {
    "version": (("--version",), "certo "),
    "doctor": (("doctor",), "certo works here"),
    "demo": (("demo",), "VERIFIED"),
    "privacy": (("privacy",), "journals"),
    "delete": (("privacy", "--delete-all", "--yes"), "certo keeps nothing here"),
}
"""What is run of the installed command, and what it has to say. The demo leaves nothing that could be deleted."""

KEPT = (".local/share/certo", ".cache/certo", ".local/state/certo")
"""The folders in a home that are gone after everything was deleted."""

MOST_MEGABYTES = 60
"""How large an installation may be with all that it needs."""


def alone() -> tuple[str, ...]:
    """Return the words before a command that take away the network and the rights of root, as far as we may."""
    words: tuple[str, ...] = ()
    if os.geteuid() == 0 and shutil.which("setpriv"):
        # The first program that setpriv starts is still found with the rights of root: a shell, which starts ours.
        words = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "sh", "-c", 'exec "$@"', "sh")
    if os.geteuid() == 0 and shutil.which("unshare"):
        words = ("unshare", "--net", *words)
    return words


def python_for_all() -> str:
    """Return a Python that the user of these runs may start too."""
    found = (sys.executable, *(shutil.which(f"python3{minor}") or "" for minor in ("", ".11", ".12", ".13", ".14")))
    for each in (*found, "/usr/bin/python3"):
        says = "import sys; raise SystemExit(sys.version_info < (3, 11))"
        if (
            each
            and subprocess.run([*alone(), each, "-I", "-c", says], capture_output=True, check=False).returncode == 0
        ):
            return each
    raise SystemExit("no Python 3.11 that every user may start; install one outside of root's home")


def size(place: Path) -> float:
    """Return the size of a file, or of all files in a folder, in millions of bytes."""
    files = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    return sum(file.lstat().st_size for file in files) / 1e6


def step(name: str, command: Sequence[str | Path], home: Path, says: str = "") -> None:
    """Run a command in a home without anything of ours, and print how long it took; end all if it fails."""
    began = time.monotonic()
    environ = {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    words = [*alone(), *map(str, command)]
    done = subprocess.run(words, cwd=home, env=environ, capture_output=True, text=True, check=False)
    if done.returncode or says not in done.stdout:
        raise SystemExit(f"{name} failed with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    sys.stdout.write(f"{name:<10}{time.monotonic() - began:7.1f} s\n")


def main(wheel: Path) -> None:
    """Install and try the wheel in a folder of its own, which is removed."""
    with tempfile.TemporaryDirectory(prefix="certo packages ") as folder:
        base = Path(folder)
        wheels, home, environment = base / "wheels", base / "a home", base / "a home" / "venvs" / "certo"
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", wheels, wheel, "pip"]
        subprocess.run(download, check=True)
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "certo").symlink_to(environment / "bin" / "certo")
        for place in (base, wheels, home, home / "bin") if os.geteuid() == 0 else ():
            os.chown(place, NOBODY, NOBODY)
        outside = python_for_all()
        sys.stdout.write(f"with {outside}\n")
        step("environment", [outside, "-m", "venv", "--without-pip", environment], home)
        pip = next(wheels.glob("pip-*.whl")) / "pip"
        python = environment / "bin" / "python"
        step("install", [python, pip, "install", "--no-index", "--find-links", wheels, "certo"], home)
        megabytes = size(environment)
        sys.stdout.write(f"installed {megabytes:7.1f} MB\n")
        if megabytes > MOST_MEGABYTES:
            raise SystemExit(f"an installation may have {MOST_MEGABYTES} MB; see what certo needs that is so large")
        for name, (words, says) in STEPS.items():
            step(name, [home / "bin" / "certo", *words], home, says)
        if left := [place for place in KEPT if (home / place).exists()]:
            raise SystemExit(f"certo privacy --delete-all left {', '.join(left)}")
    for package in sorted(wheel.parent.glob("certo*")):
        sys.stdout.write(f"{package.name}: {size(package):.2f} MB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
