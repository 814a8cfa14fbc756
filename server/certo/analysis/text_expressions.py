"""Expressions that make text, and the names in them: what is put together, changed or called."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final, TypeAlias

from certo.analysis.introspection import FRAMES
from certo.analysis.scopes import imported

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

MODULES = frozenset({"os", "sys", "builtins", "importlib", "subprocess", "ctypes", "gc"})
"""Modules that others have as attributes; by name they would be had unseen."""

_SPECIAL = FRAMES | MODULES

_MAX_TIMES: Final = 80
"""How often a constant text may be repeated and still be a part of a name."""


def is_put_together(name: ast.expr) -> bool:
    """True if an expression makes a name that could be a dangerous one; `"visit_" + kind` cannot."""
    match name:
        case ast.Constant() | ast.Name() | ast.Attribute():
            return False
        case ast.BinOp(op=ast.Add()) | ast.JoinedStr():
            return not is_harmless(operands(name))
        case _:
            return True


def folded(node: ast.expr) -> str | None:
    """Return the text that constants put together make, or None where there is more to it."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.BinOp):
        return None
    first, second = folded(node.left), folded(node.right)
    if isinstance(node.op, ast.Add):
        return None if first is None or second is None else first + second
    if not isinstance(node.op, ast.Mult):
        return None
    text, times = (first, node.right) if second is None else (second, node.left)
    if text is None or not isinstance(times, ast.Constant) or not isinstance(times.value, int):
        return None
    return text * times.value if times.value <= _MAX_TIMES else None


def operands(node: ast.expr) -> list[ast.expr]:
    """Return what a sum or an f-string puts together, in order."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*operands(left), *operands(right)]
        case ast.JoinedStr(values=values):
            return values
        case _:
            return [node]


def is_harmless(parts: list[ast.expr]) -> bool:
    """True if what is put together begins or ends as no dangerous name does."""
    first, last = (text_of(each) for each in (parts[0], parts[-1])) if parts else ("", "")
    begins = first not in ("", "_") and first[:2] != "__" and not any(each.startswith(first) for each in _SPECIAL)
    ends = bool(last) and last[-1] != "_" and not any(each.endswith(last) for each in _SPECIAL)
    return begins or ends or any(is_no_name(text_of(each)) for each in parts)


def text_of(node: ast.AST) -> str:
    """Return the text of a constant; an empty one of anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def makes_characters(node: ast.AST) -> bool:
    """True if a format turns numbers into characters."""
    texts = [text_of(each) for each in ast.walk(node)]
    return any("%c" in text or text.endswith("c") or "c}" in text for text in texts)


def mentioned(node: ast.AST) -> str:
    """Return the name of a variable or an attribute; an empty text for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def is_no_name(text: str) -> bool:
    """True if a text has a character that stands in no dotted name."""
    return not all(each.isalnum() or each in "_." for each in text)


def is_recased(parts: list[ast.expr]) -> bool:
    """True if a text is put together of its own first letter and its own rest, as in `n[0].upper() + n[1:]`."""
    if len(parts) != 2 or not all(map(_cut_from, parts)):
        return False
    (first, _), (rest, is_rest) = (_cut_from(each) or ("", False) for each in parts)
    return first == rest and is_rest


def _cut_from(part: ast.expr) -> tuple[str, bool] | None:
    """Return what a first letter (or all but that) is cut from, and whether it is the latter."""
    match part:
        case ast.FormattedValue(value=inner) | ast.Call(func=ast.Attribute(value=inner), args=[]):
            return _cut_from(inner)
        case ast.Subscript(value=whole, slice=ast.Constant(value=0)):
            return ast.dump(whole), False
        case ast.Subscript(value=whole, slice=ast.Slice(lower=None, upper=ast.Constant(value=1), step=None)):
            return ast.dump(whole), False
        case ast.Subscript(value=whole, slice=ast.Slice(lower=ast.Constant(value=1), upper=None, step=None)):
            return ast.dump(whole), True
        case _:
            return None


def called(node: ast.AST) -> str:
    """Return the name of what a call calls; an empty text for anything else."""
    return mentioned(node.func) if isinstance(node, ast.Call) else ""


def root_of(node: ast.AST) -> str:
    """Return the variable that a dotted name begins with; an empty text for anything else."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def names_after_root(node: ast.expr) -> list[str]:
    """Return the attributes of a dotted name, in order."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return names


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """Return the expressions that a call hands over."""
    return [*call.args, *(each.value for each in call.keywords)]


def classified(node: ast.expr) -> ast.expr | None:
    """Return the object of which an expression is the class; None if it is none."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[inner]) | ast.Attribute(value=inner, attr="__class__"):
            return inner
        case _:
            return None


def named_functions(nodes: list[ast.AST]) -> Iterator[tuple[str, FunctionNode]]:
    """Yield the functions among some nodes, each under the name that it is called by."""
    for each in nodes:
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, each
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                yield name, function
            case _:
                continue


def identifiers(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives to something; a program can have them as text."""
    yield from names_bound(node)
    match node:
        case ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name
        case _:
            return


def names_bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds to something of the function's own; what is imported is not."""
    match node:
        case ast.Name(id=str(name), ctx=ast.Store() | ast.Del()) | ast.arg(arg=str(name)):
            yield name
        case ast.FunctionDef(name=str(name)) | ast.AsyncFunctionDef(name=str(name)) | ast.ClassDef(name=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            return


def names_of_library(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that some nodes import from Python's own library, each with what it means there."""
    for each in nodes:
        if isinstance(each, ast.Import | ast.ImportFrom):
            for name, dotted, _ in imported(each):
                if dotted.partition(".")[0] in sys.stdlib_module_names:
                    yield name, dotted
