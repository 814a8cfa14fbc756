"""Bugs for `real_projects.py`, put by a seed into functions of projects that nobody has looked at.

    python tests/benchmarks/put_in.py --clones FOLDER [--seed 0] [--each 6] > FACTS.jsonl
    python tests/benchmarks/real_projects.py --facts FACTS.jsonl --clones FOLDER --cache FOLDER --measure builtin

FOLDER of `--clones` has the repositories as `owner+name`, bare or not. In the newest commit of each, as many functions
as `--each` says are drawn from those that a test file names, and one place of each is changed: another comparison,
operator, connective, constant or variable, a `not` or a call left out, two arguments exchanged, a statement that only
calls something left out. The kinds are drawn as often as places for them occur, and know nothing of the repair's
templates. Bugs that no test notices are counted as unusable by `real_projects.py`.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: (" is ", " is not "), ast.IsNot: (" is not ", " is "),
    ast.In: (" in ", " not in "), ast.NotIn: (" not in ", " in "),
}  # fmt: skip
OPERATORS = {
    ast.Add: (" + ", " - "), ast.Sub: (" - ", " + "), ast.Mult: (" * ", " / "),
    ast.FloorDiv: (" // ", " / "), ast.Mod: (" % ", " // "),
}  # fmt: skip
CALLS = frozenset({"abs", "int", "len", "list", "max", "min", "sorted", "str", "tuple"})
ASIDE = frozenset({"benchmark", "benchmarks", "dev", "docs", "examples", "performance", "scripts", "test", "tests"})
MAX_LINES = 80

Bug = tuple[int, str, str, str]
"""A line, what stands once in it, what takes its place, and the kind of bug."""


def main() -> None:
    """Print the facts, one line of JSON each."""
    parser = argparse.ArgumentParser(description="Put bugs into projects by a seed.")
    parser.add_argument("--clones", required=True, type=Path, help="folder of clones named owner+name, bare or not")
    parser.add_argument("--seed", default=0, type=int, help="seed of the draws")
    parser.add_argument("--each", default=6, type=int, help="number of bugs for each project")
    arguments = parser.parse_args()
    draws = random.Random(arguments.seed)
    for clone in sorted(arguments.clones.iterdir()):
        commit = git(clone, "rev-parse", "HEAD").strip()
        for fact in drawn(clone, draws, arguments.each):
            print(json.dumps({"repo": clone.name.replace("+", "/"), "commit": commit, **fact}))


def drawn(clone: Path, draws: random.Random, most: int) -> Iterator[dict[str, object]]:
    """Yield the facts of bugs in so many functions of a clone."""
    names = [name for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD").splitlines() if name.endswith(".py")]
    tests = {name: git(clone, "show", f"HEAD:{name}") for name in names if "test" in name}
    found = []
    for name in names:
        if name in tests or not ASIDE.isdisjoint(Path(name).parts) or Path(name).name == "setup.py":
            continue
        text = git(clone, "show", f"HEAD:{name}")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        for qualname, function in functions(tree):
            bugs = sorted(set(bugs_in(function, text.splitlines(), draws)))
            naming = [test for test, source in tests.items() if is_named(qualname, source)]
            if bugs and naming:
                found.append((name, qualname, bugs, naming))
    draws.shuffle(found)
    for name, qualname, bugs, naming in found[:most]:
        line, before, after, kind = draws.choice(bugs)
        bug = {"line": line, "before": before, "after": after, "kind": kind}
        yield {"file": name, "function": qualname, **bug, "tests": sorted(naming)[:4]}


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module and the methods of its classes without decorators, with their names."""
    for node in tree.body:
        methods = node.body if isinstance(node, ast.ClassDef) else [node]
        for each in methods:
            if not isinstance(each, ast.FunctionDef) or each.decorator_list:
                continue
            is_short = (each.end_lineno or each.lineno) - each.lineno <= MAX_LINES
            if is_short and (each.name == "__init__" or not each.name.startswith("__")):
                yield (f"{node.name}.{each.name}" if isinstance(node, ast.ClassDef) else each.name), each


def is_named(qualname: str, source: str) -> bool:
    """True if a test names a function, or the class of a method."""
    owner, _, name = qualname.rpartition(".")
    return (bool(owner) and owner in source) or (name != "__init__" and name in source)


def bugs_in(function: ast.FunctionDef, lines: list[str], draws: random.Random) -> Iterator[Bug]:
    """Yield the bugs that can be put into a function."""
    parameters = [each.arg for each in function.args.args if each.arg not in ("self", "cls")]
    for node in ast.walk(function):
        if not isinstance(node, (ast.expr, ast.stmt)) or node.lineno != node.end_lineno:
            continue
        line = lines[node.lineno - 1]
        for before, after, kind in (*of_operators(node), *of_calls(node, line), *of_names(node, parameters, draws)):
            if line.count(before) == 1 and before != after:
                yield node.lineno, before, after, kind


def of_operators(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield what stands at an operator or a constant, what takes its place, and the kind."""
    match node:
        case ast.Compare(ops=[operator]):
            yield *COMPARISONS[type(operator)], "wrong comparison"
        case ast.BinOp(op=operation) if type(operation) in OPERATORS:
            yield *OPERATORS[type(operation)], "wrong operator"
        case ast.BoolOp(op=ast.And()):
            yield " and ", " or ", "wrong connective"
        case ast.BoolOp(op=ast.Or()):
            yield " or ", " and ", "wrong connective"
        case ast.UnaryOp(op=ast.Not()):
            yield "not ", "", "lost not"
        case ast.Constant(value=bool(value)):
            yield str(value), str(not value), "wrong constant"
        case ast.Constant(value=int(value)):
            yield str(value), str(value + 1), "wrong constant"


def of_calls(node: ast.AST, line: str) -> Iterator[tuple[str, str, str]]:
    """Yield what stands at a call, what takes its place, and the kind."""

    def text(first: ast.expr, last: ast.expr) -> str:
        return line.encode()[first.col_offset : last.end_col_offset].decode()

    match node:
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in CALLS:
            yield text(node, node), text(argument, argument), "lost call"
        case ast.Call(args=[first, second], keywords=[]):
            yield text(first, second), f"{text(second, second)}, {text(first, first)}", "exchanged arguments"
        case ast.Expr(value=ast.Call()):
            yield line.strip(), "pass", "lost statement"


def of_names(node: ast.AST, parameters: list[str], draws: random.Random) -> Iterator[tuple[str, str, str]]:
    """Yield another parameter in the place of one."""
    others = [each for each in parameters if isinstance(node, ast.Name) and each != node.id]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in parameters and others:
        yield node.id, draws.choice(others), "wrong variable"


def git(clone: Path, *arguments: str) -> str:
    """Return what git prints about a clone."""
    done = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", errors="replace")


if __name__ == "__main__":
    main()
