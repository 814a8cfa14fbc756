"""Repairs the QuixBugs programs with the command, each as a project on disk, and judges what comes out.

    python tests/benchmarks/quixbugs.py [--data PATH] [--seconds 20] [--only NAME] [--json FILE]

`solved` counts verified winners; `correct` those of them that also agree with the reference program on 300 random
inputs, which neither the search nor its tests have seen. The bars: 39 of 40 correct, and 1.5 seconds for the whole
command in the median. Exit code 1 says that all programs were measured and a bar is missed. Each program is
in a new folder, of which nothing is known.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path
from typing import Any

from asking import ask

ROOT = Path(__file__).resolve().parents[2]
DATA = Path("../shared/data/quixbugs.jsonl")

CORRECT, SECONDS = 39 / 40, 1.5


def write_project(row: dict[str, Any], root: Path) -> Path:
    """Write the program and its tests; the program's path."""
    program = root / f"{row['name']}.py"
    program.write_text(row["buggy"], encoding="utf-8")
    tests = [row["support"], f"from {row['name']} import *\n\n"]
    tests += [f"def test_{test['id']}():\n{textwrap.indent(test['py'], '    ')}\n\n" for test in row["tests"]]
    (root / f"test_{row['name']}.py").write_text("\n".join(tests), encoding="utf-8")
    return program


def tests_of(row: dict[str, Any]) -> list[str]:
    """The names of a program's tests."""
    return [f"test_{test['id']}" for test in row["tests"]]


def judged(row: dict[str, Any], source: str) -> dict[str, Any]:
    """What the judge says of a repaired source, from a process of its own."""
    case = {name: row[name] for name in ("name", "entry_point", "support", "correct")} | {"source": source}
    judge = [sys.executable, str(Path(__file__).with_name("quixbugs_judge.py"))]
    try:
        done = subprocess.run(judge, input=json.dumps(case), capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return {"correct": False, "checked": 0, "counterexample": ["the judge ran out of time"]}
    if done.returncode:
        return {"correct": False, "checked": 0, "counterexample": [done.stderr[-300:]]}
    verdict: dict[str, Any] = json.loads(done.stdout)
    return verdict


def measure(row: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Repair and judge one program."""
    with tempfile.TemporaryDirectory() as directory:
        program = write_project(row, Path(directory))
        began = time.perf_counter()
        answer = ask(f"{program.name}::{row['entry_point']}", Path(directory), seconds)
        took = time.perf_counter() - began
    winner = answer.winner
    verdict = judged(row, winner) if winner else {"correct": False, "checked": 0, "counterexample": None}
    return {
        "name": row["name"],
        "seconds": took,
        "searched": answer.seconds,
        "solved": winner is not None,
        **verdict,
        "winner": winner,
        "level": answer.level,
    }


def main() -> int:
    """Measure the programs that were asked for, print a line for each and one for all; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Repair the QuixBugs programs and judge the repairs.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the programs, one JSON object a line")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one search may work")
    parser.add_argument("--only", default=None, help="one program's name")
    parser.add_argument("--json", type=Path, default=None, help="also write every measurement here")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    found: list[dict[str, Any]] = []
    for row in rows:
        if chosen.only in (None, row["name"]):
            one = measure(row, chosen.seconds)
            found.append(one)
            words = "correct" if one["correct"] else "solved " if one["solved"] else "       "
            print(f"{one['name']:28} {words} {one['seconds']:6.1f} s", flush=True)
    solved = [one for one in found if one["solved"]]
    to_winner = statistics.median([one["searched"] for one in solved] or [0.0])
    whole = statistics.median([one["seconds"] for one in found] or [0.0])
    correct = sum(one["correct"] for one in found)
    print(f"solved {len(solved)} of {len(found)}, correct {correct} (bar: {CORRECT:.1%})")
    print(f"median of the whole command {whole:.1f} s (bar: {SECONDS} s), to the winner {to_winner:.1f} s")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 1 if chosen.only is None and (correct < CORRECT * len(found) or whole > SECONDS) else 0


if __name__ == "__main__":
    sys.exit(main())
