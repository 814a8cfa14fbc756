"""Differences that `certo diff` finds, and those it claims where there is none.

    python tests/benchmarks/differences.py [--data PATH] [--only NAME] [--interpreter PATH] [--json FILE]

Each QuixBugs program is a project on disk with its tests; the wrong version is compared with the right one. Each
function of `refactored_pairs.py` is one without tests, and is compared with its refactoring. Printed are the found
differences (bar: 38 of 40), the median time of the whole command (bar: 2 s), and the differences claimed between a
function and its refactoring (bar: 0). A bar that is missed ends in exit code 1.

With `--sensitivity`, the share of small changes that certo says its calls notice is held against the share of other
operators' mutants on which the same comparison finds a difference, over the functions of `refactored_pairs.py` as they
were before (bar: within 10 points). At most eight mutants of a function are drawn.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from classical_mutants import classical_mutants
from quixbugs import DATA, ROOT, write_project
from refactored_pairs import PAIRS

POINTS = 10.0
MAX_MUTANTS = 8
FOUND = 38
SECONDS = 2.0
PATIENCE = 300.0


def compare(root: Path, target: str, older: Path, interpreter: str) -> dict[str, Any]:
    """Compare a function of a project with another file; the command's answer, and how long it took."""
    command = [
        sys.executable,
        "-m",
        "certo",
        "diff",
        target,
        "--with",
        str(older),
        "--json",
        "--interpreter",
        interpreter,
    ]
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=PATIENCE, check=False)
    took = time.perf_counter() - began
    if not done.stdout:
        failed = {"result": f"failed: {done.stderr.strip()[-200:]}", "call": "", "compared": 0}
        return {**failed, "seconds": took, "noticed": 0, "tried": 0}
    said = json.loads(done.stdout)
    best = next(iter(said["differences"]), {})
    kept = {"result": said["result"], "compared": said["compared"], **said["sensitivity"]}
    return {**kept, "seconds": took, "call": best.get("call", "")}


def wrong_programs(rows: list[dict[str, Any]], interpreter: str) -> list[dict[str, Any]]:
    """Compare the wrong with the right version of each program."""
    found = []
    for row in rows:
        with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as elsewhere:
            program = write_project(row, Path(directory))
            older = Path(elsewhere, program.name)
            older.write_text(row["correct"], encoding="utf-8")
            found.append(
                {
                    "name": row["name"],
                    **compare(Path(directory), f"{program.name}::{row['entry_point']}", older, interpreter),
                }
            )
        show(found[-1])
    return found


def compare_texts(name: str, before: str, now: str, interpreter: str) -> dict[str, Any]:
    """Compare two versions of a function that no test calls."""
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as elsewhere:
        Path(directory, "module.py").write_text(now, encoding="utf-8")
        older = Path(elsewhere, "module.py")
        older.write_text(before, encoding="utf-8")
        return {"name": name, **compare(Path(directory), f"module.py::{name}", older, interpreter)}


def refactorings(only: str | None, interpreter: str) -> list[dict[str, Any]]:
    """Compare functions with refactorings that keep what they do."""
    found = []
    for name, before, after in PAIRS:
        if only not in (None, name):
            continue
        found.append(compare_texts(name, before, after, interpreter))
        show(found[-1])
    return found


def sensitivities(only: str | None, interpreter: str) -> list[dict[str, Any]]:
    """Return for each function what is said of its calls, and how many of some classical mutants they notice."""
    found = []
    for name, before, after in PAIRS:
        # The classical operators are made for plain functions.
        if only not in (None, name) or f"\ndef {name}(" not in before:
            continue
        said = compare_texts(name, after, before, interpreter)
        mutants = list(dict.fromkeys(classical_mutants(before, name)))
        some = random.Random(name).sample(mutants, min(MAX_MUTANTS, len(mutants)))
        results = [compare_texts(name, before, mutant, interpreter)["result"] for mutant in some]
        killed = results.count("different")
        found.append({"name": name, "said": [said["noticed"], said["tried"]], "killed": [killed, len(some)]})
        print(
            f"{name:28} said {said['noticed']:3} of {said['tried']:3}   other operators' {killed} of {len(some)}",
            flush=True,
        )
    return found


def compare_shares(found: list[dict[str, Any]]) -> int:
    """Print both shares; 1 if they are too far apart."""
    shares = []
    for which in ("said", "killed"):
        noticed, tried = (sum(one[which][place] for one in found) for place in (0, 1))
        shares.append(100 * noticed / max(1, tried))
    print(f"sensitivity said {shares[0]:.0f} %, of other operators' mutants {shares[1]:.0f} % (bar: {POINTS:g} points)")
    return int(abs(shares[0] - shares[1]) > POINTS)


def show(one: dict[str, Any]) -> None:
    """Print one result."""
    print(
        f"{one['name']:28} {one['result']:20} {one['seconds']:6.1f} s {one['compared']:5} {one['call'][:60]}",
        flush=True,
    )


def main() -> int:
    """Measure, print a line for each and the sums; 0 if all bars are met."""
    parser = argparse.ArgumentParser(description="Compare wrong with right programs, and functions with refactorings.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the programs, one JSON object a line")
    parser.add_argument("--only", default=None, help="one name")
    parser.add_argument("--interpreter", default=sys.executable, help="Python that runs the projects' tests")
    parser.add_argument("--json", type=Path, default=None, help="also write every measurement here")
    parser.add_argument("--sensitivity", action="store_true", help="measure what is said of the calls instead")
    chosen = parser.parse_args()
    if chosen.sensitivity:
        return compare_shares(sensitivities(chosen.only, chosen.interpreter))
    rows = [json.loads(line) for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    wrong = wrong_programs([row for row in rows if chosen.only in (None, row["name"])], chosen.interpreter)
    kept = refactorings(chosen.only, chosen.interpreter)
    if chosen.json:
        chosen.json.write_text(json.dumps({"wrong": wrong, "kept": kept}, indent=1), encoding="utf-8")
    differing = sum(one["result"] == "different" for one in wrong)
    claimed = sum(one["result"] == "different" for one in kept)
    unknown = sum(one["result"] != "no-difference-found" for one in kept) - claimed
    seconds = statistics.median([one["seconds"] for one in wrong] or [0.0])
    print(f"found {differing} of {len(wrong)} (bar: {FOUND} of 40), median {seconds:.2f} s (bar: {SECONDS:g} s)")
    print(f"claimed {claimed} of {len(kept)} refactorings (bar: 0), {unknown} not compared")
    missed = (len(wrong) == len(rows) and differing < FOUND) or seconds > SECONDS or claimed or unknown
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
