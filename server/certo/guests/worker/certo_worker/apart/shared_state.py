"""Detection of tests that depend on module state, of which the two processes have separate copies.

A test that patches a module, for instance, patches it in the test process, and the candidate does not notice. If such a
test fails apart, the candidate is not to blame. Only code of the tests is examined, so the candidate has no influence.
"""

from __future__ import annotations

import dis
import functools
import os
import sys
from types import CodeType
from typing import Any, Iterable, Iterator, Set

from certo_worker.observation.libraries import is_library

PATCHES = "it changes something that the candidate's process has a copy of its own of"
SHARES = "it uses a module that the candidate's process has a copy of its own of"

_PATCHING = frozenset(
    ["seed", "patch", "freeze_time", "travel", "setattr", "delattr", "monkeypatch", "mocker", "mock", "freezer"]
)
_STORING = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))


def copied_state(item: Any, root: str, target: str) -> str:
    """Return the reason why the pytest item `item` may fail apart even with a correct candidate, or ""."""
    if _PATCHING.intersection(getattr(item, "fixturenames", ())) or any(map(_patches, _functions(item, root))):
        return PATCHES
    return SHARES if any(_own_modules(root, {target, str(item.fspath)})) else ""


def _functions(item: Any, root: str) -> Iterator[Any]:
    """Yield the test function and the functions of the project's fixtures that it uses."""
    yield getattr(item, "function", None) or getattr(item, "obj", None)
    definitions = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for definition in (each for several in definitions.values() for each in several):
        code = getattr(definition.func, "__code__", None)
        if code is not None and _is_within(code.co_filename, root):
            yield definition.func


def _patches(function: Any) -> bool:
    # A decorator of a library may do anything around the test; that of unittest.mock sets `patchings`.
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "patchings") or is_library(code.co_filename):
        return True
    return any(_PATCHING.intersection(each.co_names) or _stores(each) for each in _nested(code))


def _stores(code: CodeType) -> bool:
    return any(step.opname in _STORING for step in dis.get_instructions(code))


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _own_modules(root: str, known: Iterable[str]) -> Iterator[str]:
    """Yield the project's modules that have code and are neither tests nor the target."""
    apart: Set[str] = {os.path.realpath(path) for path in known}
    for module in list(sys.modules.values()):
        file = getattr(module, "__dict__", {}).get("__file__")
        path = _path_of_project(file, root) if isinstance(file, str) else ""
        if path and path not in apart and not is_of_tests(path) and not _is_empty(path):
            yield path


@functools.lru_cache(maxsize=None)
def _path_of_project(file: str, root: str) -> str:
    """Return the real path of a module's file, or nothing if it is not the project's.

    It is asked of every module after every failing test, and asks the file system for each folder on the way.
    """
    return os.path.realpath(file) if _is_within(file, root) and not is_library(file) else ""


def is_of_tests(path: str) -> bool:
    """True if a file is named as pytest expects of test files."""
    name = os.path.basename(path)
    return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py")


def _is_empty(path: str) -> bool:
    try:
        return os.path.getsize(path) == 0
    except OSError:
        # The file may exist only in the overlay, not on the disk.
        return False


def _is_within(file: str, root: str) -> bool:
    return os.path.realpath(file).startswith(os.path.join(os.path.realpath(root), ""))
