"""How many candidates the built-in generator tries in a second on one core, and the memory it takes.

    python tests/benchmarks/screening.py [--data PATH] [--only NAME] [--candidates 3000] [--twice] [--projects FOLDER]

Each program of QuixBugs, a small function with its tests, is searched with nothing ending the search but the number of
candidates. The search runs without the sandbox around it, in a process of its own; what is timed are the trials, not
the import of pytest, and not what they wait for a processor while the machine does other things. Printed for each:
candidates a second, how many of them starved or hung, and the most memory that the process or one of its children held.
With --twice each is searched again while every processor is busy with something else, and the two must have told the
same.

With --projects, a folder with clones of humanize and sqlparse, each with its environment in `.venv`, bugs are put into
copies of them, and their tests are those of one file or folder. The time in which survivors run on all tests, in a
process each, is printed apart. The bars are candidates a second: 2,000 in the median of the programs, and 500 for each
bug of a project. A missed bar, or a bug that is not found, ends this with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HOMES = (ROOT / "server/certo/guests/worker", ROOT / "server/certo/guests/builtin")
sys.path[:0] = [str(ROOT / "tests/benchmarks"), str(ROOT / "tests"), *map(str, HOMES)]

from quixbugs import DATA, write_project

from certo.edits.target import ByName, find_target
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import Beginning, request_for
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.sandbox.busy_machine import burning

ENDLESS = 10**12
"""What must not end a search here."""

SCREENED = str(ROOT / "tests/benchmarks/screened.py")
"""The program that makes one search, in the interpreter of its project."""

PROGRAMS_BAR, PROJECTS_BAR = 2000, 500
"""Candidates a second: of small functions in the median, and of each project."""


class Bug(NamedTuple):
    """A bug to put into a project: its clone, file, function, the right text, the wrong one, and the tests to run."""

    project: str
    path: str
    qualname: str
    right: str
    wrong: str
    tests: str


BUGS = (
    Bug("humanize", "src/humanize/filesize.py", "naturalsize", "abs(bytes_)", "bytes_", "tests/test_filesize.py"),
    Bug(
        "humanize",
        "src/humanize/number.py",
        "ordinal",
        "except (TypeError, ValueError)",
        "except TypeError",
        "tests/test_number.py",
    ),
    Bug(
        "humanize",
        "src/humanize/time.py",
        "naturalday",
        "except AttributeError",
        "except TypeError",
        "tests/test_time.py",
    ),
    Bug("sqlparse", "sqlparse/sql.py", "TokenList._token_matching", "start - 2", "start - 1", "tests"),
    Bug("sqlparse", "sqlparse/utils.py", "remove_quotes", "val[0] == val[-1]", "val[0] != val[-1]", "tests"),
)


def request_of(row: dict[str, Any], root: Path, candidates: int) -> dict[str, Any]:
    """The search for one program's repair; every test counts as red, which decides nothing but what is traced."""
    program = write_project(row, root)
    tests = [KnownTest(id=f"test_{row['name']}.py::test_{one['id']}", ruling=Ruling.FAILED) for one in row["tests"]]
    return request_for_repair(root, program.name, row["entry_point"], tests, candidates)


def request_for_repair(root: Path, path: str, qualname: str, tests: list[KnownTest], candidates: int) -> dict[str, Any]:
    """The search for the repair of one function, with known results of its tests."""
    text = (root / path).read_text(encoding="utf-8")
    target = find_target(text, ByName(qualname), path=path)
    baseline = Baseline(tests=tuple(tests))
    problem = Problem(
        root=root, path=path, text=text, target=target, goal=Goal.REPAIR, instruction="", baseline=baseline
    )
    options = BuiltinOptions(seconds=600.0, steps=ENDLESS, candidates=candidates, plausible=ENDLESS)
    return request_for(problem, Beginning(text, target), options, 0)


def with_bug(bug: Bug, clones: Path, root: Path) -> None:
    """Copy a clone, with its environment left where it is, and put the bug into it."""
    shutil.copytree(clones / bug.project, root, symlinks=True, ignore=shutil.ignore_patterns(".venv", ".git"))
    text = (root / bug.path).read_text(encoding="utf-8")
    if bug.right not in text:
        raise SystemExit(f"{bug.project}: {bug.path} does not contain {bug.right!r}")
    (root / bug.path).write_text(text.replace(bug.right, bug.wrong, 1), encoding="utf-8")


