"""Runs a benchmark and keeps what it prints in tests/benchmarks/results, below its date, command and circumstances.

    python tests/benchmarks/kept.py NAME searching.py --set quixbugs

docs/explanation/benchmarks.md takes its figures from these files, and a test compares both. What follows --data and
--json names a place on this machine, and PATH is written for it.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def public(words: list[str]) -> list[str]:
    """Return the words of a command with a placeholder for the values of --data and --json."""
    return [
        "PATH" if before in ("--data", "--json") else word for before, word in zip(["", *words], words, strict=False)
    ]


def head(words: list[str]) -> str:
    """Return when, how, where and from which code the output of a command came."""
    lines = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": f"tests/benchmarks/{' '.join(public(words))}",
        "python": platform.python_version(),
        "machine": f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores",
        "commit": git("rev-parse", "--short=12", "HEAD") + (", changed" if git("status", "--porcelain") else ""),
    }
    return "".join(f"{name}: {value}\n" for name, value in lines.items())


def git(*words: str) -> str:
    """Return what git says of this repository."""
    return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()


def main(name: str, *words: str) -> int:
    """Run the benchmark, keep its output if it went well, and return its exit code."""
    above = head(list(words))
    done = subprocess.run([sys.executable, HERE / words[0], *words[1:]], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        (HERE / "results" / f"{name}.txt").write_text(f"{above}\n{done.stdout}", encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
