"""Fills in the stubs of HumanEval and MBPP+ with the command, each in a project on disk, and judges what comes out.

    python tests/benchmarks/stubs.py --set humaneval|mbpp [--data PATH] [--seconds 10] [--only NAME] [--alone]
                                     [--part development|validation] [--json FILE]

A stub of HumanEval is its prompt, with examples in whatever form; one of MBPP has its sentence as a docstring and its
visible tests in a file for pytest. `shown` counts searches that end with a verified winner, `solved` those of them
whose winner passes the hidden tests too, and `precision` is the one over the other. With `--json`, cases already in
the file are not run again, so a long run can be resumed. The sets are split by a hash of the function's name: 60 % are
development, the rest validation, at which nobody looks. Both are reported, and `--bars` fails unless validation meets
the bars.

With `--alone` it is the built-in generator by itself: its search, the comparison of its finds, and what it holds back,
without daemon, sandbox and verifiers. That says how far it gets where a machine is too busy for the command, which runs
all that with the lowest priority.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from asking import Answer, ask
from unguarded import UnguardedExecutor

from certo.edits.examples import written_examples
from certo.edits.patch import apply_edits
from certo.edits.target import ByName, examples, find_target
from certo.generation.builtin.generator import BuiltinGenerator
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Ask, Declined
from certo.sandbox.executor import Interpreter
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Ruling

ROOT = Path(__file__).resolve().parents[2]
DATA = {
    "humaneval": Path("../shared/data/humaneval_stubs_even.jsonl"),
    "mbpp": Path("../shared/data/mbpp_stubs_even_rows.jsonl"),
}

PARTS = ("development", "validation")
BARS = {"humaneval": (0.30, 0.85), "mbpp": (0.38, 0.80)}
"""The share of stubs that must be solved, and that of the answers that must be right."""


def part_of(row: dict[str, Any]) -> str:
    """Return the part of its set that a stub is in."""
    return PARTS[hashlib.sha256(row["entry_point"].encode()).digest()[0] % 5 > 2]


def write_humaneval(row: dict[str, Any], root: Path) -> Path:
    """Write the prompt as a stub, with its examples as they stand there, doctests or not; the module's path."""
    path = root / "stub.py"
    path.write_text(row["prompt"].rstrip() + "\n    ...\n", encoding="utf-8")
    return path


def escaped(docstring: str) -> str:
    """A docstring as it must be written between three double quotes."""
    return docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def write_mbpp(row: dict[str, Any], root: Path) -> Path:
    """Write the signature with the sentence as its docstring, and the visible tests beside it; the module's path."""
    path = root / "stub.py"
    path.write_text(f'{row["signature"]}\n    """{escaped(row["doc"])}"""\n', encoding="utf-8")
    tests = [f"import math\n\nfrom stub import {row['entry_point']} as candidate\n"]
    for number, test in enumerate(row["tests_visible"]):
        tests.append(f"def test_{number}():\n    {test.replace(row['entry_point'] + '(', 'candidate(')}\n")
    (root / "test_stub.py").write_text("\n\n".join(tests), encoding="utf-8")
    return path


def ask_alone(path: Path, row: dict[str, Any], seconds: float) -> Answer:
    """What the built-in generator proposes for one stub, and how long it took for all."""
    text = path.read_text(encoding="utf-8")
    target = find_target(text, ByName(row["entry_point"]), path=path.name)
    found = (*examples(target, text), *written_examples(target))
    ids = [one.id for one in found]
    ids += [f"test_{path.name}::test_{number}" for number in range(len(row.get("tests_visible", ())))]
    problem = Problem(
        root=path.parent,
        path=path.name,
        text=text,
        target=target,
        goal=Goal.IMPLEMENT,
        examples=found,
        baseline=Baseline(tests=tuple(KnownTest(id=one, ruling=Ruling.FAILED) for one in ids)),
    )
    version = sys.version_info[:3]
    own = Interpreter(
        executable=Path(sys.executable), version=version, readable=(), why="ours", pytest=pytest.__version__
    )
    generator = BuiltinGenerator(UnguardedExecutor(), own, BuiltinOptions(seconds=seconds))

    async def search() -> Answer:
        began = time.perf_counter()
        shown: list[str] = []
        async with generator.open(problem, lambda _: None) as proposer:
            while not isinstance(answer := await proposer.propose(Ask()), Declined):
                shown.append(apply_edits(text, answer.edits))
        took = time.perf_counter() - began
        return Answer(shown[0] if shown else None, tuple(shown), took if shown else None, answer.reason)

    return anyio.run(search)


