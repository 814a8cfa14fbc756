"""How fast and how rightly the strength of tests is measured, side by side with mutmut.

    python tests/benchmarks/strength.py [--data PATH] [--only NAME,…] [--fresh 8] [--loaded] [--mutmut COMMAND]

Each program of QuixBugs, in its right version, is measured with its own tests, once as plain functions and once with
fixtures of pytest (`tmp_path`), which only pytest itself can set up, in an environment with pytest alone. For each the
benchmark counts the mutants judged in a second of processor time, start and imports included. `--fresh` mutants of each
program are judged again by a fresh pytest of their own, 0 for all. Each gap's call is made in a Python of its own, with
and without the change. With --loaded everything is measured again while each processor is busy. With --mutmut, a
command of mutmut 3, the programs are judged by that as well.

Bars: 100 mutants a second on plain tests and 10 through fixtures, 99.5 % of the verdicts equal to those of fresh runs,
no gap that its call does not show, and the same result under load. A missed bar ends this with 1.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/benchmarks"), str(ROOT / "tests")]

from quixbugs import DATA

from certo.behaviour.call import callee_of, recorded
from certo.behaviour.execution import ComparedCandidate, compared_candidate
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, find_target
from certo.sandbox.executor import ExecutorWrapper, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.strength.mutation_run import PROGRAM, JudgedMutant, MutationRun, judge_mutants
from certo.verification.strength.strength import ASKED
from certo.verification.strength.witnesses import Witnesses, find_witnesses
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter
from support.sandbox.busy_machine import burning

PLAIN_BAR, FIXTURES_BAR, EQUAL_BAR = 100.0, 10.0, 0.995
FRESH_SECONDS = 10
"""Processor time after which a fresh pytest counts as one that does not come back."""

CALLED = """\
import ast, sys, json, contextlib, io
names = {"__name__": "called"}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), names)
printed = io.StringIO()
try:
    with contextlib.redirect_stdout(printed):
        call = ast.parse(sys.argv[2], mode="eval").body
        part = lambda node: eval(compile(ast.Expression(node), "call", "eval"), names)
        given = [part(one) for one in call.args], {one.arg: part(one.value) for one in call.keywords}
        value = part(call.func)(*given[0], **given[1])
        if hasattr(value, "__next__"):
            value = ["yields", *(next(value, "end") for _ in range(1000))]
    told = [type(value).__name__, repr(value), repr(given)]
except BaseException as error:
    told = ["raises", type(error).__name__]
sys.stdout.write(json.dumps([told, printed.getvalue()]))
"""
"""A program that makes one call of a module and prints what comes of it."""


@dataclass
class Measured:
    """The figures of some programs."""

    mutants: int = 0
    cpu: float = 0.0
    whole: float = 0.0
    compared: int = 0
    unequal: list[str] = field(default_factory=list)
    gaps: int = 0
    false_gaps: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)


class Timed(ExecutorWrapper):
    """An executor that adds up the processor time of its runs: those of mutants, and all of them."""

    def __init__(self) -> None:
        super().__init__(LocalExecutor(SandboxOptions()))
        self.cpu = 0.0
        self.whole = 0.0

    def warmed(self, work: Work, /) -> Any:
        """Return the same of the executor; nothing is warm here."""
        return self._executor.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run a program and add its time."""
        finished = await self._executor.run(work, tell)
        self.whole += finished.cpu_seconds
        self.cpu += finished.cpu_seconds if work.program == PROGRAM else 0.0
        return finished


def write_project(row: dict[str, Any], root: Path, *, fixtures: bool) -> list[str]:
    """Write the right program and its tests; return the ids of the tests."""
    (root / f"{row['name']}.py").write_text(row["correct"], encoding="utf-8")
    given = "tmp_path" if fixtures else ""
    tests = [row["support"], f"from {row['name']} import *\n\n"]
    for test in row["tests"]:
        body = "".join(f"    {line}\n" for line in test["py"].splitlines())
        tests.append(f"def test_{test['id']}({given}):\n{body}\n")
    (root / f"test_{row['name']}.py").write_text("\n".join(tests), encoding="utf-8")
    return [f"test_{row['name']}.py::test_{test['id']}" for test in row["tests"]]


