"""How long `certo verify` takes for a function of a real project, against its reaching tests run by pytest.

    python tests/benchmarks/verifying.py --projects FOLDER [--rounds N] [--wall]

FOLDER has clones of humanize, sqlparse and packaging, each with the project and pytest in an environment `.venv`; those
that are missing are left out. They are copied, and certo gets a journal of its own. For each function three are
measured in turns: its reaching tests by `python -m pytest`, a first `certo verify`, and a second one. The figures are
processor seconds of the whole command, the least of all rounds, as other processes disturb those least; with `--wall`
they are seconds on the clock. The bars are 3 times for the first and 1.5 times for the second.
"""

from __future__ import annotations

import argparse
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


@dataclass(frozen=True)
class Case:
    """A function, and pytest's arguments that select the tests that execute it."""

    project: str
    target: str
    tests: tuple[str, ...]


CASES = (
    Case("humanize", "src/humanize/number.py::ordinal", ("tests/test_number.py", "tests/test_i18n.py", "-kordinal")),
    Case("sqlparse", "sqlparse/utils.py::split_unquoted_newlines", ("tests/test_format.py",)),
    Case("packaging", "src/packaging/utils.py::canonicalize_name", ("tests/test_utils.py",)),
)


@dataclass
class Figures:
    """The seconds of each kind of run, one for each round."""

    pytest: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)


def seconds(command: Sequence[str], folder: Path, environ: dict[str, str], *, wall: bool) -> float:
    """Seconds of a command with all that it starts; it ends the benchmark if it fails otherwise than by a verdict."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    elapsed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return elapsed if wall else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(case: Case, folder: Path, rounds: int, *, wall: bool) -> Figures:
    """Measure one function in a copy of its project."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(folder / case.project, Path(scratch, case.project), symlinks=True))
        python = str(copy / ".venv" / "bin" / "python")
        verify = (sys.executable, "-m", "certo", "verify", case.target)
        for number in range(rounds + 1):
            environ = {**os.environ, "XDG_DATA_HOME": str(Path(scratch, f"data-{number}")), "NO_COLOR": "1"}
            tests = seconds((python, "-m", "pytest", "-q", *case.tests), copy, environ, wall=wall)
            first = seconds(verify, copy, environ, wall=wall)
            second = seconds(verify, copy, environ, wall=wall)
            if number:  # the first round of each reads the disk
                figures.pytest.append(tests)
                figures.first.append(first)
                figures.second.append(second)
    return figures


def main() -> int:
    """Print a line for each function; 0 when all are within the bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wall", action="store_true")
    asked = parser.parse_args()
    cases = [case for case in CASES if (asked.projects / case.project / ".venv").is_dir()]
    if not cases:
        sys.exit(f"{asked.projects} has none of {', '.join(case.project for case in CASES)}")
    within = True
    bars = f"ratios (bars: {FIRST:g}, {SECOND:g})"
    sys.stdout.write(f"{'function':58} {'pytest':>7} {'first':>7} {'second':>7}   {bars}\n")
    for case in cases:
        figures = measure(case, asked.projects, asked.rounds, wall=asked.wall)
        tests, first, second = min(figures.pytest), min(figures.first), min(figures.second)
        within = within and first / tests <= FIRST and second / tests <= SECOND
        sys.stdout.write(
            f"{case.project + ' ' + case.target:58} {tests:7.2f} {first:7.2f} {second:7.2f}   "
            f"{first / tests:.1f}, {second / tests:.1f}\n"
        )
        sys.stdout.flush()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
