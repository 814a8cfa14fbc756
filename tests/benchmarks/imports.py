"""What certo costs before it does anything: the import of a model's class, and the size of what pip installs.

    python tests/benchmarks/imports.py [--no-install]

`from certo import LLM` is measured against a bare start of the same Python, in turns, in milliseconds of a processor
(bar: 250 above it). The size is that of all files that `pip install .` puts into a fresh environment, pip's own apart
(bar: 60 MB). A figure above its bar ends in exit code 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

STARTS = 15
ROOT = Path(__file__).parents[2]
MILLISECONDS, MEGABYTES = 250, 60
OF_PIP = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
"""The names that those files begin with that are in an environment before anything is installed."""


def worked(program: str) -> float:
    """Milliseconds of a processor for one run of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Installed packages have bytecode, and what was written by an earlier run may be missing here.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def imported() -> bool:
    """Print what the import takes; True if it is within the bar."""
    worked("from certo import LLM")
    rows = [(worked("from certo import LLM"), worked("pass")) for _ in range(STARTS)]
    ours, bare = (statistics.median(row[side] for row in rows) for side in (0, 1))
    print(f"from certo import LLM: {ours:.0f} ms, bare start {bare:.0f} ms, difference {ours - bare:.0f} ms", end=" ")
    print(f"(bar: {MILLISECONDS}), least {min(row[0] for row in rows):.0f} ms")
    return ours - bare <= MILLISECONDS


def installed() -> bool:
    """Print the size of an installation; True if it is within the bar."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        python = Path(place) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True, stderr=subprocess.DEVNULL)
        [packages] = Path(place).glob("lib/python*/site-packages")
        sizes = {each.name: size_of(each) for each in packages.iterdir() if not each.name.startswith(OF_PIP)}
    total = sum(sizes.values())
    print(f"pip install: {total / 1e6:.0f} MB (bar: {MEGABYTES}); most of it:", end=" ")
    largest = sorted(sizes, key=lambda name: -sizes[name])[:5]
    print(", ".join(f"{name} {sizes[name] / 1e6:.0f}" for name in largest))
    return total <= MEGABYTES * 1e6


def size_of(place: Path) -> int:
    """Return the bytes of a file, or of all files in a directory."""
    files = [place] if place.is_file() else [each for each in place.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files)


def main() -> int:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-install", action="store_true", help="measure the import alone")
    chosen = parser.parse_args()
    good = [imported()]
    if not chosen.no_install:
        good.append(installed())
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
