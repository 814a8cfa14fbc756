"""Program that finds the definitions and the calls of a name in a project by reading it; nothing of the project runs.

It runs in the sandbox under certo's interpreter.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from certo.generation.model.name_resolution import Module, Modules
from certo.generation.model.related_code_finder import AROUND, MAX_CHARACTERS, containing, python_files, without_bodies

MAX_FOUND = 40
"""Maximum number of places that are reported."""

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Place = tuple[int, str]
"""A line and the code to show of it."""


def main(request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Report each place with its `path`, `line` and `code`.

    `request` has the project's `root`, the `texts` of unsaved files by path, the `name`, dotted or not, and what is
    `wanted`: "definitions" or "calls". A call of a dotted name is one of its last part.
    """
    root, name = Path(request["root"]), request["name"]
    modules = Modules(root, {root / path: text for path, text in request["texts"].items()})
    look = _definitions if request["wanted"] == "definitions" else _calls
    told = 0
    paths = sorted({*python_files(root), *modules.texts})
    for module in containing(modules, paths, name.rpartition(".")[2]):
        for line, code in look(module, name):
            tell({"path": module.path.relative_to(root).as_posix(), "line": line, "code": code})
            told += 1
            if told == MAX_FOUND:
                return


def _definitions(module: Module, name: str) -> Iterator[_Place]:
    """Yield functions and classes of a name, and assignments to it outside of functions."""
    for node, qualname in _defined(module.tree.body, ""):
        if qualname == name or qualname.endswith(f".{name}"):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            code = "\n".join(module.lines[first - 1 : node.end_lineno])
            yield node.lineno, code if len(code) <= MAX_CHARACTERS else without_bodies(code)[:MAX_CHARACTERS]


def _defined(body: list[ast.stmt], outer: str) -> Iterator[tuple[ast.stmt, str]]:
    for node in body:
        if isinstance(node, _Defined):
            yield node, outer + node.name
            yield from _defined(node.body, f"{outer}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((node, outer + each.id) for each in targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _defined([each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)], outer)


def _calls(module: Module, name: str) -> Iterator[_Place]:
    """Yield calls of a name, with the lines around; those close to each other once."""
    last, shown_until = name.rpartition(".")[2], 0
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    for line in sorted({node.lineno for node in calls if _name_of(node.func) == last}):
        if line > shown_until:
            shown_until = line + AROUND
            yield line, "\n".join(module.lines[max(0, line - 1 - AROUND) : shown_until])


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""
