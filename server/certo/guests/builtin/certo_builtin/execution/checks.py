"""Checks that candidates run against in this process: pytest items and doctest examples, collected once.

They are only the generator's own filter. The daemon runs the real tests again on whatever passes.
"""

from __future__ import annotations

import doctest
import gc
import os
import re
from typing import Any, Callable, Container, Dict, List, Optional, Sequence

from certo_builtin.execution.direct_calls import OnlyPytest, direct_call
from certo_builtin.question import Question
from certo_worker.suite.doctest_examples import example_of, show_values_of
from certo_worker.suite.doctest_sources import PREFIX, Source, inside, paths_in
from certo_worker.suite.pytest_run import make_importable, run_pytest
from certo_worker.suite.rewritten_tests import CHOSEN, names_of_tests


class CheckFailed(Exception):
    """A check failed without an exception from the code it called."""


class Check:
    """One repeatable test; `owed` is True if it failed before any edit.

    `by_pytest` is the reason why pytest must run it, such as a fixture; empty if it is called directly. `otherwise`
    runs it by pytest if it is called directly as yet. `parameters` are the values by which it is parametrized.
    """

    def __init__(
        self,
        identity: str,
        run: Callable[[], None],
        *,
        owed: bool,
        by_pytest: str = "",
        parameters: Sequence[Any] = (),
        otherwise: Optional[Callable[[], None]] = None,
    ) -> None:
        self.identity = identity
        self.run = run
        self.owed = owed
        self.by_pytest = by_pytest
        self.parameters = parameters
        self.otherwise = otherwise

    def is_surprising(self, *, passed: bool, used: int) -> bool:
        """True if it ended otherwise on the original code than in pytest's own run, or took no step in the target."""
        return passed is self.owed or (self.owed and not used)

    def exchange(self) -> None:
        """Run it by pytest if it is called directly, and the other way round."""
        if self.otherwise is not None:
            self.run, self.otherwise = self.otherwise, self.run
            self.by_pytest = "" if self.by_pytest else "what a plug-in does for it"


def check_of(item: Any, parts: List[str], *, owed: bool) -> Check:
    """Return the fastest faithful check of a pytest item."""
    parameters = list(getattr(getattr(item, "callspec", None), "params", {}).values())

    def through_pytest() -> None:
        _through_pytest(item, parts)

    try:
        run = direct_call(item)
    except OnlyPytest as reason:
        return Check(item.nodeid, through_pytest, owed=owed, by_pytest=str(reason), parameters=parameters)
    return Check(item.nodeid, run, owed=owed, parameters=parameters, otherwise=through_pytest)


MAX_BY_PYTEST = 40
"""Maximum number of passing checks by pytest: they take a hundred times as long as others, and each runs often."""


def affordable(checks: Sequence[Check]) -> List[Check]:
    """Return the checks without the passing ones by pytest that are too many, those of files with owed ones kept first.

    The daemon runs all tests on what passes here.
    """
    slow = [index for index, check in enumerate(checks) if check.by_pytest and not check.owed]
    near = {_file(check) for check in checks if check.owed}
    beside = [index for index in slow if _file(checks[index]) in near]
    others = [index for index in slow if _file(checks[index]) not in near]
    kept = _spread(beside, MAX_BY_PYTEST)
    left_out = set(slow).difference(kept, _spread(others, MAX_BY_PYTEST - len(kept)))
    return [check for index, check in enumerate(checks) if index not in left_out]


def _file(check: Check) -> str:
    return check.identity.partition("::")[0]


