"""Templates for exceptions: another one is caught or raised than should be, or none is where one should."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from typing import Dict, FrozenSet, Iterator, List, Tuple

from certo_builtin.execution.unasked_values import is_exception, parts_of_module
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Edit

COMMON_EXCEPTIONS = (
    "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "ZeroDivisionError", "StopIteration",
    "LookupError", "ArithmeticError", "OSError", "RuntimeError", "NotImplementedError",
)  # fmt: skip
"""The most common exceptions."""

OBSERVED = 4.0
"""Weight of an exception that a failing check raises or names, relative to any other."""


def caught(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield handlers for another exception, or for one more."""
    if not isinstance(node, ast.ExceptHandler) or node.type is None:
        return
    old = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    texts = [context.text(one) for one in old]
    for name, weight in _exceptions(context, context.raised).items():
        if name not in texts:
            if len(old) == 1:
                yield Change(context.swap(node.type, name), weight)
            yield Change(context.swap(node.type, "({})".format(", ".join([*texts, name]))), 0.6 * weight)


def raised(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield another exception with the same arguments, and one for a `raise` that has nothing to raise."""
    if not isinstance(node, ast.Raise):
        return
    if node.exc is None:
        if not _in_handler(context, node):
            for text, weight in failures(context, node):
                yield Change(context.swap(node, text), weight)
        return
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    text = context.text(kind)
    if is_exception(resolved(context, text)):
        for name, weight in {**_members(context, text), **_exceptions(context, context.expected)}.items():
            if name != text:
                yield Change(context.swap(kind, name), weight)


def _in_handler(context: RepairContext, node: ast.AST) -> bool:
    while not isinstance(node, (*FUNCTIONS, ast.Module)):
        if isinstance(node, ast.ExceptHandler):
            return True
        node = context.parent(node)
    return False


def _members(context: RepairContext, text: str) -> Dict[str, float]:
    """Return the other exceptions of the module that an exception is taken from, as in `errors.NotFound`."""
    owner, dot, _ = text.rpartition(".")
    module = resolved(context, owner) if dot else None
    names = [name for name, value in parts_of_module(module).items() if is_exception(value)]
    return {"{}.{}".format(owner, name): 1.0 for name in names}


def _exceptions(context: RepairContext, observed: object) -> Dict[str, float]:
    """Return the exceptions known to the target: the observed ones, common ones and the project's own."""
    own = [name for name, value in context.scope.items() if is_exception(value) and name not in COMMON_EXCEPTIONS]
    found = dict.fromkeys((*COMMON_EXCEPTIONS, *own), 1.0)
    if isinstance(observed, (list, tuple)):
        found.update({name: OBSERVED for name in observed if _is_exception(context, name)})
    return found


def resolved(context: RepairContext, text: str) -> object:
    """Return the value of a global or of a part of a module, such as `errors.NotFound`; None if it is neither."""
    first, *rest = text.split(".")
    value = context.scope.get(first, getattr(builtins, first, None))
    for name in rest:
        value = parts_of_module(value).get(name)
    return value


def _is_exception(context: RepairContext, name: str) -> bool:
    return is_exception(resolved(context, name))


def failures(context: RepairContext, node: ast.AST) -> List[Tuple[str, float]]:
    """Return statements that raise what the failing checks expect, with the module's own words if it has some."""
    found: Dict[str, float] = {}
    visible = {*context.names(node), *context.scope, *dir(builtins)}
    for text, kind, names in _raises(context):
        if kind in context.expected and names <= visible:
            found[text] = 1.0
    for name in context.expected:
        if not any(text.startswith("raise {}(".format(name)) for text in found):
            found["raise " + name] = 1.0
    return list(found.items())


@lru_cache(maxsize=4)
def _raises(context: RepairContext) -> List[Tuple[str, str, FrozenSet[str]]]:
    """Return the one-line statements of the module that raise an exception: text, exception, names read."""
    found = []
    for node in context.within(context.source.tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            text = context.text(node)
            if "\n" not in text and node.cause is None:
                names = frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
                found.append((text, context.text(node.exc.func), names))
    return found


def unhandled(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield handlers around a statement for the exception that ended a failing check."""
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)):
        return
    if not context.raised or not context.owns_lines(node):
        return
    indent, step, newline = context.indentation(node), context.step(), context.source.newline
    text = context.source.text[context.line_start(node) : context.line_end(node)]
    if not text.endswith(newline):
        return
    body = "".join(step + line if line.strip() else line for line in text.splitlines(True))
    for kind in context.raised:
        if not _is_exception(context, kind):
            continue
        actions = [("pass", 1.0)] if not isinstance(node, ast.Return) else []
        actions += [("continue", 1.0)] if context.in_loop(node) else []
        actions += [("return " + result, 0.5 * weight) for result, weight in results(context, node)]
        named = [("raise {}(str(error)) from error".format(name), OBSERVED) for name in context.expected]
        for action, weight in [*actions, *named]:
            handler = "except {}{}:".format(kind, " as error" if action.endswith("from error") else "")
            lines = [indent + "try:" + newline + body, indent + handler + newline, indent + step + action + newline]
            yield Change(((context.line_start(node), context.line_end(node), "".join(lines)),), weight)


def asserted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exceptions that a caller can expect in place of one assertion, and of all of them."""
    if not isinstance(node, ast.Assert):
        return
    own = [one for one in context.within(context.target) if isinstance(one, ast.Assert) and context.owns_lines(one)]
    for name in context.expected:
        if node in own:
            yield Change(_refusal(context, node, name))
        if len(own) > 1 and node is own[0]:
            # Who asserts what a caller gives does so throughout.
            yield Change(tuple(edit for one in own for edit in _refusal(context, one, name)))


def _refusal(context: RepairContext, node: ast.Assert, name: str) -> Tuple[Edit, ...]:
    """Return the edits that make an assertion raise an exception of that name."""
    test = context.text(node.test)
    question = test[4:] if test.startswith("not ") else "not " + test
    if not isinstance(node.test, (ast.Name, ast.Call, ast.Attribute, ast.UnaryOp)):
        question = "not ({})".format(test)
    message = "({})".format(context.text(node.msg)) if node.msg is not None else ""
    lines = ["if {}:".format(question), context.step() + "raise {}{}".format(name, message)]
    return context.swap(node, (context.source.newline + context.indentation(node)).join(lines))


TEMPLATES = (
    Template("another exception caught", 0.5, caught),
    Template("another exception raised", 0.5, raised),
    Template("an exception not handled", 0.3, unhandled),
    Template("an assertion for an error", 0.5, asserted),
)
