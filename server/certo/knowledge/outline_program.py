"""Program that outlines Python files: the purpose of each and its definitions.

It runs in the sandbox under certo's own interpreter and reports piece by piece, so that its results are usable even if
it is stopped for taking too long.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

MAX_BYTES = 1024 * 1024
"""Maximum size of a file; larger ones are generated code or data."""

MAX_SYMBOLS = 40
"""Maximum number of definitions reported per file, public ones first."""

MAX_CHARACTERS = 160
"""Maximum length of a signature or sentence."""

_AT_ONCE = 25
"""Number of files per message."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def main(request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Outline the files `paths`, relative to the working directory, in this order.

    Messages have a list `files`, each with its `path`, the `hash` of its bytes and its `outline`, which is None if the
    hash equals the one in `known`. Unreadable files are left out.
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
    """Return the purpose (`doc`) and definitions (`symbols`) of a Python file, and if it can be run (`is_main`)."""
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
    """Yield the functions, classes and methods of a module in the order of the text."""
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
    """Return a function by its signature; default values are left out, since they may be long or secret."""
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
    """True if a name is private; Python's own double-underscore names are not."""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def _asks_for_main(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and any(isinstance(other, ast.Constant) and other.value == "__main__" for other in test.comparators)
    )