def _spread(indices: List[int], most: int) -> List[int]:
    """Return at most so many indices, evenly spread over all."""
    return indices if len(indices) <= most else [indices[place * len(indices) // most] for place in range(most)]


def _through_pytest(item: Any, parts: List[str]) -> None:
    """Run an item with all its fixtures as pytest does, without the reports, which cost more than most tests.

    A failing part, as of a `subTest`, is reported and not raised, and appears in `parts`.
    """
    import pytest  # whoever has an item to run has it

    parts.clear()
    if not getattr(item, "_request", True):
        item._initrequest()
    try:
        item.ihook.pytest_runtest_setup(item=item)
        # Fixtures examine the reports of earlier phases, and one of a passed phase costs little.
        item.ihook.pytest_runtest_makereport(item=item, call=pytest.CallInfo.from_call(_pass, "setup"))
        item.ihook.pytest_runtest_call(item=item)
    finally:
        item.ihook.pytest_runtest_teardown(item=item, nextitem=None)
        if hasattr(item, "_request"):
            # pytest itself does this after a run, so that the next one requests the fixtures anew.
            item._request = False
            item.funcargs = None
        caught = vars(item).pop("_excinfo", None)
    if caught:
        # A unittest case does not raise; it keeps what was raised for the report.
        raise CheckFailed("{}: {}".format(item.nodeid, caught[0].value))
    if parts:
        raise CheckFailed("{}: {}".format(item.nodeid, parts[0]))


def _pass() -> None:
    """Do nothing, like a phase without errors."""


def doctest_checks(question: Question, owed: Container[str], names: Callable[[], Dict[str, Any]]) -> List[Check]:
    """Return a check of the question's examples, and one for each other docstring or text file with doctests.

    A check runs its examples in order, and fails when one with an id in `owed` fails. `names` are the target's module.
    """
    checks: List[Check] = []
    own = [example_of(one.source, one.expected, equals=one.equals) for one in question.examples]
    if any(one.id in owed for one in question.examples):
        checks.append(_doctest_check("doctest", own, [one.id for one in question.examples], owed, names))
    named = [test for test in (*question.failing, *question.passing) if _is_doctest(test, question)]
    for path in sorted(paths_in(named)):
        for source in _sources(question, path):
            if any(name in owed for name in source.ids):
                start = names if source.is_module else _main
                checks.append(_doctest_check("doctest " + source.path, source.test.examples, source.ids, owed, start))
    return checks


def _sources(question: Question, path: str) -> List[Source]:
    if path == question.path:
        return inside(path, question.text, question.root, question.line)
    if path.endswith(".py"):
        return []  # It has the names of its own module, which the daemon imports when it judges.
    try:
        with open(os.path.join(question.root, path), encoding="utf-8", errors="replace") as opened:
            return inside(path, opened.read(), question.root)
    except OSError:
        return []


def _main() -> Dict[str, Any]:
    return {"__name__": "__main__"}


def _doctest_check(
    identity: str,
    parsed: List[doctest.Example],
    ids: Sequence[str],
    owed: Container[str],
    names: Callable[[], Dict[str, Any]],
) -> Check:
    def run() -> None:
        failed: List[int] = []

        class Runner(doctest.DocTestRunner):
            """A doctest runner that only records failed examples."""

            def report_start(self, _out: Any, test: Any, example: Any) -> None:
                """Make values displayed as the example requires."""
                show_values_of(example, test.globs)

            def report_failure(self, _out: Any, _test: Any, example: Any, _got: Any) -> None:
                """Record an example that printed something else."""
                failed.append(parsed.index(example))

            def report_unexpected_exception(self, _out: Any, _test: Any, example: Any, _exc_info: Any) -> None:
                """Record an example that raised."""
                failed.append(parsed.index(example))

        fresh = dict(names())
        test = doctest.DocTest(parsed, fresh, "target", None, 0, None)
        Runner(verbose=False).run(test, out=lambda _: None)
        if any(ids[index] in owed for index in failed):
            raise CheckFailed("doctest")

    return Check(identity, run, owed=True)


def _is_doctest(test: str, question: Question) -> bool:
    return test.startswith(PREFIX) or any(test == example.id for example in question.examples)


def required_examples(question: Question) -> List[str]:
    """Return the ids of the examples that count; all of them if the baseline names no test at all."""
    named = [one for one in (*question.failing, *question.passing) if _is_doctest(one, question)]
    return named or ([] if question.failing else [example.id for example in question.examples])


def suite_of(question: Question) -> List[str]:
    """Return the ids of the pytest tests."""
    return [test for test in [*question.failing, *question.passing] if not _is_doctest(test, question)]


class Collector:
    """Pytest plug-in that collects, keeps the requested items, and runs our search instead of them.

    The search happens inside pytest's own loop, while its session, configuration and fixtures are alive.
    """

    def __init__(self, question: Question, search: Callable[[List[Check]], None]) -> None:
        self.wanted = dict.fromkeys(question.failing, True)
        self.wanted.update((test, False) for test in question.passing)
        self.search = search
        self.reached = False
        self.error: Optional[BaseException] = None
        self._failed_parts: List[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record a failed part of a test; whole tests are not reported here."""
        if report.failed:
            self._failed_parts.append(report.longreprtext)

    def checks(self, items: Sequence[Any]) -> List[Check]:
        """Return the items the question names, with failing ones marked as owed."""
        return [
            check_of(item, self._failed_parts, owed=self.wanted[item.nodeid])
            for item in items
            if item.nodeid in self.wanted
        ]

    def pytest_runtestloop(self, session: Any) -> bool:
        """Search instead of running the tests one after the other."""
        self.reached = True
        try:
            self.search(self.checks(session.items))
            # pytest collects garbage ten times when it ends, to warn of what is found; this process ends with it.
            gc.freeze()
        except BaseException as error:  # pytest would make a report of it; our caller wants it as it is
            self.error = error
        return True


def with_pytest(question: Question, search: Callable[[List[Check]], None]) -> bool:
    """Run `search` with the question's pytest items inside a pytest session; return False if it did not run."""
    make_importable(question.root)
    import pytest

    # First of its kind: pytest's own loop gives up when any file failed to collect, which may be none of ours.
    pytest.hookimpl(tryfirst=True)(Collector.pytest_runtestloop)
    from certo_worker.suite.reporter import ChosenTests  # it needs pytest

    collector = Collector(question, search)
    # All others of these files may be very many.
    CHOSEN.choose(question.root, names=names_of_tests(collector.wanted))
    files = dict.fromkeys(os.path.join(question.root, test.split("::", 1)[0]) for test in suite_of(question))
    run_pytest(question.root, [*files], collector, ChosenTests(collector.wanted), more=["--capture=no"])
    if collector.error is not None:
        raise collector.error
    return collector.reached


MAX_FAILURE = 200
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
"""Addresses in messages, which differ between processes."""


def failure_in_words(error: BaseException) -> str:
    """Return an exception as text that is the same in every process."""
    try:
        words = "{}: {}".format(type(error).__name__, error)
    except Exception:  # a project's own __str__ may raise
        words = type(error).__name__
    return ADDRESS.sub("", words)[:MAX_FAILURE]
