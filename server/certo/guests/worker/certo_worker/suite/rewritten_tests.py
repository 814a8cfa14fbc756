"""Choice of the tests whose assertions pytest rewrites: only of those that run, for it takes longer than they do.

The assertions of all other code are rewritten as ever. A rewritten assertion decides as a plain one does, and says more
when it fails.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from typing import Any, FrozenSet, Iterable, List, Mapping, Optional, Set, Tuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Rewriting:
    """The choice in force: tests of these `names` in any file, or all but those `left_out` by file.

    With neither all assertions are rewritten, and with `nothing` none.
    """

    def __init__(self) -> None:
        self.names: Optional[FrozenSet[str]] = None
        self._left_out: Mapping[str, Set[str]] = {}
        self._nothing = False
        self._root = ""

    def choose(
        self,
        root: str,
        *,
        names: Optional[Iterable[str]] = None,
        left_out: Optional[Mapping[str, Set[str]]] = None,
        nothing: bool = False,
    ) -> None:
        """Choose for what is compiled from now on."""
        self._root = root
        self.names = None if names is None else frozenset(names)
        self._left_out = left_out or {}
        self._nothing = nothing
        _install()

    def is_within(self, names: Optional[FrozenSet[str]]) -> bool:
        """True if code that was rewritten for tests of these names, or for all if None, serves this choice too."""
        return names is None or self._nothing or (self.names is not None and self.names <= names)

    def put_by(self, tree: ast.Module, file: Any, source: Any = b"") -> List[Tuple[Any, List[ast.stmt]]]:
        """Take the bodies of tests that do not run out of a syntax tree; return them with their functions.

        What the source names besides may be called by a test that runs, and a conftest.py has no tests.
        """
        if os.path.basename(str(file)) == "conftest.py":
            return []
        left_out = self._left_out.get(os.path.relpath(str(file), self._root).replace(os.sep, "/"), set())
        found: List[Tuple[Any, List[ast.stmt]]] = []
        self._put_by(tree.body, "", left_out, found)
        if not self._nothing:
            text = source if isinstance(source, bytes) else str(source).encode("utf-8", "replace")
            named = Counter(re.findall(rb"(?<!def )\btest\w*", text))
            found = [each for each in found if not named[each[0].name.encode("utf-8")]]
        for function, _ in found:
            function.body = [ast.copy_location(ast.Pass(), function)]
        return found

    def _put_by(self, body: List[ast.stmt], owner: str, left_out: Set[str], found: List[Any]) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                self._put_by(node.body, owner + node.name + ".", left_out, found)
            elif isinstance(node, _FUNCTIONS) and node.name.startswith("test") and not _is_fixture(node):
                runs = node.name in self.names if self.names is not None else owner + node.name not in left_out
                if self._nothing or not runs:
                    found.append((node, node.body))


CHOSEN = Rewriting()
"""The choice in force in this process."""


def _is_fixture(node: Any) -> bool:
    return any("fixture" in ast.dump(each) for each in node.decorator_list)


_installed: List[bool] = []


def _install() -> None:
    """Let pytest's rewriting, of which there is no other way to leave out a part, go by the choice."""
    from _pytest.assertion import rewrite

    patched: Any = rewrite
    if _installed:
        return
    _installed.append(True)
    whole = patched.rewrite_asserts

    def chosen(tree: ast.Module, source: Any, file: Any = None, *arguments: Any, **named: Any) -> None:
        put_by = CHOSEN.put_by(tree, file, source) if file is not None else []
        whole(tree, source, file, *arguments, **named)
        for function, body in put_by:
            function.body = body

    patched.rewrite_asserts = chosen
    # The user's own runs of pytest would take such code from its cache.
    patched._write_pyc = _write_nothing


def _write_nothing(*_arguments: Any, **_named: Any) -> bool:
    return False


def names_of_tests(ids: Iterable[str]) -> Set[str]:
    """Return the names that the functions of tests may have; a plug-in may put its own names behind a function's."""
    return {word for test in ids for word in test.partition("[")[0].split("::")[1:]}
