"""Functions of a module, with their qualified names and enclosing nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from certo.vocabulary.records import dataclass

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """One function definition; `qualname` is what its `__qualname__` will be.

    `ancestors` are the nodes it stands in, the module first.
    """

    node: Function
    qualname: str
    ancestors: tuple[ast.AST, ...]


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Yield every function definition of a module, methods and nested functions too, in the order of the text."""
    yield from _within(tree, "", (tree,))


def _within(node: ast.AST, prefix: str, ancestors: tuple[ast.AST, ...]) -> Iterator[Definition]:
    """Yield the definitions among a node's statements; expressions are left alone, as they hold none."""
    for statement in statements_in(node):
        below = (*ancestors, statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            qualname = prefix + statement.name
            yield Definition(statement, qualname, ancestors)
            yield from _within(statement, f"{qualname}.<locals>.", below)
        elif isinstance(statement, ast.ClassDef):
            yield from _within(statement, f"{prefix}{statement.name}.", below)
        else:
            yield from _within(statement, prefix, below)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, exception handlers and match cases right below a node."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        below = getattr(node, field, ())
        if isinstance(below, list):
            yield from below


_NOT_TO_BE_WRITTEN = frozenset({"abstractmethod", "abstractproperty", "overload"})


def is_hole(definition: Definition) -> bool:
    """True if the body has nothing but a docstring, `...`, `pass` and `raise NotImplementedError`.

    Abstract methods, overloads and members of a Protocol look like that for good, so they are no holes.
    """
    if any(_last_name(decorator) in _NOT_TO_BE_WRITTEN for decorator in definition.node.decorator_list):
        return False
    parent = definition.ancestors[-1]
    if isinstance(parent, ast.ClassDef) and any(_last_name(above) == "Protocol" for above in parent.bases):
        return False
    return all(_says_nothing(statement) for statement in after_docstring(definition.node))


def after_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """Return the statements of a function's body without its docstring."""
    return node.body[1:] if docstring_of(node) is not None else node.body


def docstring_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Constant | None:
    """Return the docstring's node, or None."""
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None


def _says_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass():
            return True
        case ast.Expr(ast.Constant(value)):
            return value is ...
        case ast.Raise(exc=ast.Name("NotImplementedError") | ast.Call(func=ast.Name("NotImplementedError"))):
            return True
        case _:
            return False


def _last_name(node: ast.expr) -> str:
    """Return the last part of a dotted name, whatever is called with it or subscribed: `t.Protocol[T]` is Protocol."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _last_name(inner)
        case _:
            return ""
