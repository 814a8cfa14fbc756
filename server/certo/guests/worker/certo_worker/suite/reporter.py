"""Pytest plug-in that reports collected tests, their results, and the code they executed."""

from __future__ import annotations

import inspect
import os
import re
import sys
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Container, Dict, Generator, Iterable, Iterator, List, Mapping, Optional, Set

import pytest

from certo_worker.apart.proxies import parameter_name
from certo_worker.apart.shared_state import copied_state
from certo_worker.mutation import mutants
from certo_worker.observation.case_record import CaseRecord
from certo_worker.observation.clock import SPELLED, Clock, TimeIsUp, passed, since
from certo_worker.observation.executed_code import ExecutedCode
from certo_worker.observation.failure_text import Tell, code_of, files_of, message_of, place_of, shortened
from certo_worker.observation.tracing import HAS_MONITORING, Sight, watcher
from certo_worker.suite.module_import import names_of
from certo_worker.suite.watched_phases import WatchedPhases, has_plain_setup, has_plain_teardown, is_parameter


def _functions_of(tests: Iterable[str]) -> Iterator[str]:
    """Yield the ids that the function of each test may have; a plug-in may put its own names behind the function's."""
    for test in tests:
        words = test.partition("[")[0].split("::")
        for length in range(2, len(words) + 1):
            yield "::".join(words[:length])


def _keep_chosen(metafunc: Any, chosen: Optional[Container[str]], most: Optional[int]) -> bool:
    """Leave out the parameter sets that are not among the `chosen` ids, unless None, and those after the first.

    Return True if there were more than `most`.
    """
    calls = getattr(metafunc, "_calls", None)
    if not calls:
        return False
    is_sample = most is not None and len(calls) > most
    kept, test = calls[:most], metafunc.definition.nodeid
    if chosen is not None:
        kept = [call for call in kept if (test + "[" + call.id + "]" if call.id else test) in chosen]
    # Names that are not as expected, as a plug-in may give them, are left for later to sort out.
    calls[:] = kept or calls
    return is_sample


