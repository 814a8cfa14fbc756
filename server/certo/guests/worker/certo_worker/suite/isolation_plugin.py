"""A plug-in for pytest that tells others what no option of theirs does: that this process runs its tests alone.

And that every such process is to run them alike.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from certo_worker.suite.hypothesis_support import seed_hypothesis


class Alone:
    """Registered before pytest is configured, and before any plug-in learns of that."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        """Keep pytest-rerunfailures from opening a socket, by which other processes could tell it of crashes.

        And have Hypothesis try the same examples each time.
        """
        seed_hypothesis()
        reruns: Any = sys.modules.get("pytest_rerunfailures")
        if reruns is not None:
            # It does so wherever pytest-xdist is installed as well, whether or not that is to start any process.
            reruns.HAS_PYTEST_HANDLECRASHITEM = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        """Let the plug-in of Hypothesis, which imports it for a summary that nobody reads, go where no test did."""
        manager = session.config.pluginmanager
        if "hypothesis" not in sys.modules and manager.has_plugin("hypothesispytest"):
            manager.unregister(name="hypothesispytest")
