"""How often `faster` is said of identical code, and how many slow functions become faster without a model.

    python tests/benchmarks/faster.py identical [--pairs 500] [--seed 0] [--part PART] [--loaded]
    python tests/benchmarks/faster.py tenth [--pairs 50] [--seed 0] [--part PART] [--loaded]
    python tests/benchmarks/faster.py slow [--part development|validation] [--only NAME] [--rough] [--fresh 2000]

`identical` measures functions of the set against the same code with other names of its variables; `faster` may be said
of one in a hundred. With fewer than 100 pairs it may be said of none. `tenth` measures a function that does the work of
one of the set eleven times against one that does it ten times, which is 1.10 times as fast; `faster` has to be said of
nine in ten, within 20 processor seconds each. The calls of each function are looked for once; each pair has other names
or another function, and other seeds. With --loaded, every processor is busy with other work.

`slow` searches the forty functions of `slow_functions.py` as `certo generate --goal faster` does, without the project's
tools: templates, comparison, measurement. A function counts if a candidate is at least 1.5 times as fast by its lower
bound. Each is compared again with its original on fresh calls, made with another seed. With --rough, a single trial
counts and nothing is measured. The bars are 24 of the 40, or that share of a part, and no difference. A missed bar ends
this with 1.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import anyio

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/benchmarks"), str(ROOT / "tests")]

from slow_functions import FUNCTIONS, SlowFunction

from certo.behaviour.speed_measurement import SpeedMeasurement, find_workload, measure
from certo.behaviour.speed_statistics import SpeedDecision
from certo.behaviour.subject import Subject, subject_of
from certo.behaviour.version_comparison import ComparisonBudget, compare_versions
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, find_target
from certo.generation.faster.search import FasterProposer
from certo.generation.generator import Ask, Declined, Proposal
from certo.sandbox.executor import ExecutorWrapper, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.equivalence import EquivalenceVerifier
from certo.verification.speed import SpeedVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter
from support.sandbox.busy_machine import burning

FACTOR = 1.5
SHARE = 24 / 40
WRONG = 0.01
FOUND, FOUND_SECONDS = 0.9, 20.0

EXECUTOR = LocalExecutor(SandboxOptions())


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of one slow function."""

    factor: float
    words: str
    differs: str = ""


def problem_of(root: Path, one: SlowFunction) -> Problem:
    """Write a project for a function and return the problem of making it faster."""
    names: dict[str, object] = {}
    exec(one.source, names)
    tests = [f"from mod import {one.name}"]
    for number, call in enumerate(one.calls):
        tests.append(f"def test_{number}():\n    assert {call} == {eval(call, names)!r}")
    (root / "mod.py").write_text(one.source, encoding="utf-8")
    (root / "test_mod.py").write_text("\n".join(tests) + "\n", encoding="utf-8")
    known = tuple(KnownTest(id=f"test_mod.py::test_{number}", ruling=Ruling.PASSED) for number in range(len(one.calls)))
    return Problem(
        root=root,
        path="mod.py",
        text=one.source,
        target=find_target(one.source, ByName(one.name), path="mod.py"),
        goal=Goal.FASTER,
        baseline=Baseline(tests=known),
    )


async def searched(one: SlowFunction, *, rough: bool, fresh: int) -> Result:
    """Search a slow function, and compare what is found on fresh calls."""
    with tempfile.TemporaryDirectory() as folder:
        problem = problem_of(Path(folder), one)
        subject = subject_of(problem, EXECUTOR, bare_interpreter())
        proposer = FasterProposer(problem=problem, subject=subject, say=lambda _: None)
        said = "nothing was proposed"
        while not isinstance(proposal := await proposer.propose(Ask()), Declined):
            said = proposal.note
            factor = await _factor(problem, subject, proposal, rough=rough)
            if factor.factor > 1:
                return Result(
                    factor=factor.factor,
                    words=f"{proposal.note}; {factor.words}",
                    differs=await _difference(subject, proposal, fresh) if fresh else "",
                )
            said = f"{proposal.note}: {factor.words}"
        return Result(factor=1.0, words=f"{said}; {proposal.reason}")


