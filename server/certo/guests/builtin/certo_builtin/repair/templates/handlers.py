"""Templates for exceptions: another one is caught or raised than should be."""

from __future__ import annotations

import ast
from typing import Iterator

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.template import Change, Template

COMMON_EXCEPTIONS = (
    "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "ZeroDivisionError", "StopIteration",
    "LookupError", "ArithmeticError", "OSError", "RuntimeError", "NotImplementedError",
)  # fmt: skip
"""The most common exceptions."""


def caught(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield handlers for another exception, or for one more."""
    if not isinstance(node, ast.ExceptHandler) or node.type is None:
        return
    old = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    texts = [context.text(one) for one in old]
    for name in COMMON_EXCEPTIONS:
        if name not in texts:
            if len(old) == 1:
                yield Change(context.swap(node.type, name))
            yield Change(context.swap(node.type, "({})".format(", ".join([*texts, name]))), 0.6)


def raised(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield another exception with the same arguments."""
    if isinstance(node, ast.Raise) and node.exc is not None:
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(kind, ast.Name) and kind.id in COMMON_EXCEPTIONS:
            for name in COMMON_EXCEPTIONS:
                if name != kind.id:
                    yield Change(context.swap(kind, name))


TEMPLATES = (Template("another exception caught", 0.5, caught), Template("another exception raised", 0.5, raised))
