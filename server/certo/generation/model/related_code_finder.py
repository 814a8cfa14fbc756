"""Program that finds code related to a function in its project by reading it; nothing of the project runs.

It runs in the sandbox under certo's interpreter and reports each result at once, the nearest first, so that the results
so far are usable if it is stopped.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from certo.generation.model.name_resolution import (
    MAX_BYTES,
    Definition,
    Found,
    Module,
    Modules,
    Resolver,
    Scope,
    scopes,
)

MAX_CHARACTERS = 2500
"""Maximum length of a definition that is shown."""

AROUND = 3
"""Number of lines shown on either side of a call."""

_MAX_CALLS = 30
"""Number of calls that are reported; the nearest fill a prompt."""

_MAX_FILES = 20_000
"""Number of files among which calls are looked for."""

_Target = tuple[Definition | None, ast.ClassDef | None]
"""The function whose calls are looked for, and the class it is a method of."""

_FOREIGN = {"site-packages", "node_modules", "__pycache__", "venv", "env"}


def main(request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Search for the definitions that the target uses, then for its calls.

    `request` has the project's `root`, the document's `path` and `text`, the unsaved `texts` of others by path, the
    target's `first` and `last` line, the `line` of its name (1-based) and its `name`. Each result has a `kind`
    ("definition" or "call"), `path`, `line` and `code`.
    """
    root = Path(request["root"])
    texts = {**request["texts"], request["path"]: request["text"]}
    modules = Modules(root, {root / path: text for path, text in texts.items()})
    document = modules.at(root / request["path"])
    if document is None:
        return
    resolver = Resolver(modules)
    places = _Places(root, document)
    for found in _used(document, resolver, request["first"], request["last"]):
        shown = places.definition(found)
        if shown is not None:
            tell({"kind": "definition", **shown})
    target, told = _target(document, request["line"]), 0
    for module in _mentioning(modules, document.path, request["name"]):
        for line in sorted(_calls(module, resolver, request["name"], document, target)):
            call = places.call(module, line)
            if call is not None and told < _MAX_CALLS:
                told += 1
                tell({"kind": "call", **call})
        if told == _MAX_CALLS:
            return


def _used(document: Module, resolver: Resolver, first: int, last: int) -> Iterator[Found]:
    """Yield the definitions that the names between two lines lead to, in the order of the names."""
    names = [
        (node, scope)
        for node, scope in scopes(document)
        if isinstance(node, ast.Name | ast.Attribute) and first <= node.lineno <= last
    ]
    for node, scope in sorted(names, key=lambda each: _end(each[0])):
        found = resolver.expression(node, scope)
        if found is not None:
            yield found


def _end(node: ast.expr) -> tuple[int, int]:
    """Return the end of a name or attribute, where its last word stands."""
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _target(document: Module, line: int) -> _Target:
    """Return the function that is defined on a line, and the class it is a method of."""
    for node, scope in scopes(document):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno == line:
            return node, scope.owner if scope.function is None else None
    return None, None


def _mentioning(modules: Modules, document: Path, name: str) -> Iterator[Module]:
    """Yield the other modules of the project that contain a name, the nearest first."""
    if name.startswith("__"):
        # Operators and constructors are called without their names.
        return
    others = (path for path in python_files(modules.root) if path != document)
    yield from containing(modules, sorted(others, key=lambda path: _distance(path, document)), name)


def containing(modules: Modules, paths: Iterable[Path], name: str) -> Iterator[Module]:
    """Yield those of the modules at some paths that contain a name as a word, in the same order."""
    word = re.compile(rb"\b%b\b" % re.escape(name.encode()))
    for path in paths:
        try:
            text = modules.texts[path].encode() if path in modules.texts else path.read_bytes()
        except OSError:
            continue
        module = modules.at(path) if word.search(text) and len(text) <= MAX_BYTES else None
        if module is not None:
            yield module


def python_files(root: Path) -> Iterator[Path]:
    """Yield the Python files of a project, without environments and hidden directories."""
    number = 0
    for place, directories, names in os.walk(root):
        directories[:] = sorted(each for each in directories if each not in _FOREIGN and not each.startswith("."))
        for each in sorted(names):
            if each.endswith(".py"):
                number += 1
                if number > _MAX_FILES:
                    return
                yield Path(place, each)


def _distance(path: Path, document: Path) -> tuple[int, str]:
    """Return a key by which files near the document come first."""
    common = len(os.path.commonpath((path.parent, document.parent)))
    return len(str(path.parent)) + len(str(document.parent)) - 2 * common, str(path)


def _calls(
    module: Module,
    resolver: Resolver,
    name: str,
    document: Module,
    target: tuple[Definition | None, ast.ClassDef | None],
) -> Iterator[int]:
    """Yield the lines of a module that use the target.

    A method of a value whose class is not known counts if the module names the target's class.
    """
    function, owner = target
    names_owner = owner is not None and any(owner.name in line for line in module.lines)
    for node, scope in scopes(module):
        is_name = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Attribute) and node.attr == name:
            found = resolver.expression(node, scope)
            unknown = found is None and _is_unknown(node.value, resolver, scope)
            if (found is not None and found.node is function) or (unknown and names_owner):
                yield node.end_lineno or node.lineno
        elif is_name and isinstance(node, ast.Name):
            found = resolver.expression(node, scope)
            if found is not None and found.module is document and found.node is function:
                yield node.lineno


def _is_unknown(value: ast.expr, resolver: Resolver, scope: Scope) -> bool:
    return resolver.expression(value, scope) is None


class _Places:
    """Places in files of the project besides the `document`, each shown once."""

    def __init__(self, root: Path, document: Module) -> None:
        self._root = root
        self._document = document
        self._shown: set[tuple[Path, int]] = set()
        self._whole: set[tuple[Path, int]] = set()

    def definition(self, found: Found) -> dict[str, Any] | None:
        """Return a function, class or value with its code; None for anything else."""
        node = found.node
        if node is None or found.module is self._document:
            return None
        path = found.module.path
        # The code of a class has that of its methods, unless it is too long.
        if found.owner is not None and (path, found.owner.lineno) in self._whole:
            return None
        if not self._is_new(found.module, node.lineno):
            return None
        self._shown.add((path, node.lineno))
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        code = "\n".join(found.module.lines[first - 1 : node.end_lineno])
        if len(code) <= MAX_CHARACTERS:
            self._whole.add((path, node.lineno))
        else:
            code = without_bodies(code)[:MAX_CHARACTERS]
        return {"path": self._path(found.module), "line": node.lineno, "code": code}

    def call(self, module: Module, line: int) -> dict[str, Any] | None:
        """Return a call of the target with surrounding lines; None if it is shown already."""
        if not self._is_new(module, line):
            return None
        # Calls close to each other are shown together.
        self._shown |= {(module.path, near) for near in range(line, line + AROUND + 1)}
        code = "\n".join(module.lines[max(0, line - 1 - AROUND) : line + AROUND])
        return {"path": self._path(module), "line": line, "code": code}

    def _is_new(self, module: Module, line: int) -> bool:
        is_foreign = _FOREIGN & set(module.path.relative_to(self._root).parts)
        return not is_foreign and (module.path, line) not in self._shown

    def _path(self, module: Module) -> str:
        return module.path.relative_to(self._root).as_posix()


def without_bodies(code: str) -> str:
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