async def _factor(problem: Problem, subject: Subject, proposal: Proposal, *, rough: bool) -> Result:
    """Return the lower bound of a candidate's speed, or the ratio of one trial."""
    if rough:
        workload = await find_workload(subject, [proposal.edits], seed=1)
        trial = workload.trials[0] if workload.trials else None
        return Result(factor=trial.ratio if trial and not trial.reason else 1.0, words=str(trial))
    text = apply_edits(problem.text, proposal.edits)
    candidate = Candidate(id="0", edits=proposal.edits, text=text, origin=Origin(generator="builtin"))
    verdict = await EquivalenceVerifier(EXECUTOR, bare_interpreter()).judge(candidate, problem)
    if verdict.passed:
        verdict = await SpeedVerifier(EXECUTOR, bare_interpreter()).judge(candidate, problem)
    if not verdict.passed or verdict.speed is None:
        return Result(factor=1.0, words="; ".join(finding.message for finding in verdict.findings))
    speed = verdict.speed
    small = f", {speed.observed:.2f} at their own size" if speed.observed is not None else ""
    growth = f", n^{speed.growth.before:.1f} -> n^{speed.growth.after:.1f}" if speed.growth is not None else ""
    return Result(factor=speed.low, words=f"{speed.ratio:.2f} at {speed.scale:.3g} times the size{small}{growth}")


async def _difference(subject: Subject, proposal: Proposal, calls: int) -> str:
    """Return a difference on fresh calls; empty if there is none."""
    budget = ComparisonBudget(calls=calls, seconds=30.0, exhaustive=True, seed=20_261_127, is_other_reference=False)
    found = await compare_versions(subject, [proposal.edits], budget=budget)
    if found.trouble:
        return found.trouble
    differences = [one for one in found.versions[0].differences if one.is_breaking]
    return next((f"{one.call}: {one.before}, now {one.now}" for one in differences), "")


def chosen(arguments: argparse.Namespace) -> list[SlowFunction]:
    """Return the functions that the arguments name."""
    return [
        one
        for one in FUNCTIONS
        if (not arguments.part or one.is_development == (arguments.part == "development"))
        and (not arguments.only or one.name in arguments.only)
    ]


async def slow(arguments: argparse.Namespace) -> bool:
    """Search the slow functions; return True if the bars are met."""
    faster, different = 0, 0
    functions = chosen(arguments)
    for one in functions:
        began = time.monotonic()
        result = await searched(one, rough=arguments.rough, fresh=arguments.fresh)
        faster += result.factor >= FACTOR
        different += bool(result.differs)
        mark = "+" if result.factor >= FACTOR else "-"
        print(
            f"{mark} {one.name:22} {result.factor:9.2f}  {result.words}  {time.monotonic() - began:.0f} s", flush=True
        )
        if result.differs:
            print(f"  DIFFERS  {result.differs}", flush=True)
    print(f"{faster} of {len(functions)} at least {FACTOR} times faster, {different} with a difference")
    return faster >= SHARE * len(functions) and not different


