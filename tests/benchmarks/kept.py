"""Runs a benchmark and keeps what it prints in tests/benchmarks/results, below its date and command.

    python tests/benchmarks/kept.py NAME searching.py --set quixbugs

docs/explanation/benchmarks.md takes its figures from these files, and a test compares both. What follows --data names a
place on this machine, and is left out.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def public(words: list[str]) -> list[str]:
    """Return the words of a command without the option --data and its value."""
    at = words.index("--data") if "--data" in words else len(words)
    return words[:at] + words[at + 2 :]


def main(name: str, *words: str) -> int:
    """Run the benchmark, keep its output if it went well, and return its exit code."""
    done = subprocess.run([sys.executable, HERE / words[0], *words[1:]], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        head = f"date: {today}\ncommand: tests/benchmarks/{' '.join(public(list(words)))}\n\n"
        (HERE / "results" / f"{name}.txt").write_text(head + done.stdout, encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
