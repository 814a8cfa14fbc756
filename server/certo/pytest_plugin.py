"""Pytest plug-in: `pytest -p certo.pytest_plugin --certo` shows a verified repair for each failing test as a diff.

It is no entry point, for pytest would import it in every run of an environment with certo, those of candidates too.
Some name it in `addopts`, so it imports only what Python has loaded anyway, and does nothing unless it is switched on.
"""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False  # as type checkers understand it
if TYPE_CHECKING:
    from typing import Any


def pytest_addoption(parser: Any) -> None:
    """Declare the options."""
    group = parser.getgroup("certo")
    group.addoption(
        "--certo", action="store_true", help="show a verified repair for each failing test, if there is one"
    )
    group.addoption(
        "--certo-seconds",
        type=float,
        default=60.0,
        metavar="N",
        help="with --certo: seconds for all repairs together (default: 60)",
    )


def pytest_configure(config: Any) -> None:
    """Register the part that works where the summary is printed, but not where certo itself runs the tests."""
    if config.getoption("certo") and not hasattr(config, "workerinput") and "certo_worker" not in sys.modules:
        repairs = importlib.import_module("certo.cli.runs.pytest_repairs")
        config.pluginmanager.register(repairs.FailingTests(config), "certo-repairs")