def renamed(source: str, dice: random.Random) -> str:
    """Return the same code with other names for its local variables."""
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    local = sorted(
        {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    )
    names = {name: f"{name}_{dice.randrange(1000)}" for name in local}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = names[node.id]
    return ast.unparse(tree) + "\n"


class Counting(ExecutorWrapper):
    """An executor that adds up the processor time of its runs."""

    def __init__(self) -> None:
        super().__init__(EXECUTOR)
        self.cpu = 0.0

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run a program and add its time."""
        finished = await self._executor.run(work, tell)
        self.cpu += finished.cpu_seconds
        return finished


TENTH = """

def repeated(*given):
    for _ in range(11):
        got = WORK(*given)
    return got
"""


def with_less_work(one: SlowFunction) -> SlowFunction:
    """Return a function that does the work of one of the set eleven times."""
    calls = tuple(call.replace(one.name, "repeated", 1) for call in one.calls)
    return SlowFunction(name="repeated", source=one.source + TENTH.replace("WORK", one.name), calls=calls)


@dataclass(slots=True)
class Counted:
    """What was said of the pairs, and the processor seconds of each."""

    said: list[SpeedDecision] = field(default_factory=list)
    rounds: int = 0
    seconds: list[float] = field(default_factory=list)

    async def measure(self, one: SlowFunction, arguments: argparse.Namespace, number: int, dice: random.Random) -> None:
        """Measure so many pairs of one function."""
        is_tenth = arguments.mode == "tenth"
        with tempfile.TemporaryDirectory() as folder:
            executor = Counting()
            slower = with_less_work(one) if is_tenth else one
            problem = problem_of(Path(folder), slower)
            subject = subject_of(problem, executor, bare_interpreter())
            workload = await find_workload(subject, [])
            if workload.trouble:
                print(f"{one.name}: {workload.trouble}", flush=True)
                return
            searched = executor.cpu
            for _ in range(number):
                text = slower.source.replace("range(11)", "range(10)") if is_tenth else renamed(one.source, dice)
                other, span = find_target(text, ByName(slower.name), path="mod.py").span, problem.target.span
                edits = [TextEdit(span, text[other.start : other.end])]
                executor.cpu = searched
                found = await measure(subject, edits, workload, seed=dice.randrange(100_000))
                self._add(one.name, found, executor.cpu)
                if found.finding is not (SpeedDecision.FASTER if is_tenth else SpeedDecision.NOT_FASTER):
                    print(f"{one.name}: {found}", flush=True)

    def _add(self, name: str, found: SpeedMeasurement, seconds: float) -> None:
        if found.finding is SpeedDecision.OPEN:
            print(f"{name}: {found.trouble}", flush=True)
        self.said.append(found.finding)
        self.rounds += found.speed.rounds if found.speed is not None else 0
        self.seconds.append(seconds)


async def pairs(arguments: argparse.Namespace) -> bool:
    """Measure pairs of each function in turn; return True if `faster` is said as rarely, or often, as it has to be."""
    dice, counted, functions = random.Random(arguments.seed), Counted(), chosen(arguments)
    with burning() if arguments.loaded else contextlib.nullcontext():
        for place, one in enumerate(functions):
            await counted.measure(one, arguments, len(range(place, arguments.pairs, len(functions))), dice)
            print(
                f"{one.name}: {len(counted.said)} pairs, {counted.said.count(SpeedDecision.FASTER)} faster", flush=True
            )
    measured = len(counted.said)
    counts = {each.value: counted.said.count(each) for each in SpeedDecision}
    print(
        f"{measured} pairs, {counted.rounds} rounds: {counts}; processor seconds of a pair: "
        f"median {median(counted.seconds):.1f}, most {max(counted.seconds):.1f}"
    )
    faster = counted.said.count(SpeedDecision.FASTER)
    if arguments.mode == "identical":
        return faster <= WRONG * measured
    in_time = [
        said is SpeedDecision.FASTER and seconds <= FOUND_SECONDS
        for said, seconds in zip(counted.said, counted.seconds, strict=True)
    ]
    print(f"{sum(in_time)} of {measured} found within {FOUND_SECONDS:g} processor seconds")
    return sum(in_time) >= FOUND * measured


def main() -> int:
    """Run the benchmark; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode, number in (("identical", 500), ("tenth", 50)):
        same = modes.add_parser(mode)
        same.add_argument("--pairs", type=int, default=number)
        same.add_argument("--seed", type=int, default=0)
        same.add_argument("--part", choices=("development", "validation"))
        same.add_argument("--only", action="append")
        same.add_argument("--loaded", action="store_true")
    search = modes.add_parser("slow")
    search.add_argument("--part", choices=("development", "validation"))
    search.add_argument("--only", action="append")
    search.add_argument("--rough", action="store_true")
    search.add_argument("--fresh", type=int, default=2000)
    arguments = parser.parse_args()
    is_met = anyio.run(slow if arguments.mode == "slow" else pairs, arguments)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