class ChosenTests:
    """Plug-in for a session of others, in which it makes only the tests with these ids, as far as it can tell."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = frozenset(ids)
        self._functions = set(_functions_of(self._ids))

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: Any) -> Optional[List[Any]]:
        """Make no items of a function without a chosen test."""
        if inspect.isclass(obj) or not collector.funcnamefilter(name):
            return None
        return None if collector.nodeid + "::" + name in self._functions else []

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_generate_tests(self, metafunc: Any) -> Generator[None, Any, None]:
        """Make no items of other parameter sets."""
        yield
        _keep_chosen(metafunc, self._ids, None)


_SHORT = 10.0
"""The seconds that are so few that imports might take all of them."""


class Reporter:
    """Reports each test once, when it is over. It can be registered long before `begin` starts a run."""

    _executed: Optional[ExecutedCode] = None
    _is_watched = False

    def begin(
        self,
        tell: Tell,
        sight: Sight,
        clock: Clock,
        *,
        root: str,
        chosen: Optional[Set[str]],
        skipped: Set[str],
        total: float,
        account: Optional[CaseRecord] = None,
        backwards: bool = False,
        left_out: Mapping[str, Set[str]] = MappingProxyType({}),
        executed: Optional[ExecutedCode] = None,
        most_cases: Optional[int] = None,
    ) -> None:
        """Prepare for one run.

        `chosen` are the ids to run, or None for all; `skipped` are left out in either case. No test is started after
        `total` seconds, which begin with collecting. An `account`, if given, is reported with each test; executed code
        is then of no interest. Tests run `backwards`, or in pytest's order. The functions `left_out` by file do not
        run. The code `executed` by each test, and by what comes between tests, is reported as well if it is given. With
        `most_cases`, only that many parameter sets of each test run, and tests are collected for half of the time.
        """
        self._tell = tell
        self._sight = sight
        self._executed = executed
        self._watcher: Any = None
        if account is None:
            self._watcher = watcher(sight) if executed is None else watcher(sight, executed.enter, executed.lose)
        self._phases = WatchedPhases(self._watcher, is_cheap=HAS_MONITORING)
        self._clock = clock
        clock.late = self._tell_late
        self._root = root
        self._chosen = chosen
        self._functions = set(_functions_of(chosen or ()))
        self._skipped = skipped
        self._total = total
        self._most_cases = most_cases
        self._account = account
        self._backwards = backwards
        self._left_out = left_out
        self._record: Dict[str, Any] = {}
        # A shared fixture executes the target for the first test only, but the others use its result.
        self._reaching_fixtures: Set[str] = set()
        self._code_of_fixtures: Dict[str, Set[int]] = {}
        self._is_watched = False
        self._is_stopped = False
        self._uncollected: List[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        """Report, if tests are searched for, that conftest.py or a plug-in has imported the target before them.

        pytest rewrites the assertions of the files that it is given, except if one is called `__init__.py`.
        """
        # What a conftest.py does when it is imported is no test's fault.
        self._deadline = passed() + self._total
        self._collected_until = self._deadline - (0.0 if self._most_cases is None else self._total / 2)
        packages = [path for path in session.config.args if os.path.basename(path) == "__init__.py"]
        names = [name for path in packages for _directory, name in names_of(path, self._root)]
        pytest.register_assert_rewrite(*(name for name in names if name not in sys.modules))
        if self._chosen is None and self._sight.is_imported():
            self._tell({"kind": "early"})

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: Any) -> Optional[List[Any]]:
        """Make no items of a test function that does not run: it may have tens of thousands of parameters."""
        if inspect.isclass(obj) or not collector.funcnamefilter(name):
            return None
        test = collector.nodeid + "::" + name
        if self._is_late():
            self._uncollected.append(test)
            return []
        runs = test in self._functions if self._chosen is not None else not self._is_left_out(test)
        return None if runs else []

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_generate_tests(self, metafunc: Any) -> Generator[None, Any, None]:
        """Leave out parameter sets that do not run, before pytest makes a test of each."""
        yield
        if _keep_chosen(metafunc, self._chosen, self._most_cases):
            self._tell({"kind": "sampled", "id": metafunc.definition.nodeid})

    def _is_late(self) -> bool:
        """True if the time for collecting is over; functions then stand for their tests, and the run is stopped."""
        if passed() <= self._collected_until:
            return False
        if not self._is_stopped:
            self._is_stopped = True
            self._tell({"kind": "stopped"})
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: List[Any]) -> None:
        """Keep only the requested tests, after every other plug-in has run."""
        kept: List[Any] = []
        dropped: List[Any] = []
        for item in items:
            chosen = item.nodeid in self._chosen if self._chosen is not None else not self._is_left_out(item.nodeid)
            (kept if chosen and item.nodeid not in self._skipped else dropped).append(item)
        items[:] = kept[::-1] if self._backwards else kept
        if dropped:
            config.hook.pytest_deselected(items=dropped)
        self._tell({"kind": "collected", "ids": [*(item.nodeid for item in kept), *self._uncollected]})

    def _is_left_out(self, test: str) -> bool:
        file, _, path = test.partition("[")[0].partition("::")
        return path.replace("::", ".") in self._left_out.get(file, ())

    @pytest.hookimpl(trylast=True)
    def pytest_make_parametrize_id(self, val: Any) -> Optional[str]:
        """Name a test's parameters as without stand-ins."""
        return parameter_name(val)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Generator[None, Any, None]:
        """Give the import of a test file its limit, which is longer than a test's, because imports may be slow."""
        if isinstance(collector, pytest.Module):
            self._clock.arm(3.0)
        with self._watched():
            yield
        self._clock.disarm()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self) -> Generator[None, Any, None]:
        """Watch what the import of conftest files executes."""
        with self._watched():
            yield

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Watch code beside the tests, if it is recorded: of imports only, as watching pytest itself takes long."""
        if self._executed is None or self._watcher is None or self._is_watched:
            yield
            return
        self._is_watched = True
        self._watcher.start()
        try:
            yield
        finally:
            self._watcher.stop()
            self._is_watched = False

    def pytest_collectreport(self, report: Any) -> None:
        """Report a file that fails at collection."""
        if report.failed:
            text = str(report.longrepr)
            said = re.findall(r"^E\s+(.*)", text, re.MULTILINE) or text.strip().splitlines()[-1:] or ["unknown error"]
            message = shortened(said[-1].replace(SPELLED, ""))
            kept = {} if self._account is None else {"carried": self._account.excuse()}
            self._tell({"kind": "uncollected", "path": report.nodeid, "message": message, **kept})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> Optional[bool]:
        """Run no test if the time for all is over before the first one."""
        self._phases.learn(session.config.pluginmanager)
        # Nor is what a test file imports: a short time is for the tests alone.
        self._deadline = max(self._deadline, passed() + self._total) if self._total <= _SHORT else self._deadline
        # Without any time, a run only lists its tests; the clock may read the same twice, or less.
        if self._total > 0 and passed() <= self._deadline:
            return None
        self._tell({"kind": "stopped"})
        return True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Generator[None, Any, None]:
        """Watch one test and report its result; stop before the next one if the time for all is over."""
        self._tell({"kind": "started", "id": item.nodeid, "limit": self._clock.limit})
        self._record = _fresh()
        began = passed()
        if self._account is not None:
            self._account.begin(code_of(item))
        if self._executed is not None:
            self._tell({"kind": "between", **self._executed.take()})
        self._sight.forget()
        mutants.leave()
        self._phases.begin(item)
        yield
        self._phases.end()
        self._clock.disarm()
        # Without time waited for a processor: decisions by duration must not depend on other processes.
        self._record["seconds"] = since(began)
        if self._record["outcome"] == "":
            # A KeyboardInterrupt or `pytest.exit` ends the session without a report on the test that raised it.
            self._record.update(outcome="failed", message="ended the session", where="test")
        if self._record["outcome"] == "passed":
            self._clock.green(self._record["seconds"])
        reached = self._sight.reached or bool(self._reaching_fixtures.intersection(getattr(item, "fixturenames", ())))
        told = {"kind": "test", "id": item.nodeid, "reached": reached, "touched": self._sight.touched}
        failed = self._record["outcome"] in ("failed", "error")
        if self._account is not None and failed and not self._account.broken:
            self._account.unsupported(copied_state(item, self._root, self._sight.file))
        kept = {} if self._account is None else self._account.told()
        self._tell({**told, **self._record, **kept, **self._code_of(item)})
        if nextitem is not None and passed() > self._deadline:
            item.session.shouldstop = "the time for all tests is over"
            self._tell({"kind": "stopped"})

    def _tell_late(self) -> None:
        """Report if a test that is out of time has executed the target: it may swallow the alarm and never end."""
        self._phases.flush()
        self._tell({"kind": "late", "reached": self._sight.reached or bool(self._reaching_fixtures)})

    def _code_of(self, item: Any) -> Dict[str, Any]:
        """Return the code that a test executed, also through shared fixtures that it uses."""
        if self._executed is None:
            return {}
        for name in getattr(item, "fixturenames", ()):
            self._executed.merge(self._code_of_fixtures.get(name, set()))
        return self._executed.take()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Lift the time limit for everything after the tests."""
        self._clock.rest()

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Generator[None, Any, None]:
        """Watch the test's function."""
        with self._phases.part():
            self._before_call(pyfuncitem)
            yield

    def _before_call(self, item: Any) -> None:
        """Do nothing: another reporter may."""

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, None]:
        """Record which shared fixtures execute the target, for the later tests that use them."""
        if fixturedef.scope == "function":
            with self._phases.part(is_known=self._phases.knows_parameters and is_parameter(fixturedef)):
                yield
            return
        with self._phases.part():
            yield from self._shared_fixture(fixturedef)

    def _shared_fixture(self, fixturedef: Any) -> Generator[None, Any, None]:
        if self._watcher is not None:
            self._watcher.flush()
        before, self._sight.reached = self._sight.reached, False
        code = None if self._executed is None else self._executed.swap()
        if code is not None and self._watcher is not None:
            self._watcher.again()
        yield
        if self._watcher is not None:
            self._watcher.flush()
        if code is not None and self._executed is not None:
            within = self._executed.swap(code)
            self._executed.merge(within)
            self._code_of_fixtures.setdefault(fixturedef.argname, set()).update(within)
        if self._sight.reached:
            self._reaching_fixtures.add(fixturedef.argname)
        self._sight.reached = before or self._sight.reached

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> Generator[None, Any, None]:
        """Give the setup its limit."""
        self._clock.arm()
        with self._phases.part(is_known=has_plain_setup(item)):
            yield
        self._clock.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, Any, None]:
        """Give the test its limit."""
        self._clock.arm()
        yield
        self._clock.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: Any, nextitem: Any) -> Generator[None, Any, None]:
        """Give the teardown its limit."""
        self._clock.arm()
        if not has_plain_teardown(item, nextitem):
            # Until the end of the test: what its fixtures gave is deleted after its teardown.
            self._phases.open()
        yield
        self._clock.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        """Update the test's result after each phase; the first failure is the one reported."""
        if call.excinfo is not None:
            # Until the end of the test: what the project has to say of a failure may run at any time.
            self._phases.open()
        outcome = yield
        report = outcome.get_result()
        if call.when == "setup":
            # Plugins that run a test again begin again with its setup, and only the last try counts.
            self._record = _fresh()
        record = self._record
        if report.failed and record["outcome"] not in ("failed", "error"):
            record["outcome"] = "failed" if call.when == "call" else "error"
            self._describe(item, call, report)
        elif report.skipped and record["outcome"] == "":
            # An expected failure keeps the suite green, but proves nothing; nor does a pass in its place.
            expected = hasattr(report, "wasxfail")
            record["outcome"] = "skipped"
            record["message"] = "failed as expected" if expected else shortened(str(getattr(call.excinfo, "value", "")))
        elif call.when == "call" and record["outcome"] == "":
            record["outcome"] = "skipped" if hasattr(report, "wasxfail") else "passed"

    def _describe(self, item: Any, call: Any, report: Any) -> None:
        record = self._record
        if call.excinfo is None:
            # There is no exception if pytest itself declares the failure: a strict xfail that passes.
            record["message"], record["where"] = shortened(str(report.longrepr)), "test"
            return
        error = call.excinfo.value
        if isinstance(error, TimeIsUp):
            self._clock.hung()
        record["message"] = message_of(error)
        record["where"], record["line"] = place_of(error, self._sight, files_of(item), self._root)


def _fresh() -> Dict[str, Any]:
    return {"outcome": "", "message": "", "seconds": 0.0, "where": "", "line": None}