def known_tests(bug: Bug, python: Path, root: Path) -> list[KnownTest]:
    """Run the tests of a bug once; those that passed and failed."""
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "--tb=no", "-rA", "--color=no", "-p", "no:cacheprovider", bug.tests],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
    )
    said = re.findall(r"^(PASSED|FAILED) (\S+?::.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    tests = [KnownTest(id=name, ruling=Ruling(ruling.lower())) for ruling, name in said]
    if not any(test.ruling is Ruling.FAILED for test in tests):
        raise SystemExit(f"{bug.project}: no test of {bug.qualname} fails:\n{done.stdout[-2000:]}")
    return tests


def measured_projects(clones: Path, candidates: int) -> list[str]:
    """Search for the bugs of projects, print what was measured; return the names of those that miss a bar."""
    missed = []
    for bug in BUGS:
        python = clones / bug.project / ".venv/bin/python"
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory, bug.project)
            with_bug(bug, clones, root)
            tests = known_tests(bug, python, root)
            found = measured(request_for_repair(root, bug.path, bug.qualname, tests, candidates), str(python))
        tried = sum(found["endings"].values())
        screening = found["seconds"] - found["alone"]
        rate = tried / screening
        finds = sum(one["kind"] == "candidate" for one in found["told"])
        missed += [] if finds and rate >= PROJECTS_BAR else [bug.qualname]
        print(
            f"{bug.project} {bug.qualname:28} {rate:6.0f}/s of {tried:5} on {len(tests):3} tests, {finds:2} found, "
            f"{screening:.1f} s screening, {found['alone']:.1f} s alone on all tests, "
            f"{found['endings']}",
            flush=True,
        )
    return missed


def measured(request: dict[str, Any], python: str = sys.executable) -> dict[str, Any]:
    """Make one search; sets and dictionaries are in the order in which the sandbox has them."""
    done = subprocess.run(
        [python, SCREENED, *map(str, HOMES)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        cwd=request["root"],
        timeout=900,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure the programs that were asked for; exit with 1 if a bar is missed or one was not told the same twice."""
    parser = argparse.ArgumentParser(description="Count the candidates that are tried in a second.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the programs, one JSON object a line")
    parser.add_argument("--only", default=None, help="programs, by their names with commas between them")
    parser.add_argument("--candidates", type=int, default=3000, help="how many to try of each")
    parser.add_argument("--twice", action="store_true", help="also search on a busy machine, and compare what was told")
    parser.add_argument("--projects", type=Path, default=None, help="a folder with clones of humanize and sqlparse")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    rates, peaks, other = [], [], []
    for row in rows:
        if chosen.only is not None and row["name"] not in chosen.only.split(","):
            continue
        with tempfile.TemporaryDirectory() as directory:
            request = request_of(row, Path(directory), chosen.candidates)
            found = measured(request)
            same = ""
            if chosen.twice:
                with burning():
                    again = measured(request)
                same = "the same twice" if again["told"] == found["told"] else "NOT THE SAME TWICE"
                other += [] if again["told"] == found["told"] else [row["name"]]
        tried = sum(found["endings"].values())
        rates.append(tried / found["seconds"])
        peaks.append(found["mebibytes"])
        slow = found["endings"].get("starved", 0) + found["endings"].get("lost", 0)
        print(
            f"{row['name']:28} {rates[-1]:6.0f}/s of {tried:5}, {slow:4} starved or hung, {peaks[-1]:4.0f} MiB {same}",
            flush=True,
        )
    missed = ["the programs"] if statistics.median(rates) < PROGRAMS_BAR else []
    print(f"median {statistics.median(rates):.0f}/s, least {min(rates):.0f}/s, at most {max(peaks):.0f} MiB")
    if chosen.twice:
        print(f"the same twice: {len(rates) - len(other)} of {len(rates)} {', '.join(other)}")
    if chosen.projects:
        missed += measured_projects(chosen.projects.resolve(), chosen.candidates)
    print(f"bars of {PROGRAMS_BAR:,}/s and {PROJECTS_BAR}/s: {'missed by ' + ', '.join(missed) if missed else 'met'}")
    sys.exit(bool(other or missed))


if __name__ == "__main__":
    main()
