"""How many candidates the built-in generator tries in a second on one core, and the memory it takes.

    python tests/benchmarks/screening.py [--data PATH] [--only NAME] [--candidates 3000] [--twice]

Each program of QuixBugs, a small function with its tests, is searched with nothing ending the search but the number of
candidates. The search runs without the sandbox around it, in a process of its own; what is timed are the trials, not
the import of pytest, and not what they wait for a processor while the machine does other things. Printed for each:
candidates a second, how many of them starved or hung, and the most memory that the process or one of its children held.
With --twice each is searched again while every processor is busy with something else, and the two must have told the
same.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def request_of(row: dict[str, Any], root: Path, candidates: int) -> dict[str, Any]:
    """The search for one program's repair; every test counts as red, which decides nothing but what is traced."""
    program = write_project(row, root)
    text = program.read_text(encoding="utf-8")
    target = find_target(text, ByName(row["entry_point"]), path=program.name)
    tests = [KnownTest(id=f"test_{row['name']}.py::test_{one['id']}", ruling=Ruling.FAILED) for one in row["tests"]]
    baseline = Baseline(tests=tuple(tests))
    problem = Problem(
        root=root, path=program.name, text=text, target=target, goal=Goal.REPAIR, instruction="", baseline=baseline
    )
    options = BuiltinOptions(seconds=600.0, steps=ENDLESS, candidates=candidates, plausible=ENDLESS)
    return request_for(problem, Beginning(text, target), options, 0)


def screen() -> None:
    """In a process of its own: make the search that is asked for on stdin, and print what was measured of it."""
    from certo_builtin import search
    from certo_builtin.execution import runner

    request = json.load(sys.stdin)
    sys.path.insert(0, request["root"])
    endings: dict[str, int] = {}
    told: list[dict[str, Any]] = []
    seconds = 0.0
    judge = runner.CandidateRunner.judge

    def timed(self: runner.CandidateRunner, *asked: Any) -> Iterator[Any]:
        nonlocal seconds
        left = self.allowance.left
        for piece, judged in judge(self, *asked):
            endings[judged.ending] = endings.get(judged.ending, 0) + 1
            seconds += left - self.allowance.left
            yield piece, judged
            left = self.allowance.left
        seconds += left - self.allowance.left

    runner.CandidateRunner.judge = timed  # type: ignore[method-assign]  # only to look at the clock
    sys.stdout, said = sys.stderr, sys.stdout
    search.main(request, told.append)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    answers = [one for one in told if one["kind"] != "progress"]
    json.dump({"seconds": seconds, "endings": endings, "mebibytes": peak / 1024, "told": answers}, said)


def measured(request: dict[str, Any]) -> dict[str, Any]:
    """Make one search; sets and dictionaries are in the order in which the sandbox has them."""
    done = subprocess.run(
        [sys.executable, __file__, "--one"],
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
    """Measure the programs that were asked for; exit with 1 when one was not told the same twice."""
    parser = argparse.ArgumentParser(description="Count the candidates that are tried in a second.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the programs, one JSON object a line")
    parser.add_argument("--only", default=None, help="programs, by their names with commas between them")
    parser.add_argument("--candidates", type=int, default=3000, help="how many to try of each")
    parser.add_argument("--twice", action="store_true", help="also search on a busy machine, and compare what was told")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        screen()
        return
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
    print(f"median {statistics.median(rates):.0f}/s, least {min(rates):.0f}/s, at most {max(peaks):.0f} MiB")
    if chosen.twice:
        print(f"the same twice: {len(rates) - len(other)} of {len(rates)} {', '.join(other)}")
    sys.exit(bool(other))


if __name__ == "__main__":
    main()
