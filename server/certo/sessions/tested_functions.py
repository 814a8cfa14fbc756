"""Functions that a test calls by name, read from its text; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from certo.sessions.assembly.problem_statement import ResolvedRequest


def tested_functions(resolved: ResolvedRequest) -> list[str]:
    """Return the functions of the project that the target calls, as `FILE::NAME`, in the order of their calls."""
    text, target = resolved.request.text, resolved.target
    tree = ast.parse(text)
    imported = dict(_imported(tree, resolved))
    lines = range(target.line, text.count("\n", 0, target.span.end) + 2)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.lineno in lines]
    names = [ast.unparse(call.func) for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset))]
    return list(dict.fromkeys(imported[name] for name in names if name in imported))


def _imported(tree: ast.Module, resolved: ResolvedRequest) -> Iterator[tuple[str, str]]:
    """Yield the functions that a file imports from the project, as its code calls them and as `FILE::NAME`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            functions = _functions_of(node.module, resolved)
            for each in node.names:
                if each.name in functions:
                    yield each.asname or each.name, functions[each.name]
        elif isinstance(node, ast.Import):
            for each in node.names:
                for name, function in _functions_of(each.name, resolved).items():
                    yield f"{each.asname or each.name}.{name}", function


def _functions_of(module: str, resolved: ResolvedRequest) -> dict[str, str]:
    """Return the functions that a module of the project defines, each with its `FILE::NAME`; none of other modules."""
    for folder in (Path(resolved.path).parent, Path(), Path("src")):
        path = folder.joinpath(*module.split(".")).with_suffix(".py")
        with suppress(OSError, SyntaxError, ValueError):
            tree = ast.parse((resolved.root / path).read_bytes())
            names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
            return {name: f"{path.as_posix()}::{name}" for name in names}
    return {}
