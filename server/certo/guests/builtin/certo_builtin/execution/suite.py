"""Pytest sessions in which a program of ours runs in place of the tests, with all tests of some files."""

from __future__ import annotations

import importlib.util
import os
from typing import Any, Callable, Dict, List, Sequence

from certo_builtin.execution.checks import Check, check_of
from certo_worker.suite.pytest_run import make_importable, run_pytest


class _Session:
    """Pytest plug-in that collects, and does our work instead of running the tests."""

    def __init__(self, work: Callable[[List[Check]], None]) -> None:
        self._work = work
        self._failed_parts: List[str] = []
        self.reached = False
        self.error: Any = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record a failed part of a test."""
        if report.failed:
            self._failed_parts.append(report.longreprtext)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Do the work."""
        self.reached = True
        try:
            self._work([check_of(item, self._failed_parts, owed=False) for item in session.items])
        except BaseException as error:  # pytest would make a report of it
            self.error = error
        return True


def with_checks(request: Dict[str, Any], work: Callable[[Sequence[Check]], None]) -> None:
    """Do `work` with the tests of a request's test files inside a pytest session; without a session, with none."""
    files = [os.path.join(request["root"], path) for path in request["tests"]]
    if not files or importlib.util.find_spec("pytest") is None or not in_pytest(request["root"], files, work):
        work([])


def in_pytest(root: str, files: Sequence[str], work: Callable[[List[Check]], None]) -> bool:
    """Do `work` with the tests of some files inside a pytest session; return False if it did not come to that."""
    make_importable(root)
    import pytest

    pytest.hookimpl(tryfirst=True)(_Session.pytest_runtestloop)
    session = _Session(work)
    run_pytest(root, [*files], session, more=["--capture=no"])
    if session.error is not None:
        raise session.error
    return session.reached