def problem_of(row: dict[str, Any], root: Path, tests: Sequence[str]) -> Problem:
    """Return the problem of a program whose tests pass."""
    path = f"{row['name']}.py"
    text = (root / path).read_text(encoding="utf-8")
    known = tuple(KnownTest(id=test, ruling=Ruling.PASSED) for test in tests)
    return Problem(
        root=root,
        path=path,
        text=text,
        target=find_target(text, ByName(row["entry_point"]), path=path),
        goal=Goal.REPAIR,
        baseline=Baseline(tests=known),
    )


async def judged(problem: Problem, tests: Sequence[str], executor: Timed) -> tuple[MutationRun, Witnesses]:
    """Judge the mutants of a program, and find witnesses of those that no test notices."""
    side = compared_candidate(problem, problem.text, executor, bare_interpreter())
    assert side is not None
    run = await judge_mutants(side, tests, mutants=ASKED.mutants, seconds=ASKED.seconds, seed=0)
    return run, await witnesses_of(problem, side, run)


async def witnesses_of(problem: Problem, side: ComparedCandidate, run: MutationRun) -> Witnesses:
    """Return the witnesses of the mutants that no test notices."""
    callee = callee_of(side.definition, problem.target.qualname)
    if callee is None:
        return Witnesses()
    known = [call for call in (recorded(callee, message) for message in run.calls) if call is not None]
    return await find_witnesses(side, callee, [each.edits for each in unnoticed(run)], known, 0)


def unnoticed(run: MutationRun) -> list[JudgedMutant]:
    """Return the mutants that no test notices."""
    return [mutant for mutant in run.mutants if mutant.result == "unnoticed"]


def limited(command: Sequence[str], root: Path, seconds: int) -> tuple[int, str]:
    """Run a command with so much processor time; return its exit code, negative if it was killed, and its output."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (2**31, 2**31))

    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=20 * seconds, check=False, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout


def is_noticed_afresh(problem: Problem, mutant: JudgedMutant) -> bool:
    """True if a fresh pytest on the mutated file does not pass."""
    path = problem.root / problem.path
    try:
        path.write_text(apply_edits(problem.text, mutant.edits), encoding="utf-8")
        command = [str(bare_interpreter().executable), "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        code, _ = limited(command, problem.root, FRESH_SECONDS)
    finally:
        path.write_text(problem.text, encoding="utf-8")
    return code != 0


def is_shown(problem: Problem, mutant: JudgedMutant, call: str) -> bool:
    """True if a call has different outcomes with and without the change, each in a Python of its own."""
    outcomes = []
    for text in (problem.text, apply_edits(problem.text, mutant.edits)):
        with tempfile.TemporaryDirectory() as directory:
            module = Path(directory, "called.py")
            module.write_text(text, encoding="utf-8")
            outcomes.append(limited([sys.executable, "-c", CALLED, str(module), call], Path(directory), 5))
    return outcomes[0][0] == 0 and outcomes[0] != outcomes[1]


def check(problem: Problem, run: MutationRun, witnesses: Witnesses, fresh: int, into: Measured) -> None:
    """Compare the verdicts of some mutants with fresh runs, and make the call of each gap."""
    some = run.mutants if not fresh else random.Random(0).sample(run.mutants, min(fresh, len(run.mutants)))
    for mutant in some:
        into.compared += 1
        if is_noticed_afresh(problem, mutant) != (mutant.result != "unnoticed"):
            into.unequal.append(f"{problem.path}:{mutant.line} {mutant.kind}: {mutant.result} by {mutant.test}")
    for number, witness in witnesses.found.items():
        into.gaps += 1
        mutant = unnoticed(run)[number]
        if not is_shown(problem, mutant, witness.call.text):
            into.false_gaps.append(f"{problem.path}:{mutant.line} {mutant.kind}: {witness.call.text}")


def told(run: MutationRun, witnesses: Witnesses) -> object:
    """Return what must be the same on every machine."""
    found = {number: (each.call.text, each.words, each.unusual) for number, each in witnesses.found.items()}
    return run.mutants, run.possible, run.unused, found, witnesses.calls, witnesses.unsettled


async def measure(row: dict[str, Any], *, fixtures: bool, fresh: int, loaded: bool, into: Measured) -> None:
    """Measure one program."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        tests = write_project(row, root, fixtures=fixtures)
        problem, executor = problem_of(row, root, tests), Timed()
        run, witnesses = await judged(problem, tests, executor)
        into.mutants += len(run.mutants)
        into.cpu += executor.cpu
        into.whole += executor.whole
        missed = len(unnoticed(run))
        print(
            f"{row['name']:32} {len(run.mutants):4} mutants, {len(run.mutants) / executor.cpu:6.0f} a CPU s, "
            f"{missed:3} unnoticed, {len(witnesses.found):3} with a witness of {witnesses.calls} calls, "
            f"{executor.whole:5.1f} CPU s in all{f', {run.reason}' if run.reason else ''}",
            flush=True,
        )
        check(problem, run, witnesses, fresh, into)
        if loaded:
            with burning():
                again = await judged(problem, tests, Timed())
            if told(*again) != told(run, witnesses):
                into.unlike.append(row["name"])


