"""Near misses of a true fix: texts with one change to it that fail a test which the fix passes."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator

from real.cases import Case, same_code
from real.suite import Suite, function_node

TRIED = 12
"""Changes that are run on the tests; those that the fewest tests notice are the near misses."""

COMPARISONS: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult}


def compare(node: ast.AST) -> bool:
    """Change the first comparison of a chain."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
        return True
    return False


def calculate(node: ast.AST) -> bool:
    """Change an operator of arithmetic."""
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in ARITHMETIC:
        node.op = ARITHMETIC[type(node.op)]()
        return True
    return False


def connect(node: ast.AST) -> bool:
    """Change `and` to `or`, and the other way round."""
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return True
    return False


def decide(node: ast.AST) -> bool:
    """Negate a condition."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return True
    return False


def count(node: ast.AST) -> bool:
    """Change a number or a truth value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
        return True
    return False


def write(node: ast.AST) -> bool:
    """Change a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        node.value = node.value[1:]
        return True
    return False


def forget(node: ast.AST) -> bool:
    """Leave out the last statement of a block."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and not isinstance(body[-1], ast.Pass):
        body[-1] = ast.copy_location(ast.Pass(), body[-1])
        return True
    return False


def give(node: ast.AST) -> bool:
    """Return nothing."""
    if isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.Constant(None)
        return True
    return False


CHANGES: tuple[Callable[[ast.AST], bool], ...] = (compare, calculate, connect, decide, count, write, forget, give)


def changed(case: Case) -> Iterator[str]:
    """Yield sources of the function with one change each, in an order that depends on the fix's name only."""
    node = function_node(case.fixed, case.fix)
    docstring = node.body[0] if ast.get_docstring(node) is not None else None
    kept = {id(each) for each in ast.walk(docstring)} if docstring is not None else set()
    kept |= {id(each) for part in (node.args, *node.decorator_list) for each in ast.walk(part)}
    places = [
        (index, change)
        for index, each in enumerate(ast.walk(node))
        if id(each) not in kept and each is not docstring
        for change in CHANGES
    ]
    places.sort(key=lambda one: hashlib.sha256(f"{case.fix.name} {one[0]} {one[1].__name__}".encode()).digest())
    indentation = " " * node.col_offset
    for index, change in places:
        made = copy.deepcopy(node)
        if change(list(ast.walk(made))[index]):
            lines = ast.unparse(ast.fix_missing_locations(made)).splitlines()
            yield "\n".join(lines[:1] + [indentation + line if line else line for line in lines[1:]])


def near_misses(case: Case, suite: Suite, reaching: tuple[str, ...]) -> list[str]:
    """Return changed sources that fail a reaching test, those that the fewest tests notice first."""
    seen: list[str] = []
    noticed: list[tuple[int, str]] = []
    for source in changed(case):
        text = case.with_source(source)
        if same_code(text, case.broken) or same_code(text, case.fixed) or any(same_code(text, each) for each in seen):
            continue
        seen.append(text)
        run = suite.run(text, reaching, seconds=60.0)
        failing = set(reaching) - run.passed if run is not None else set()
        if failing:
            noticed.append((len(failing), source))
        if len(seen) >= TRIED:
            break
    return [source for _, source in sorted(noticed)]
