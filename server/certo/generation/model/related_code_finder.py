"""Program that finds code related to a function in its project by static analysis: jedi runs none of it.

It runs in the sandbox under certo's interpreter and reports each result at once, the nearest first, so that the results
so far are usable if it is stopped.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MAX_CHARACTERS = 2500
"""Maximum length of a definition that is shown."""

AROUND = 3
"""Number of lines shown on either side of a call."""

_FOREIGN = {"site-packages", "node_modules", "__pycache__", "venv", "env"}


def main(request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Search for the definitions that the target uses, then for its calls.

    `request` has the project's `root`, the document's `path` and `text`, the target's `first` and `last` line, the
    `line` and `column` of its name (1-based, 0-based), and paths that are `shown` elsewhere. Each result has a `kind`
    ("definition" or "call"), `path`, `line` and `code`.
    """
    root = Path(request["root"])
    # The project's directory is first on the path, and a module of its own could be imported in jedi's place.
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".") != root]
    jedi: Any = importlib.import_module("jedi")
    jedi.settings.auto_import_modules = []
    _keep_no_cache()
    project = jedi.Project(root, sys_path=[*map(str, (root, root / "src")), *sys.path], smart_sys_path=False)
    environment = jedi.api.environment.InterpreterEnvironment()
    script = jedi.Script(request["text"], path=root / request["path"], project=project, environment=environment)
    places = _Places(root, {request["path"]})
    for name in _used(script, request):
        for definition in name.goto(follow_imports=True, follow_builtin_imports=False):
            found = places.definition(definition)
            if found is not None:
                tell({"kind": "definition", **found})
    places = _Places(root, set(request["shown"]))
    for reference in script.get_references(request["line"], request["column"], scope="project"):
        found = places.call(reference)
        if found is not None:
            tell({"kind": "call", **found})


def _keep_no_cache() -> None:
    """Keep jedi's parser cache in memory only: the sandbox's disk is discarded."""
    grammar: Any = importlib.import_module("parso.grammar")
    keep = grammar.try_to_save_module
    grammar.try_to_save_module = lambda *told, **named: keep(*told, **{**named, "pickling": False})


def _used(script: Any, request: dict[str, Any]) -> Iterator[Any]:
    """Yield the names used in the target, each once."""
    seen: set[str] = set()
    for name in script.get_names(all_scopes=True, definitions=False, references=True):
        if request["first"] <= name.line <= request["last"] and name.name not in seen:
            seen.add(name.name)
            yield name


class _Places:
    """Places in files of the project, each shown once, and none in the files that are `known`."""

    def __init__(self, root: Path, known: set[str]) -> None:
        self._root = root
        self._known = known
        self._shown: set[tuple[str, int]] = set()

    def definition(self, name: Any) -> dict[str, Any] | None:
        """Return a function, class or module-level value with its code; None for anything else."""
        if name.type not in {"function", "class", "statement"}:
            return None
        start, end = name.get_definition_start_position(), name.get_definition_end_position()
        found = self._found(name, start[0] if start else None)
        if found is None or end is None:
            return None
        lines = found.pop("lines")[start[0] - 1 : end[0]]
        code = "\n".join(lines)
        return {**found, "code": code if len(code) <= MAX_CHARACTERS else _without_bodies(code)[:MAX_CHARACTERS]}

    def call(self, name: Any) -> dict[str, Any] | None:
        """Return a call of the target with surrounding lines; None for its definition and imports."""
        if name.is_definition() or name.line is None:
            return None
        found = self._found(name, name.line)
        if found is None:
            return None
        lines = found.pop("lines")
        if lines[name.line - 1].lstrip().startswith(("import ", "from ")):
            return None
        # Calls close to each other are shown together.
        self._shown |= {(found["path"], near) for near in range(name.line, name.line + AROUND + 1)}
        return {**found, "code": "\n".join(lines[max(0, name.line - 1 - AROUND) : name.line + AROUND])}

    def _found(self, name: Any, line: int | None) -> dict[str, Any] | None:
        """Return the file of a name and its lines, unless it is foreign, known or shown already."""
        if line is None or name.module_path is None or not _is_below(name.module_path, self._root):
            return None
        inside = name.module_path.relative_to(self._root)
        path = inside.as_posix()
        if _FOREIGN & set(inside.parts) or path in self._known or (path, line) in self._shown:
            return None
        try:
            lines = name.module_path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return None
        if line > len(lines):
            return None
        self._shown.add((path, line))
        return {"path": path, "line": line, "lines": lines}


def _without_bodies(code: str) -> str:
    """Return a long class or function with `...` for the bodies of its inner definitions."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = node.body[:1] if ast.get_docstring(node) else []
            node.body = [*docstring, ast.Expr(ast.Constant(...))]
    return ast.unparse(tree)


def _is_below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents
