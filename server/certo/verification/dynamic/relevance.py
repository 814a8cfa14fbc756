"""Failing tests that have to do with the target; others, which only share a file with its tests, are not reported.

A test that fails before it reaches the target has executed nothing of it, so its source is searched for its name too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from certo.edits.source import read_source
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.results import CaseResult
from certo.vocabulary.errors import BadRequest

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def related(tests: Sequence[CaseResult], harness: Harness) -> list[CaseResult]:
    """Return the tests that executed the target, whose source names it, or whose source cannot be read."""
    second = harness.target.second
    names = (harness.target.name, *(() if second is None else (second.target.name,)))
    files: dict[str, _TestFile | None] = {}
    kept = []
    for test in tests:
        path, _, name = test.id.partition("::")
        if path.startswith("doctest:") and not test.reached and not any(one in test.message for one in names):
            continue
        if path not in files:
            files[path] = _read(path, harness)
        file = files[path]
        if test.reached or not name or file is None or any(file.names(name, one) for one in names):
            kept.append(test)
    return kept


def _read(path: str, harness: Harness) -> _TestFile | None:
    """Return the test file as it runs, or None if it cannot be read."""
    texts = {**harness.unsaved, harness.path: harness.base}
    try:
        text = texts[path] if path in texts else read_source(harness.root / path)
        return _TestFile(ast.parse(text))
    except (BadRequest, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _TestFile:
    """The names used by the functions of a test file, followed through its own functions and fixtures."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def _named(self) -> Mapping[str, frozenset[str]]:
        """The names used in functions, by function name; parameters count, as they may be fixtures."""
        named: dict[str, frozenset[str]] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, _FUNCTIONS):
                named[node.name] = named.get(node.name, frozenset()) | frozenset(_names(node))
        return named

    def names(self, test: str, target: str) -> bool:
        """True if a test names the target, itself or through functions and fixtures of its file.

        Fixtures and setup functions for all tests of the file count. True as well if the test is not found.
        """
        own = test.partition("[")[0].rpartition("::")[2]
        if own not in self._named:
            return True
        seen, ahead = {own}, [own, *self._autouse]
        while ahead:
            found = self._named.get(ahead.pop(), frozenset())
            if target in found:
                return True
            fresh = (found & self._named.keys()) - seen
            seen |= fresh
            ahead += fresh
        return False

    @cached_property
    def _autouse(self) -> list[str]:
        return [
            node.name
            for node in ast.walk(self._tree)
            if isinstance(node, _FUNCTIONS)
            and (node.name.lower().startswith(("setup", "teardown")) or "autouse" in map(str, _names(node)))
        ]


def _names(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                yield name
