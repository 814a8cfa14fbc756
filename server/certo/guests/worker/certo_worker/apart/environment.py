"""Where a process is: its directory and its environment, which tests change and candidates look at."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Dict, Mapping, Optional

from certo_worker.observation.libraries import is_library
from certo_worker.process import overlay

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""Where this package lies."""

_PACKAGES = frozenset(("pytest", "_pytest", "py", "pluggy", "iniconfig", "_hypothesis_pytestplugin", "certo_worker"))


def hide_test_environment() -> None:
    """Have nobody find the tests' tools among the modules, in the environment or by the path to this package.

    Who needs one of the tools imports it anew. Not hidden are the frames below the candidate's: those that run already
    keep the code that they run, a thread's stack would be none that signals and event loops may use, and a new
    interpreter would be without all that a warm one has prepared. Nor are the objects that serve the candidate, which
    `gc` finds, or what the kernel tells of the process. All of these are refused to candidates that are read.
    """
    for name, module in list(sys.modules.items()):
        if _tells(name, module):
            del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    sys.path[:] = [path for path in sys.path if not is_ours(path)]
    for path in filter(is_ours, list(sys.path_importer_cache)):
        del sys.path_importer_cache[path]
    if sys.version_info >= (3, 10):
        sys.orig_argv[:] = sys.argv
    # A file that exists in the overlay alone is found by its finder alone, if a run does not see it on the disk.
    new_files = overlay.has_new_files()
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not _is_of_tests(type(finder).__module__) or (new_files and type(finder) is overlay.OverlayFinder)
    ]
    for name in set(os.environ).difference(untold(os.environ)):
        del os.environ[name]


def is_ours(path: str) -> bool:
    """True if a path leads to this package or into it."""
    return os.path.join(path, "").startswith(os.path.join(HOME, ""))


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


class EnvironmentChanges:
    """Tells what changed in the tests' process since it was told last."""

    def __init__(self) -> None:
        self._directory: Optional[str] = os.getcwd()
        self._environment = untold(os.environ)

    def changed(self) -> Optional[Dict[str, Any]]:
        """Return the directory and the environment if one of them changed."""
        try:
            directory: Optional[str] = os.getcwd()
        except OSError:
            directory = self._directory
        # pytest says there which test is running, which is nothing to the candidate.
        environment = untold(os.environ)
        if directory == self._directory and environment == self._environment:
            return None
        self._directory, self._environment = directory, environment
        return {"directory": directory, "environment": environment}


def follow(told: Any) -> None:
    """Be where the tests' process is."""
    if not told:
        return
    os.environ.clear()
    os.environ.update(told["environment"])
    try:
        os.chdir(told["directory"])
    except OSError:
        # A directory that is hidden from the candidate is one it cannot be in.
        return
