"""Pytest plug-in that tells other plug-ins that this process runs its tests alone, and reproducibly.

And that every such process is to run them alike.
"""

from __future__ import annotations

import sys
from typing import Any, Generator

import pytest

from certo_worker.observation.failure_text import code_of
from certo_worker.suite.hypothesis_support import seed_hypothesis
from certo_worker.suite.watched_phases import package_of

_READERS = (
    *("pytest_runtest_makereport", "pytest_runtest_logreport", "pytest_exception_interact"),
    *("pytest_report_teststatus", "pytest_report_to_serializable", "pytest_terminal_summary"),
    "pytest_runtest_protocol",
)
"""Hooks that are given reports, make them, or find those of the whole session."""

_INDIFFERENT = (
    *("_pytest", "certo_worker", "_hypothesis_pytestplugin", "hypothesis", "pytest_cov", "xdist", "pytest_benchmark"),
    *("pytest_asyncio", "anyio", "pytest_mock", "pytest_timeout"),
)
"""Packages that do not read how a failure is described, with the options of our runs."""

_UNDESCRIBED = "it is not described"


class Alone:
    """Plug-in registered before pytest is configured, and before any other plug-in learns of that."""

    _is_described = True

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
    def pytest_runtestloop(self, session: Any) -> None:
        """Find out if a plug-in may read how pytest describes a failure."""
        hooks = [getattr(session.config.hook, name, None) for name in _READERS]
        readers = [each.plugin for hook in hooks if hook is not None for each in hook.get_hookimpls()]
        self._is_described = any(package_of(each) not in _INDIFFERENT for each in readers)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        """Leave out the description of a failure that nobody reads: making it takes longer than most tests."""
        own = isinstance(item, pytest.Function) and type(item).repr_failure is pytest.Function.repr_failure
        if self._is_described or call.excinfo is None or not own:
            yield
            return
        item.repr_failure = item._repr_failure_py = _undescribed
        yield
        del item.repr_failure, item._repr_failure_py

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        """Unregister the plug-in of Hypothesis, which would import it for a summary, if no test used it."""
        manager = session.config.pluginmanager
        if "hypothesis" not in sys.modules and manager.has_plugin("hypothesispytest"):
            manager.unregister(name="hypothesispytest")


def _undescribed(*_arguments: Any, **_named: Any) -> str:
    return _UNDESCRIBED
