"""Pytest plug-in: `pytest --certo` looks for a verified repair for each failing test, and shows it as a diff.

pytest imports this module in every run. So it imports only what Python has loaded anyway, and does nothing unless it is
switched on.
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
