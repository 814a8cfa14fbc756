"""Suppression of pytest's announcement of the current test in the environment, where a candidate could read it."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from certo_worker.suite.discovery import python_files

_VARIABLES = ("PYTEST_CURRENT_TEST", "PYTEST_VERSION")


def is_asked_for(root: str, request: Optional[Dict[str, Any]] = None) -> bool:
    """True if the project's own code reads pytest's variables in the environment, so that they must stay.

    Of the files that the candidate of a `request` may have changed, only the target's original text counts. A project
    whose files cannot all be read in time counts as reading them.
    """
    request = request or {"target": {"file": "", "text": ""}}
    target = request["target"]
    if _names_it(target["text"].encode("utf-8", "surrogatepass")):
        return True
    files, stopped = python_files(root)
    changed = {os.path.join(root, path) for path in (target["file"], *request.get("elsewhere", ()))}
    return bool(stopped) or any(_names_it(_content(file)) for file in files if file not in changed)


def _names_it(text: bytes) -> bool:
    return any(name.encode("ascii") in text for name in _VARIABLES)


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as content:
            return content.read()
    except OSError:
        return b""


class Unannounced:
    """Pytest plug-in that suppresses the announcement."""

    def pytest_addoption(self) -> None:
        """Remove, before anything of the project is imported, the variables that pytest has set."""
        for name in _VARIABLES:
            os.environ.pop(name, None)

    def pytest_configure(self) -> None:
        """Suppress them before each phase of a test: pytest sets them just before it calls the test, past all hooks."""
        from _pytest import runner

        said: Any = runner
        # Unchanged from pytest 3 to 9; if it is missing, pytest announces the test.
        if hasattr(said, "_update_current_test_var"):
            said._update_current_test_var = _say_nothing


def _say_nothing(_item: Any, _when: Any) -> None:
    return
