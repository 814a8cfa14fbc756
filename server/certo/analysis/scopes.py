"""Name resolution: an import, a name of the file itself, or a builtin."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

Bindings: TypeAlias = dict[str, frozenset[str]]
"""Names bound in one scope, each with the dotted names of its imports; none for other bindings."""

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_OWN_SCOPE = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, str]]:
    """Yield for every name of an import: the bound name, its dotted meaning, and the imported dotted name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            yield alias.asname or root, alias.name if alias.asname else root, alias.name
        return
    # A relative import starts with a dot and so never equals an absolute module name.
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        yield alias.asname or alias.name, f"{module}.{alias.name}", f"{module}.{alias.name}"


def module_bindings(tree: ast.Module) -> Bindings:
    """Return the names bound at a module's top level."""
    return _bindings(tree.body)


def function_bindings(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Bindings:
    """Return the names bound by a function: parameters, imports, and assigned names that are not declared global."""
    body: Iterable[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
    bound = _bindings(body)
    arguments = node.args
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if each is not None:
            bound.setdefault(each.arg, frozenset())
    return bound


def class_bindings(node: ast.ClassDef) -> Bindings:
    """Return the names bound by the body of a class, which are visible only directly within it."""
    return _bindings(node.body)


def comprehension_bindings(node: Comprehension) -> Bindings:
    """Return the names bound by a comprehension, which are visible only within it."""
    return _bindings(generator.target for generator in node.generators)


def _bindings(nodes: Iterable[ast.AST]) -> Bindings:
    bound: Bindings = {}
    elsewhere: set[str] = set()
    for node in _same_scope(nodes):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name, dotted, _ in imported(node):
                bound[name] = bound.get(name, frozenset()) | {dotted}
        elif isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
        else:
            name_bound = _bound_by(node)
            if name_bound:
                bound.setdefault(name_bound, frozenset())
    # Imported names are kept even so: under another scope's name they still mean that module.
    return {name: dotted for name, dotted in bound.items() if dotted or name not in elsewhere}


def _same_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes and all below them, excluding nested scopes."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _OWN_SCOPE):
            pending.extend(ast.iter_child_nodes(node))


def _bound_by(node: ast.AST) -> str | None:
    """Return the name that a node itself binds, or None."""
    match node:
        case ast.Name(name, ast.Store() | ast.Del()):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.ExceptHandler(name=caught):
            return caught
        case ast.MatchAs(name=captured) | ast.MatchStar(name=captured) | ast.MatchMapping(rest=captured):
            return captured
        case _:
            return None
