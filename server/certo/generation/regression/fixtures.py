"""Fixtures of pytest that make objects for the tests of one file, and the expressions that they return."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

MAX_STATEMENTS = 2
"""Maximum number of statements of a fixture that is read: an assignment and what returns its value."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def fixtures_by_expression(tree: ast.Module, outer: Iterable[ast.Module]) -> Mapping[str, str]:
    """Return the names of the fixtures that a file's tests ask for, by the expression that each of them returns.

    `outer` are the modules `conftest.py` that also hold for the file, the nearest first. Fixtures that take others, or
    live longer than one test, are left out, for a test may find their object changed.
    """
    asked = set(_asked_names(tree))
    found: dict[str, str] = {}
    seen: set[str] = set()
    for module in (tree, *outer):
        for name, expression in _fixtures(module):
            if name in asked and name not in seen and expression is not None:
                found.setdefault(expression, name)
            # A nearer fixture of this name is the one that tests get.
            seen.add(name)
    return found


def plain_expression(text: str) -> str:
    """Return an expression as `fixtures_by_expression` has it."""
    return ast.unparse(ast.parse(text, mode="eval"))


def _asked_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the arguments of all tests."""
    for node in ast.walk(tree):
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield from (argument.arg for argument in node.args.args)


def _fixtures(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """Yield the names of a module's fixtures, each with the expression that it returns if that is known."""
    names = _imported_names(tree)
    for node in tree.body:
        if isinstance(node, _Function) and any(map(_is_fixture, node.decorator_list)):
            value = _returned(node) if all(map(_is_plain, node.decorator_list)) else None
            yield node.name, ast.unparse(_Unprefixed(names).visit(value)) if value is not None else None


def _is_fixture(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called) in ("pytest.fixture", "fixture")


def _is_plain(decorator: ast.expr) -> bool:
    """True for a fixture of one test, under its function's name and without parameters."""
    return _is_fixture(decorator) and not (isinstance(decorator, ast.Call) and (decorator.keywords or decorator.args))


def _returned(node: _Function) -> ast.expr | None:
    """Return the expression for the object that a fixture makes; None if it does more than to make it."""
    given = node.args
    if isinstance(node, ast.AsyncFunctionDef) or [*given.posonlyargs, *given.args, *given.kwonlyargs]:
        return None
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not 1 <= len(body) <= MAX_STATEMENTS:
        return None
    value = _given_back(body[-1])
    if len(body) == MAX_STATEMENTS:
        first = body[0]
        is_named = isinstance(first, ast.Assign) and [ast.unparse(one) for one in first.targets] == [_name(value)]
        value = first.value if is_named and isinstance(first, ast.Assign) else None
    # A plain value is written out: a name for it says no more.
    return None if value is None or isinstance(value, ast.Constant | ast.Name) else value


def _given_back(statement: ast.stmt) -> ast.expr | None:
    """Return what a statement returns or yields."""
    if isinstance(statement, ast.Return):
        return statement.value
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
        return statement.value.value
    return None


def _name(value: ast.expr | None) -> str:
    return value.id if isinstance(value, ast.Name) else ""


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module imports, each with what it is called where it comes from; "" for a module."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update((one.asname or one.name, "") for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            # What is imported may be a module too; then the names in it are looked up there.
            found.update((one.asname or one.name, one.name) for one in node.names)
    return found


class _Unprefixed(ast.NodeTransformer):
    """Writes names as the module under test has them: without the module that they come from."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Return the last part of a name in an imported module that is written in lower case."""
        prefix = ast.unparse(node.value)
        if prefix in self._names and prefix.rpartition(".")[2].islower():
            return ast.Name(id=node.attr, ctx=ast.Load())
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the name under which another module has it."""
        return ast.Name(id=self._names.get(node.id) or node.id, ctx=ast.Load())
