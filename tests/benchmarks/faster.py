"""How often `faster` is said of identical code, and how many slow functions become faster without a model.

    python tests/benchmarks/faster.py identical [--pairs 500]
    python tests/benchmarks/faster.py slow [--part development|validation] [--only NAME] [--rough] [--fresh 2000]

`identical` measures functions of the set against the same code with other names of its variables; `faster` may be said
of one in a hundred. With fewer than 100 pairs it may be said of none.

`slow` searches the forty functions of `slow_functions.py` as `certo generate --goal faster` does, without the project's
tools: templates, comparison, measurement. A function counts if a candidate is at least 1.5 times as fast by its lower
bound. Each is compared again with its original on fresh calls, made with another seed. With --rough, a single trial
counts and nothing is measured. The bars are 24 of the 40, or that share of a part, and no difference. A missed bar ends
this with 1.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import anyio

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/benchmarks"), str(ROOT / "tests")]

from slow_functions import FUNCTIONS, SlowFunction

from certo.behaviour.speed_measurement import find_workload, measure
from certo.behaviour.speed_statistics import SpeedDecision
from certo.behaviour.subject import Subject, subject_of
from certo.behaviour.version_comparison import ComparisonBudget, compare_versions
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, find_target
from certo.generation.faster.search import FasterProposer
from certo.generation.generator import Ask, Declined, Proposal
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.equivalence import EquivalenceVerifier
from certo.verification.speed import SpeedVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter

FACTOR = 1.5
SHARE = 24 / 40
WRONG = 0.01

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


async def slow(arguments: argparse.Namespace) -> bool:
    """Search the slow functions; return True if the bars are met."""
    chosen = [
        one
        for one in FUNCTIONS
        if (not arguments.part or one.is_development == (arguments.part == "development"))
        and (not arguments.only or one.name in arguments.only)
    ]
    faster, different = 0, 0
    for one in chosen:
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
    print(f"{faster} of {len(chosen)} at least {FACTOR} times faster, {different} with a difference")
    return faster >= SHARE * len(chosen) and not different


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


async def identical(arguments: argparse.Namespace) -> bool:
    """Measure functions against their own code; return True if `faster` is said as rarely as it has to be."""
    dice = random.Random(arguments.seed)
    counts = dict.fromkeys((each.value for each in SpeedDecision), 0)
    rounds = 0
    for number in range(arguments.pairs):
        one = FUNCTIONS[number % len(FUNCTIONS)]
        with tempfile.TemporaryDirectory() as folder:
            problem = problem_of(Path(folder), one)
            subject = subject_of(problem, EXECUTOR, bare_interpreter())
            span, text = problem.target.span, renamed(one.source, dice)
            other = find_target(text, ByName(one.name), path="mod.py").span
            edits = [TextEdit(Span(span.start, span.end), text[other.start : other.end])]
            workload = await find_workload(subject, [edits])
            if workload.trouble:
                print(f"{one.name}: {workload.trouble}", flush=True)
                continue
            found = await measure(subject, edits, workload)
        counts[found.finding.value] += 1
        rounds += found.speed.rounds if found.speed is not None else 0
        if found.finding is not SpeedDecision.NOT_FASTER:
            print(f"{one.name}: {found}", flush=True)
    measured = sum(counts.values())
    print(f"{measured} pairs, {rounds} rounds: {counts}")
    return measured > 0 and counts[SpeedDecision.FASTER.value] <= WRONG * measured


def main() -> int:
    """Run the benchmark; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    same = modes.add_parser("identical")
    same.add_argument("--pairs", type=int, default=500)
    same.add_argument("--seed", type=int, default=0)
    search = modes.add_parser("slow")
    search.add_argument("--part", choices=("development", "validation"))
    search.add_argument("--only", action="append")
    search.add_argument("--rough", action="store_true")
    search.add_argument("--fresh", type=int, default=2000)
    arguments = parser.parse_args()
    is_met = anyio.run({"identical": identical, "slow": slow}[arguments.mode], arguments)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
