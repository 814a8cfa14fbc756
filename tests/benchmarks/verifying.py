"""How long `certo verify` takes for a function of a real project, against its reaching tests run by pytest.

    python tests/benchmarks/verifying.py --projects FOLDER [--rounds N] [--only NAME] [--wall]

FOLDER has clones of the projects below, each with the project and pytest in an environment `.venv`; those that are
missing are left out. They are copied, and certo gets a journal of its own. For each function three are measured in
turns: a first `certo verify`, a second one, and `python -m pytest` with the tests that certo found to execute it (with
their files, if they are many). The figures are processor seconds of the whole command, the least of all rounds, as
other processes disturb those least; with `--wall` they are seconds on the clock. The bars are 3 times for the first and
1.5 times for the second.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

FIRST, SECOND = 3.0, 1.5


CASES = (
    ("humanize", "src/humanize/number.py::ordinal"),
    ("sqlparse", "sqlparse/sql.py::TokenList.token_index"),
    ("packaging", "src/packaging/utils.py::canonicalize_name"),
    ("python-dotenv", "src/dotenv/main.py::get_key"),
    ("toolz", "toolz/dicttoolz.py::update_in"),
    ("more-itertools", "more_itertools/more.py::chunked"),
)
"""Projects, and a function of each."""

_MAX_IDS = 500
"""The number of tests that are named one by one on a command line."""


@dataclass
class Figures:
    """The seconds of each kind of run, one for each round."""

    pytest: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)


def seconds(command: Sequence[str], folder: Path, environ: dict[str, str], *, wall: bool) -> tuple[float, str]:
    """Seconds of a command with all that it starts, and its output; otherwise than by a verdict it must not fail."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    elapsed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (elapsed if wall else used), ran.stdout


def reaching(report: str) -> list[str]:
    """Return the tests that a report rests on, without doctests, or their files if they are many."""
    tests = [test["id"] for test in json.loads(report)["baseline"]["tests"] if "::" in test["id"]]
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return tests if len(tests) <= _MAX_IDS else files


def measure(project: Path, target: str, rounds: int, *, wall: bool) -> Figures:
    """Measure one function in a copy of its project."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(project, Path(scratch, project.name), symlinks=True))
        python = str(copy / ".venv" / "bin" / "python")
        verify = (sys.executable, "-m", "certo", "verify", target, "--json")
        for number in range(rounds + 1):
            environ = {**os.environ, "XDG_DATA_HOME": str(Path(scratch, f"data-{number}")), "NO_COLOR": "1"}
            first, report = seconds(verify, copy, environ, wall=wall)
            second, _ = seconds(verify, copy, environ, wall=wall)
            tests, _ = seconds((python, "-m", "pytest", "-q", *reaching(report)), copy, environ, wall=wall)
            if number or not rounds:  # the first round of each reads the disk
                figures.pytest.append(tests)
                figures.first.append(first)
                figures.second.append(second)
    return figures


def main() -> int:
    """Print a line for each function; 0 when all are within the bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="one project's name")
    parser.add_argument("--wall", action="store_true")
    asked = parser.parse_args()
    chosen = [case for case in CASES if asked.only in (None, case[0])]
    cases = [case for case in chosen if (asked.projects / case[0] / ".venv").is_dir()]
    if not cases:
        sys.exit(f"{asked.projects} has none of {', '.join(name for name, _ in chosen)}")
    within = True
    bars = f"ratios (bars: {FIRST:g}, {SECOND:g})"
    sys.stdout.write(f"{'function':58} {'pytest':>7} {'first':>7} {'second':>7}   {bars}\n")
    for name, target in cases:
        figures = measure(asked.projects / name, target, asked.rounds, wall=asked.wall)
        tests, first, second = min(figures.pytest), min(figures.first), min(figures.second)
        within = within and first / tests <= FIRST and second / tests <= SECOND
        sys.stdout.write(
            f"{name + ' ' + target:58} {tests:7.2f} {first:7.2f} {second:7.2f}   "
            f"{first / tests:.1f}, {second / tests:.1f}\n"
        )
        sys.stdout.flush()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
