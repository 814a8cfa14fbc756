"""The working directory and environment of the candidate's process, which follow those of the test process."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Dict, Mapping, Optional

from certo_worker.observation.libraries import is_library
from certo_worker.process import overlay

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder that contains this package."""

_PACKAGES = frozenset(("pytest", "_pytest", "py", "pluggy", "iniconfig", "_hypothesis_pytestplugin", "certo_worker"))


def hide_test_environment() -> None:
    """Remove the test tools from the modules, the environment and the import path.

    A candidate that finds pytest in `sys.modules` could behave well only while it is tested. A project that uses one of
    the tools itself imports it anew. Three things stay visible: the stack frames below the candidate's (running it in a
    thread would break signals and event loops, and a new interpreter would lose the imports of a warm one), the objects
    that serve the candidate, which `gc` finds, and the kernel's data about the process. The static check of candidates
    refuses code that looks at these.
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
    # A file that exists only in the overlay, not on the disk, is found by the overlay's finder alone.
    new_files = overlay.has_new_files()
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not _is_of_tests(type(finder).__module__) or (new_files and type(finder) is overlay.OverlayFinder)
    ]
    for name in set(os.environ).difference(untold(os.environ)):
        del os.environ[name]


def is_ours(path: str) -> bool:
    """True if a path is the folder of this package or lies in it."""
    return os.path.join(path, "").startswith(os.path.join(HOME, ""))


def untold(environment: Mapping[str, str]) -> Dict[str, str]:
    """Return an environment without the variables of the test tools."""
    return {name: value for name, value in environment.items() if not name.startswith(("PYTEST_", "HYPOTHESIS_"))}


def _tells(name: str, module: Any) -> bool:
    if _is_of_tests(name):
        return True
    file = getattr(module, "__dict__", {}).get("__file__")
    last = name.rpartition(".")[2]
    if last == "conftest":
        # A conftest imported by a warm process has been emptied there and has no `__file__` any more.
        return not isinstance(file, str) or os.path.basename(file) == "conftest.py"
    return last.startswith("pytest_") and is_library(file)


def _is_of_tests(name: str) -> bool:
    return name.partition(".")[0] in _PACKAGES


class EnvironmentChanges:
    """Changes of the directory and the environment of the test process since they were last sent."""

    def __init__(self) -> None:
        self._directory: Optional[str] = os.getcwd()
        self._environment = untold(os.environ)

    def changed(self) -> Optional[Dict[str, Any]]:
        """Return the directory and the environment if one of them changed, else None."""
        try:
            directory: Optional[str] = os.getcwd()
        except OSError:
            directory = self._directory
        # pytest sets a variable to the name of the running test, which the candidate must not see.
        environment = untold(os.environ)
        if directory == self._directory and environment == self._environment:
            return None
        self._directory, self._environment = directory, environment
        return {"directory": directory, "environment": environment}


def follow(told: Any) -> None:
    """Take over the directory and the environment of the test process."""
    if not told:
        return
    os.environ.clear()
    os.environ.update(told["environment"])
    try:
        os.chdir(told["directory"])
    except OSError:
        # The sandbox may hide that directory from the candidate.
        return
