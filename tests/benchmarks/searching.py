"""The built-in search alone, as a program of its own: no daemon, no sandbox, no verifiers, no comparison of its finds.

    python tests/benchmarks/searching.py --set quixbugs|humanevalfix [--data PATH] [--seconds 20] [--only NAME]

It says how far the search itself gets, apart from all that the command does around it. The finds count in the order
in which the search tells them: `correct@1` is the first, `correct@5` any of the first five. Seconds are those of the
processor. The code under repair runs unguarded: the public sets only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import humanevalfix
import quixbugs

from certo.edits.target import ByName, find_target
from certo.generation.builtin.generator import PROGRAM
from certo.guests import WORKER_HOME

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 5
PATIENCE = 300.0
"""Seconds after which a search is given up, however busy the machine is."""

CHILD = """
import json, resource, sys
from certo_builtin.search import main

def told(one):
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({**one, "worked": sum(each.ru_utime + each.ru_stime for each in spent)}), flush=True)

main(json.load(sys.stdin), told)
"""


def request_for(row: dict[str, Any], program: Path, tests: list[str], seconds: float) -> dict[str, Any]:
    """What the daemon would ask; which tests fail the search finds out by itself."""
    text = program.read_text(encoding="utf-8")
    target = find_target(text, ByName(row["entry_point"]), path=program.name)
    return {
        "root": str(program.parent),
        "path": program.name,
        "text": text,
        "qualname": row["entry_point"],
        "start": target.span.start,
        "end": target.span.end,
        "line": target.line,
        "is_hole": False,
        "docstring": target.docstring,
        "instruction": "",
        "selected": None,
        "failing": [f"test_{program.name}::{name}" for name in tests],
        "passing": [],
        "examples": [],
        "seconds": seconds,
        "steps": 0,
        "candidates": 20000,
        "seed": 0,
        "plausible": SHOWN,
        "unwanted": [],
        "pool": None,
    }


def search(request: dict[str, Any]) -> list[dict[str, Any]]:
    """What the search tells, in order."""
    command = [sys.executable, "-c", CHILD]
    path = f"{PROGRAM.home}:{WORKER_HOME}"
    try:
        done = subprocess.run(
            command,
            cwd=request["root"],
            input=json.dumps(request),
            env={"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return []
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"kind"')]


def made(text: str, edits: list[tuple[int, int, str]]) -> str:
    """A text with edits made."""
    for start, end, replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


def measure(row: dict[str, Any], which: Any, judge: Callable[[str], bool], seconds: float) -> dict[str, Any]:
    """Search for one function's repair and judge what is found; `seconds` are those until the first find."""
    with tempfile.TemporaryDirectory() as directory:
        program = which.write_project(row, Path(directory))
        request = request_for(row, program, which.tests_of(row), seconds)
        finds = [message for message in search(request) if message["kind"] == "candidate"][:SHOWN]
    correct = [judge(made(request["text"], find["edits"])) for find in finds]
    return {"name": row["name"], "seconds": finds[0]["worked"] if finds else None, "correct": correct}


def main() -> None:
    """Measure the functions that were asked for and print a line for each and one for all."""
    parser = argparse.ArgumentParser(description="Run the built-in search alone and judge what it finds.")
    parser.add_argument("--set", choices=("quixbugs", "humanevalfix"), required=True, help="which functions")
    parser.add_argument("--data", type=Path, default=None, help="the functions, one JSON object a line")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one search may work")
    parser.add_argument("--only", default=None, help="one function's name")
    chosen = parser.parse_args()
    which: Any = quixbugs if chosen.set == "quixbugs" else humanevalfix
    rows = [json.loads(line) for line in (chosen.data or ROOT / which.DATA).read_text(encoding="utf-8").splitlines()]
    all_found: list[dict[str, Any]] = []
    for row in rows:
        if chosen.only not in (None, row["name"]):
            continue

        def judge(text: str, row: dict[str, Any] = row) -> bool:
            return bool(which.judged(row, text)["correct"] if which is quixbugs else which.is_correct(row, text))

        one = measure(row, which, judge, chosen.seconds)
        all_found.append(one)
        words = "correct" if one["correct"][:1] == [True] else "plausible" if one["correct"] else ""
        print(f"{one['name']:28} {words:9} {one['seconds'] or 0.0:6.1f} s", flush=True)
    plausible = [one for one in all_found if one["correct"]]
    first = sum(one["correct"][0] for one in plausible)
    five = sum(True in one["correct"] for one in plausible)
    overfit, median = (
        1 - first / max(1, len(plausible)),
        statistics.median([one["seconds"] for one in plausible] or [0.0]),
    )
    print(
        f"plausible {len(plausible)} of {len(all_found)}, correct@1 {first}, correct@{SHOWN} {five}, "
        f"overfit {overfit:.0%}, median {median:.1f} s to the first"
    )


if __name__ == "__main__":
    main()
