"""Pytest plug-in that tells other plug-ins that this process runs its tests alone, and reproducibly.

And that every such process is to run them alike.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from certo_worker.observation.failure_text import code_of
from certo_worker.suite.hypothesis_support import seed_hypothesis


class Alone:
    """Plug-in registered before pytest is configured, and before any other plug-in learns of that."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        """Keep pytest-rerunfailures from opening a socket for crash reports of other processes.

        And make Hypothesis try the same examples each time, and measure benchmarks if only these run: pytest-benchmark
        refuses to run only what it does not measure.
        """
        seed_hypothesis()
        if getattr(config.option, "benchmark_only", False):
            config.option.benchmark_disable = False
        reruns: Any = sys.modules.get("pytest_rerunfailures")
        if reruns is not None:
            # It opens the socket whenever pytest-xdist is installed, even if that starts no process.
            reruns.HAS_PYTEST_HANDLECRASHITEM = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> None:
        """Measure the benchmark of a test that reads the figures, for it would fail without them."""
        benchmarks = getattr(item.config, "_benchmarksession", None)
        if benchmarks is not None and item.config.option.benchmark_disable:
            code = code_of(item)
            benchmarks.disabled = code is None or "stats" not in code.co_names

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        """Unregister the plug-in of Hypothesis, which would import it for a summary, if no test used it."""
        manager = session.config.pluginmanager
        if "hypothesis" not in sys.modules and manager.has_plugin("hypothesispytest"):
            manager.unregister(name="hypothesispytest")