def judged(which: str, row: dict[str, Any], source: str) -> str:
    """What the judge says of a filled-in source, from a process of its own: nothing when it is right."""
    judge = [sys.executable, str(Path(__file__).with_name("stubs_judge.py"))]
    case = json.dumps({"set": which, "row": row, "source": source})
    try:
        done = subprocess.run(judge, input=case, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "the judge ran out of time"
    return "" if not done.returncode else done.stderr.strip()[-200:] or "it failed"


def measure(which: str, row: dict[str, Any], seconds: float, *, alone: bool) -> dict[str, Any]:
    """Fill in and judge one stub."""
    write = write_humaneval if which == "humaneval" else write_mbpp
    with tempfile.TemporaryDirectory() as directory:
        path = write(row, Path(directory))
        began = time.perf_counter()
        if alone:
            answer = ask_alone(path, row, seconds)
        else:
            answer = ask(f"{path.name}::{row['entry_point']}", Path(directory), seconds)
        took = time.perf_counter() - began
    wrong = judged(which, row, answer.winner) if answer.winner is not None else ""
    return {
        "name": row["task_id"],
        "seconds": took,
        "searched": answer.seconds,
        "shown": answer.winner is not None,
        "solved": answer.winner is not None and not wrong,
        "wrong": wrong,
        "sentence": answer.sentence,
        "winner": answer.winner,
        "level": answer.level,
    }


def report(found: list[dict[str, Any]]) -> str:
    """All measurements in one line."""
    shown = [one for one in found if one["shown"]]
    solved = sum(one["solved"] for one in found)
    words = f"solved {solved} of {len(found)}, shown {len(shown)}"
    if len(shown) < 2:
        return words
    tenths = statistics.quantiles([one["searched"] for one in shown], n=10, method="inclusive")
    precision = solved / len(shown)
    return f"{words}, precision {precision:.0%}, t_first p50 {tenths[4]:.1f} s, p90 {tenths[8]:.1f} s"


def meets(which: str, found: list[dict[str, Any]]) -> bool:
    """Return whether measurements meet the bars of their set."""
    solved, shown = sum(one["solved"] for one in found), sum(one["shown"] for one in found)
    least, precision = BARS[which]
    return bool(found) and solved >= least * len(found) and solved >= precision * shown


def main() -> None:
    """Measure the stubs that were asked for and print a line for each and one for all."""
    parser = argparse.ArgumentParser(description="Fill in the stubs of a set and judge what comes out.")
    parser.add_argument("--set", choices=sorted(DATA), required=True, help="which stubs")
    parser.add_argument("--data", type=Path, default=None, help="the stubs, one JSON object a line")
    parser.add_argument("--seconds", type=float, default=None, help="how long one search may work: 10, or 6 for MBPP+")
    parser.add_argument("--only", default=None, help="one stub's function")
    parser.add_argument("--every", type=int, default=1, help="only each so manyth stub")
    parser.add_argument("--part", choices=PARTS, default=None, help="only the stubs of one part")
    parser.add_argument("--bars", action="store_true", help="fail unless the validation part meets the bars")
    parser.add_argument("--json", type=Path, default=None, help="also write every measurement here, and go on from it")
    parser.add_argument("--alone", action="store_true", help="the built-in generator by itself, without a sandbox")
    chosen = parser.parse_args()
    if chosen.bars and (chosen.part == PARTS[0] or chosen.only or chosen.every != 1):
        parser.error("--bars is for all of the validation part")
    seconds = chosen.seconds or (10.0 if chosen.set == "humaneval" else 6.0)
    path = chosen.data or ROOT / DATA[chosen.set]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][:: chosen.every]
    found: list[dict[str, Any]] = []
    if chosen.json and chosen.json.exists():
        found = json.loads(chosen.json.read_text(encoding="utf-8"))
    known = {one["name"] for one in found}
    for row in rows:
        if row["task_id"] in known or chosen.only not in (None, row["entry_point"]):
            continue
        if chosen.part not in (None, part_of(row)):
            continue
        one = measure(chosen.set, row, seconds, alone=chosen.alone)
        found.append(one)
        words = "solved" if one["solved"] else "wrong " if one["shown"] else "      "
        print(f"{one['name']:14} {row['entry_point']:28} {words} {one['seconds']:6.1f} s", flush=True)
        if chosen.json:
            chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    parts = {row["task_id"]: part_of(row) for row in rows}
    for part in PARTS:
        print(f"{part}: {report([one for one in found if parts.get(one['name']) == part])}")
    print(report(found))
    if chosen.bars and not meets(chosen.set, [one for one in found if parts.get(one["name"]) == "validation"]):
        raise SystemExit(f"validation misses a bar of {chosen.set}: solved, precision = {BARS[chosen.set]}")


if __name__ == "__main__":
    main()
