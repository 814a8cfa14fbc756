"""Repairs the HumanEvalFix functions with the command, each as a project on disk, and judges what comes out.

    python tests/benchmarks/humanevalfix.py [--data PATH] [--seconds 20] [--only NAME] [--json FILE]

A project holds the faulty function and, as its tests, the examples of the function's documentation and nothing more.
`plausible` counts verified winners; `correct@1` those of them that also pass the hidden tests, which neither the search
nor its tests have seen; `correct@5` the functions of which one of the first five candidates shown does; `overfit` is
the share of winners that are wrong. With --json a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from asking import ask

ROOT = Path(__file__).resolve().parents[2]
DATA = Path("../shared/data/humanevalfix_even.jsonl")
SHOWN = 5
JUDGE_SECONDS = 30.0


def write_project(row: dict[str, Any], root: Path) -> Path:
    """Write the function and the examples of its documentation as tests; the function's path."""
    program = root / f"{row['name']}.py"
    program.write_text(row["buggy"], encoding="utf-8")
    tests = [f"from {row['name']} import *\n"]
    tests += [f"def test_{number}():\n    {test}\n" for number, test in enumerate(row["tests_visible"])]
    (root / f"test_{row['name']}.py").write_text("\n\n".join(tests), encoding="utf-8")
    return program


def tests_of(row: dict[str, Any]) -> list[str]:
    """The names of a function's tests."""
    return [f"test_{number}" for number in range(len(row["tests_visible"]))]


def is_correct(row: dict[str, Any], source: str) -> bool:
    """Whether a source passes the hidden tests, in a process of its own."""
    program = "\n".join([source, *row["tests"]])
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=JUDGE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def measure(row: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Repair and judge one function."""
    with tempfile.TemporaryDirectory() as directory:
        program = write_project(row, Path(directory))
        began = time.perf_counter()
        answer = ask(f"{program.name}::{row['entry_point']}", Path(directory), seconds)
        took = time.perf_counter() - began
    correct = [is_correct(row, source) for source in answer.shown[:SHOWN]]
    return {
        "name": row["name"],
        "kind": row["bug_type"],
        "seconds": took,
        "searched": answer.seconds,
        "plausible": answer.winner is not None,
        "correct": correct,
        "sentence": answer.sentence,
        "winner": answer.winner,
        "level": answer.level,
    }


def summary(found: list[dict[str, Any]]) -> str:
    """All measurements in a line."""
    plausible = sum(one["plausible"] for one in found)
    first = sum(one["correct"][:1] == [True] for one in found)
    any_of_five = sum(True in one["correct"] for one in found)
    searched = [one["searched"] for one in found if one["searched"] is not None]
    overfit, median = 1 - first / max(1, plausible), statistics.median(searched or [0.0])
    return (
        f"plausible {plausible} of {len(found)}, correct@1 {first}, correct@{SHOWN} {any_of_five}, "
        f"overfit {overfit:.0%}, median {median:.1f} s to the winner"
    )


def main() -> None:
    """Measure the functions that were asked for and print a line for each and one for all."""
    parser = argparse.ArgumentParser(description="Repair the HumanEvalFix functions and judge the repairs.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the functions, one JSON object a line")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one search may work")
    parser.add_argument("--only", default=None, help="one function's name")
    parser.add_argument("--json", type=Path, default=None, help="also keep every measurement here, and go on from them")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    found: list[dict[str, Any]] = []
    if chosen.json and chosen.json.exists():
        found = json.loads(chosen.json.read_text(encoding="utf-8"))
    known = {one["name"] for one in found}
    for row in rows:
        if chosen.only in (None, row["name"]) and row["name"] not in known:
            one = measure(row, chosen.seconds)
            found.append(one)
            words = "correct" if one["correct"][:1] == [True] else "plausible" if one["plausible"] else ""
            print(f"{one['name']:12} {words:9} {one['seconds']:6.1f} s", flush=True)
            if chosen.json:
                chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(summary(found))


if __name__ == "__main__":
    main()
