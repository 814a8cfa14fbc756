"""Putting a wrong version in the target's place, where its file is compiled."""

from __future__ import annotations

import ast
import sys
from functools import partial
from typing import Any, Dict

from certo_worker import overlay
from certo_worker.own_import import import_into
from certo_worker.wrong.versions import VERSION

_DECORATOR = "@certo version"
"""The name, which no program can spell, under which the target's module has its innermost decorator."""


def plant(wrong: Dict[str, Any], file: str) -> None:
    """Have the function whose `def` stands at `line` of `file` act as the version of this `kind` and `way` from now on.

    What has been imported by now stays what it is.
    """
    VERSION.kind, VERSION.way = wrong["kind"], wrong["way"]
    # Each call of the target takes one more frame for each of its own.
    sys.setrecursionlimit(3 * sys.getrecursionlimit())
    overlay.change_tree(file, partial(_decorate, line=wrong["line"]))


def _decorate(tree: ast.Module, *, line: int) -> None:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == line:
            place = node.decorator_list[-1] if node.decorator_list else node
            node.decorator_list.append(ast.copy_location(ast.Name(_DECORATOR, ast.Load()), place))
            import_into(tree, "certo_worker.wrong.versions", "falsified", _DECORATOR)
            return
