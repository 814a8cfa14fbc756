"""Leaving nothing in the candidate's process that tells it of tests: code may behave otherwise where it knows."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Dict, Mapping

from certo_worker.session import is_library

_PACKAGES = frozenset(("pytest", "_pytest", "py", "pluggy", "iniconfig", "_hypothesis_pytestplugin", "certo_worker"))


def hide() -> None:
    """Have nobody find the tests' tools among the modules and in the environment; who needs one imports it anew."""
    for name, module in list(sys.modules.items()):
        if _tells(name, module):
            del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    sys.meta_path[:] = [finder for finder in sys.meta_path if not _is_of_tests(type(finder).__module__)]
    for name in set(os.environ).difference(untold(os.environ)):
        del os.environ[name]


def untold(environment: Mapping[str, str]) -> Dict[str, str]:
    """Return an environment without what only the tests' tools put into it."""
    return {name: value for name, value in environment.items() if not name.startswith(("PYTEST_", "HYPOTHESIS_"))}


def _tells(name: str, module: Any) -> bool:
    if _is_of_tests(name):
        return True
    file = getattr(module, "__dict__", {}).get("__file__")
    last = name.rpartition(".")[2]
    if last == "conftest":
        # One that a warm process had imported is emptied there, and has no file any more.
        return not isinstance(file, str) or os.path.basename(file) == "conftest.py"
    return last.startswith("pytest_") and is_library(file)


def _is_of_tests(name: str) -> bool:
    return name.partition(".")[0] in _PACKAGES