def by_mutmut(row: dict[str, Any], command: str) -> tuple[int, float]:
    """Judge a program by mutmut; return the number of its mutants and the processor time."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        write_project(row, root, fixtures=False)
        (root / "setup.cfg").write_text(f"[mutmut]\nsource_paths={row['name']}.py\n", encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [command, "run", "--max-children", "1"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env={"PATH": f"{Path(command).parent}:/usr/bin:/bin", "HOME": directory},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        mutants = sum(len(json.loads(path.read_text())["exit_code_by_key"]) for path in root.glob("mutants/*.meta"))
        if not mutants:
            print(f"  mutmut: {(done.stdout + done.stderr)[-300:]}")
        return mutants, seconds


def summary(kind: str, found: Measured, bar: float) -> bool:
    """Print the figures of one kind of tests; return True if they meet the bars."""
    rate = found.mutants / found.cpu if found.cpu else 0.0
    equal = 1 - len(found.unequal) / found.compared if found.compared else 1.0
    print(
        f"{kind}: {found.mutants} mutants, {rate:.0f} a CPU s (bar {bar:g}), {found.mutants / found.whole:.0f} with "
        f"witnesses; {equal:.2%} of {found.compared} verdicts as fresh pytest has them (bar 99.5 %); "
        f"{found.gaps} gaps, {len(found.false_gaps)} not shown by their call (bar 0); {len(found.unlike)} programs "
        "otherwise under load (bar 0)"
    )
    for each in (*found.unequal, *found.false_gaps, *found.unlike):
        print(f"  {each}")
    return rate >= bar and equal >= EQUAL_BAR and not found.false_gaps and not found.unlike


async def main() -> None:
    """Measure all programs; exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Measure how test strength is measured.")
    parser.add_argument("--data", type=Path, default=ROOT / DATA, help="the programs, one JSON object a line")
    parser.add_argument("--only", default=None, help="programs, by their names with commas between them")
    parser.add_argument("--fresh", type=int, default=8, help="mutants of each program for fresh runs; 0 for all")
    parser.add_argument("--loaded", action="store_true", help="measure again on a busy machine, and compare")
    parser.add_argument("--plain", action="store_true", help="leave out the tests with fixtures")
    parser.add_argument("--mutmut", default=None, help="the command of mutmut 3 in an environment with pytest")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if chosen.only is None or row["name"] in chosen.only.split(",")]
    is_met = True
    for kind, fixtures, bar in (("plain", False, PLAIN_BAR), ("fixtures", True, FIXTURES_BAR)):
        if fixtures and chosen.plain:
            continue
        found = Measured()
        for row in rows:
            await measure(row, fixtures=fixtures, fresh=chosen.fresh, loaded=chosen.loaded, into=found)
        is_met &= summary(kind, found, bar)
    if chosen.mutmut:
        counted = [by_mutmut(row, chosen.mutmut) for row in rows]
        mutants, seconds = sum(number for number, _ in counted), sum(each for _, each in counted)
        print(f"mutmut: {mutants} mutants, {mutants / seconds:.1f} a CPU s")
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    anyio.run(main)
