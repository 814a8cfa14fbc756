"""Leaving unsaid which test runs: pytest says so in the environment, where a candidate could read that it is tested."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from certo_worker.suite.discovery import python_files

_VARIABLES = ("PYTEST_CURRENT_TEST", "PYTEST_VERSION")


def is_asked_for(root: str, request: Optional[Dict[str, Any]] = None) -> bool:
    """True if the project's own code reads what pytest says in the environment, so that it has to be there.

    Of the files that the candidate of a `request` may have changed, the target's text as it was decides, and no other.
    A project of which not all files can be read in time is taken for one that does.
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
    """A plug-in for pytest that keeps it from saying there which test runs, and that it does."""

    def pytest_addoption(self) -> None:
        """Take back, before anything of the project is imported, what pytest has said of itself."""
        for name in _VARIABLES:
            os.environ.pop(name, None)

    def pytest_configure(self) -> None:
        """Have it say nothing before a phase of a test: it says so right before it calls the test, past all hooks."""
        from _pytest import runner

        said: Any = runner
        # It has stood unchanged from pytest 3 to 9; where it is not, pytest says what it says.
        if hasattr(said, "_update_current_test_var"):
            said._update_current_test_var = _say_nothing


def _say_nothing(_item: Any, _when: Any) -> None:
    return
