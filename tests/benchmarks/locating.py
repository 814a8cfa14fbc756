"""Plants bugs in a project and counts how often a failing test leads to the function that has the bug.

    python tests/benchmarks/locating.py PROJECT... [--interpreter PYTHON] [--cases 40] [--seed 0] [--data PATH]

A bug is one token that is another: a comparison, an operator, a constant, a condition. Where a test of the project
fails for it, and passed before, one such test is pointed at. `top-1` counts how often the function with the bug is the
one that is repaired, `top-3` how often it is among the first three, and `named` how often a user reads its name. With
--data the programs of QuixBugs are cases too, each with its own tests.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio

from certo.edits.target import functions
from certo.project.interpreter import find_interpreter
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.fault_localization import is_of_tests, locate
from certo.verification.dynamic.spectra import Stage
from certo.verification.options import TestOptions
from certo.vocabulary.errors import BadRequest

sys.path.insert(0, str(Path(__file__).parent))

from quixbugs import write_project

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A project with a bug in one function, by its file and name, and the tests that fail for it."""

    root: Path
    path: str
    qualname: str
    failing: tuple[str, ...]


def places(text: str) -> Iterator[tuple[str, int]]:
    """The nodes in the functions of a text, by their number in the tree, each with the function it is in."""
    owners = {
        line: target.qualname
        for target in functions(text)
        for line in range(target.line + 1, text.count("\n", 0, target.span.end) + 2)
    }
    for number, node in enumerate(ast.walk(ast.parse(text))):
        if (owner := owners.get(getattr(node, "lineno", 0))) is not None:
            yield owner, number


def spoilt(text: str, number: int) -> str | None:
    """The text with a bug at a node; None where none can be planted."""
    tree = ast.parse(text)
    return ast.unparse(tree) if _spoil(list(ast.walk(tree))[number]) else None


def _spoil(node: ast.AST) -> bool:
    """Put the bug in, if there is one for a node of this kind."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            node.ops = [SWAPPED[type(operator)]()]  # type: ignore[list-item]
        case ast.BoolOp() | ast.BinOp() if type(node.op) in SWAPPED:
            node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
        case ast.Constant(value) if isinstance(value, bool):
            node.value = not value
        case ast.Constant(value) if isinstance(value, int):
            node.value = value + 1
        case ast.If(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.expr()):
            node.value = ast.Constant(None)
        case _:
            return False
    return True


def failing_in(root: Path, python: str) -> tuple[str, ...]:
    """The tests that fail, by their node ids without parameters."""
    command = [python, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts="]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return ()
    named = [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    return tuple(dict.fromkeys(name.partition("[")[0] for name in named if "::" in name))


def cases_of(project: Path, python: str, count: int, chance: random.Random, scratch: Path) -> Iterator[Case]:
    """Plant bugs in copies of a project until so many make a test fail that did not."""
    before = set(failing_in(project, python))
    modules = [path for path in sorted(project.rglob("*.py")) if not is_of_tests(str(path.relative_to(project)))]
    kept = [path for path in modules if not any(part in ("docs", "scripts") for part in path.parts)]
    bugs = [(path, *place) for path in kept for place in places(path.read_text(encoding="utf-8"))]
    chance.shuffle(bugs)
    for number, (path, qualname, node) in enumerate(bugs):
        text = spoilt(path.read_text(encoding="utf-8"), node)
        if count == 0:
            return
        if text is None:
            continue
        root = scratch / f"{project.name}-{number}"
        shutil.copytree(project, root, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
        relative = path.relative_to(project)
        (root / relative).write_text(text, encoding="utf-8")
        failing = tuple(test for test in failing_in(root, python) if test not in before)
        if failing:
            count -= 1
            yield Case(root=root, path=relative.as_posix(), qualname=qualname, failing=failing)
        else:
            shutil.rmtree(root)


def cases_of_quixbugs(data: Path, python: str, scratch: Path) -> Iterator[Case]:
    """The programs of QuixBugs whose tests fail without an end to wait for."""
    for row in map(json.loads, data.read_text(encoding="utf-8").splitlines()):
        root = scratch / row["name"]
        root.mkdir()
        path = write_project(row, root)
        (root / "pyproject.toml").write_text("[project]\nname = 'case'\n")
        failing = failing_in(root, python)
        if failing:
            yield Case(root=root, path=path.name, qualname=row["entry_point"], failing=failing)


async def rank_of(case: Case, test: str, python: str) -> tuple[int | None, bool]:
    """At which place the function with the bug comes for a test, from 1, and whether it is named."""
    stage = Stage(
        root=case.root,
        texts={},
        interpreter=await find_interpreter(case.root, chosen=python, environ=os.environ),
        executor=LocalExecutor(SandboxOptions()),
        options=TestOptions(),
    )
    found = await locate(stage, test)
    order = [(one.path, one.target.qualname) for one in found.suspects]
    wanted = (case.path, case.qualname)
    named = wanted in [(one.path, one.target.qualname) for one in (found.suspect, *found.others)]
    return (order.index(wanted) + 1 if wanted in order else None), named


def main() -> None:
    """Plant, locate and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", type=Path)
    parser.add_argument("--interpreter", default=sys.executable)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="quixbugs.jsonl")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as place:
        sources = {
            project.name: partial(
                cases_of, project.resolve(), arguments.interpreter, arguments.cases, chance, Path(place)
            )
            for project in arguments.projects
        }
        if arguments.data is not None:
            sources["quixbugs"] = partial(cases_of_quixbugs, arguments.data, arguments.interpreter, Path(place))
        for name, cases in sources.items():
            counted: Counter[str] = Counter()
            for case in cases():
                test = chance.choice(case.failing)
                try:
                    rank, named = anyio.run(rank_of, case, test, arguments.interpreter)
                except BadRequest as error:
                    print(f"  {case.path}::{case.qualname}: {test}: {error}", flush=True)
                    rank, named = None, False
                print(f"  {case.path}::{case.qualname}: {test}: {rank}", flush=True)
                counted.update(
                    {"cases": 1, "top-1": rank == 1, "top-3": rank is not None and rank <= 3, "named": named}
                )
            print(f"{name}: " + ", ".join(f"{word} {number}" for word, number in counted.items()), flush=True)


if __name__ == "__main__":
    main()
