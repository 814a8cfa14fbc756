"""The program that outlines Python files by reading them: what each is for, and what it defines.

It runs in the sandbox, under the interpreter that certo has, and says what it has read bit by bit: when it is ended
for taking too long, what it has said is good.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

MAX_BYTES = 1024 * 1024
"""Larger files are generated code, or data."""

MAX_SYMBOLS = 40
"""So many definitions of a file are told, the public ones first."""

MAX_CHARACTERS = 160
"""How long a signature or a sentence is."""

_AT_ONCE = 25
"""So many files are told of together."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def main(request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Outline the files `paths`, seen from the working directory, in this order.

    Messages have a list `files`, each with its `path`, the `hash` of its bytes and its `outline`; that is None where
    the hash is the one that `known` has for the path. Files that cannot be read are left out.
    """
    known = request["known"]
    told: list[dict[str, Any]] = []
    for path in request["paths"]:
        try:
            with open(path, "rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError:
            continue
        digest = hashlib.sha256(content).hexdigest()[:32]
        told.append({"path": path, "hash": digest, "outline": None if known.get(path) == digest else outline(content)})
        if len(told) == _AT_ONCE:
            tell({"files": told})
            told = []
    tell({"files": told})


def outline(content: bytes) -> dict[str, Any]:
    """What a Python file is for (`doc`), what it defines (`symbols`), and whether it is made to be run (`is_main`)."""
    found: dict[str, Any] = {"doc": "", "symbols": [], "is_main": False}
    if len(content) > MAX_BYTES:
        return {**found, "doc": f"(larger than {MAX_BYTES // 1024} KiB)"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {**found, "doc": "(does not parse)"}
    symbols = sorted(_symbols(tree), key=lambda symbol: _is_private(symbol["name"]))
    return {
        "doc": _first_line(tree),
        "symbols": symbols[:MAX_SYMBOLS],
        "is_main": any(isinstance(statement, ast.If) and _asks_for_main(statement.test) for statement in tree.body),
    }


def _symbols(tree: ast.Module) -> Iterator[dict[str, Any]]:
    """The functions and classes of a module with the methods of these, in the order of the text."""
    for statement in tree.body:
        if isinstance(statement, Function):
            yield _symbol(statement.name, statement)
        elif isinstance(statement, ast.ClassDef):
            bases = ", ".join(map(ast.unparse, statement.bases))
            shown = f"class {statement.name}({bases})" if bases else f"class {statement.name}"
            yield {"name": statement.name, "shown": shown[:MAX_CHARACTERS], "doc": _first_line(statement)}
            for inner in statement.body:
                if isinstance(inner, Function):
                    yield _symbol(f"{statement.name}.{inner.name}", inner)


def _symbol(name: str, function: Function) -> dict[str, Any]:
    """A function by its head; what stands for a default is left out, for it may be long, or a password."""
    arguments = function.args
    arguments.defaults = [ast.Constant(...) for _ in arguments.defaults]
    arguments.kw_defaults = [None if default is None else ast.Constant(...) for default in arguments.kw_defaults]
    returned = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    shown = f"{name}({ast.unparse(arguments)}){returned}"
    return {"name": name, "shown": shown[:MAX_CHARACTERS], "doc": _first_line(function)}


def _first_line(node: ast.Module | ast.ClassDef | Function) -> str:
    text = (ast.get_docstring(node) or "").strip()
    return text.split("\n", 1)[0][:MAX_CHARACTERS]


def _is_private(name: str) -> bool:
    """Whether a name is not for others; of those with underscores, what Python itself calls is."""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def _asks_for_main(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and any(isinstance(other, ast.Constant) and other.value == "__main__" for other in test.comparators)
    )
