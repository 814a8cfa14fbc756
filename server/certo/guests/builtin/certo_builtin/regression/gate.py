"""Guest program that filters written tests: each has to pass in several orders, and to fail when it should.

pytest itself runs the tests in the orders of the request. Copies of them with broken assertions must fail, and so must
each test on the mutants that it was written to notice.
"""

from __future__ import annotations

import os
import tempfile
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import check_of
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import FAILED, STARVED, CandidateRunner
from certo_builtin.source import Source
from certo_worker.suite.pytest_run import make_importable, run_pytest

STEPS = 400_000
SECONDS = 2.0
"""Limits of a test on a mutant."""

MAX_PROBLEM = 300

Tell = Callable[[Dict[str, Any]], None]


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Run the tests of the request, and report what was seen of each."""
    make_importable(request["root"])
    import pytest

    pytest.hookimpl(tryfirst=True)(_Gate.pytest_runtestloop)
    gate = _Gate(request, tell)
    file = os.path.join(request["root"], request["file"])
    if os.path.exists(file):
        run_pytest(request["root"], [file], gate)
    else:
        _run_copy(request, gate)
    if gate.error is not None:
        raise gate.error
    tell({"kind": "done", "collected": sorted(gate.collected), "problem": gate.problem[:MAX_PROBLEM]})


def _run_copy(request: Dict[str, Any], gate: _Gate) -> None:
    """Run a new file, which is not on the disk if this run has no file system of its own, from a folder of its own.

    The project's configuration of pytest has no effect there.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(request["file"]))
        with open(copy, "w", encoding="utf-8") as opened:
            opened.write(request["source"])
        run_pytest(folder, [copy], gate)


def _in_file(identity: str) -> str:
    """Return what a test is called within its file."""
    return identity.partition("::")[2]


class _Gate:
    """Pytest plug-in that runs the written tests several times, and on mutants."""

    def __init__(self, request: Dict[str, Any], tell: Tell) -> None:
        self._request = request
        self._tell = tell
        self._reports: Dict[str, List[Tuple[str, str]]] = {}
        self._parts: List[str] = []
        self._is_own_run = False
        self.collected: Set[str] = set()
        self.problem = ""
        self.error: Any = None

    def pytest_collectreport(self, report: Any) -> None:
        """Record why a file cannot be collected."""
        if report.failed:
            self.problem = _last_line(report.longreprtext)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record how a phase of a test ended."""
        if report.failed and not self._is_own_run:
            self._parts.append(report.longreprtext)
        if self._is_own_run:
            said = "" if report.passed else _last_line(getattr(report, "longreprtext", ""))
            ended = "xfail" if hasattr(report, "wasxfail") else report.outcome
            self._reports.setdefault(report.nodeid, []).append((report.when + " " + ended, said))

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests in all orders, their broken copies, and the mutants."""
        try:
            self._run(session)
        except Spent:
            pass
        except BaseException as error:  # pytest would make a report of it
            self.error = error
        return True

    def _run(self, session: Any) -> None:
        items = {_in_file(item.nodeid): item for item in session.items}
        self.collected = set(items)
        tests: List[Dict[str, Any]] = [test for test in self._request["tests"] if test["id"] in items]
        for is_reversed in self._request["orders"]:
            order = [items[test["id"]] for test in tests]
            self._pass(order[::-1] if is_reversed else order)
        if not self._request["force"]:
            return
        allowance = Allowance(self._request["seconds"])
        source = Source(self._request["text"])
        target = source.function_at(self._request["line"], self._request["name"])
        hot_swap = HotSwap(source, self._request["path"], target) if target is not None else None
        if hot_swap is None or not hot_swap.live:
            self.problem = "no test imports {} into the process that runs it".format(self._request["path"])
            return
        checks = [check_of(items[name], self._parts, owed=False) for name in items]
        runner = CandidateRunner(hot_swap, checks, Meter(), allowance)
        _Force(self._request, runner, self._tell).run(tests)

    def _pass(self, order: Sequence[Any]) -> None:
        """Run items as pytest does, and report how each ended."""
        self._reports.clear()
        self._is_own_run = True
        for place, item in enumerate(order):
            following = order[place + 1] if place + 1 < len(order) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        self._is_own_run = False
        for item in order:
            reports = self._reports.get(item.nodeid, [])
            wrong = [one for one in reports if not one[0].endswith(" passed")]
            ended, said = wrong[0] if wrong else ("call passed", "") if reports else ("not run", "")
            self._tell({"kind": "pass", "id": _in_file(item.nodeid), "ended": ended, "said": said[:MAX_PROBLEM]})


class _Force:
    """Runs of tests that have to fail."""

    def __init__(self, request: Dict[str, Any], runner: CandidateRunner, tell: Tell) -> None:
        self._request = request
        self._runner = runner
        self._tell = tell
        self._numbers = {_in_file(check.identity): number for number, check in enumerate(runner.checks)}

    def run(self, tests: Sequence[Dict[str, Any]]) -> None:
        """Report the broken copies that fail, and the mutants that each test notices."""
        pieces: List[Tuple[str, str, Any, int]] = []
        for test in tests:
            known = [self._numbers[broken] for broken in test["broken"] if broken in self._numbers]
            pieces += [(test["id"], "broken", [], number) for number in known]
            for mutant in map(str, test["mutants"]):
                edits = [tuple(edit) for edit in self._request["edits"][mutant]]
                pieces += [(test["id"], mutant, edits, self._numbers[test["id"]])]
        # Those of one mutant follow each other, so that it is compiled once.
        pieces.sort(key=lambda piece: piece[1])
        placed: List[Any] = [None]
        work = partial(self._ending, pieces, placed)
        for number, ending in each(work, range(len(pieces)), SECONDS + 1.0, self._runner.allowance):
            identity, what, _, _ = pieces[number]
            # A test that is killed with its process is no test that fails.
            self._tell({"kind": "force", "id": identity, "what": what, "red": ending in (FAILED, STARVED)})

    def _ending(self, pieces: Sequence[Tuple[str, str, Any, int]], placed: List[Any], number: int) -> Optional[str]:
        _, what, edits, check = pieces[number]
        if placed[0] != what:
            self._runner.hot_swap.try_on(edits)
            placed[0] = what
        return self._runner.run_check(check, STEPS, SECONDS)


def _last_line(text: str) -> str:
    lines = [line for line in str(text).splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
