"""Direct calls of pytest items: a test function with its fixtures, but without the hooks that pytest runs around it.

pytest's hooks cost more than most tests. A direct call sets up the fixtures anew each time, because a fixture may call
the code under trial, and a test may change what a fixture returns. Only some fixtures can be set up in this way; items
with others are run by pytest, one by one. A direct call must accept whatever pytest accepts.
"""

from __future__ import annotations

import inspect
import os
import types
import unittest
from functools import lru_cache
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Tuple

HARMLESS = frozenset({"event_loop_policy"})
"""Fixtures that plug-ins give to every test and that do not affect a plain function."""

HARMLESS_MARKS = frozenset({"parametrize", "usefixtures", "skip", "skipif", "filterwarnings"})
"""Marks that change nothing in a test which pytest did not skip: warnings are no errors here."""

WRAPPING_HOOKS = ("pytest_runtest_setup", "pytest_runtest_call", "pytest_pyfunc_call", "pytest_fixture_setup")
"""Hooks by which a conftest may do something for a test that a direct call leaves out."""

_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Names of folders of installed packages."""

SET_UP_OF_CLASSES = "_unittest_setUpClass_fixture"
"""Part of the name of the fixture by which pytest calls a unittest class's own `setUpClass`."""


class OnlyPytest(Exception):
    """The item cannot be called directly; the message names the reason, such as a fixture."""


class Step(NamedTuple):
    """One fixture of an item: its name, its function, and the names of the fixtures it needs."""

    name: str
    function: Callable[..., Any]
    needs: Tuple[str, ...]


def direct_call(item: Any) -> Callable[[], None]:
    """Return a call of an item that can be repeated; raise OnlyPytest if only pytest can run it faithfully."""
    for hook in WRAPPING_HOOKS:
        for one in getattr(item.ihook, hook).get_hookimpls():
            if os.path.basename(getattr(one.plugin, "__file__", None) or "") == "conftest.py":
                raise OnlyPytest("{} in conftest.py".format(hook))
    for mark in item.iter_markers():
        if mark.name not in HARMLESS_MARKS or mark.kwargs.get("indirect"):
            raise OnlyPytest("the mark {}".format(mark.name))
    if type(item).__name__ == "TestCaseFunction":
        return _case_call(item)
    return _function_call(item)


def _function_call(item: Any) -> Callable[[], None]:
    test = getattr(item, "obj", None)
    kind = None
    if isinstance(test, types.MethodType) and isinstance(item.cls, type):
        kind, test = item.cls, test.__func__
    if type(item).__name__ != "Function" or not isinstance(test, types.FunctionType):
        raise OnlyPytest("its own kind of test")
    _refuse_asynchronous(test, "an asynchronous test")
    given = _given(item)
    copied = [name for name, value in given.items() if _is_changeable(value)]
    steps = _steps(item, given)
    wanted = [name for name in item._fixtureinfo.argnames if name not in given]
    if not set(wanted) <= {step.name for step in steps}:
        raise OnlyPytest("a fixture of a plug-in")
    if not steps and not copied and kind is None:
        return lambda: test(**given)

    def call() -> None:
        values = dict(given, **{name: _fresh(given[name]) for name in copied})
        instance = None if kind is None else kind()
        teardowns: List[Any] = []
        try:
            for step in steps:
                values[step.name] = _set_up(step, instance, values, teardowns)
            arguments = {name: values[name] for name in (*given, *wanted)}
            test(**arguments) if instance is None else test(instance, **arguments)
        finally:
            _tear_down(teardowns)

    return call


def _refuse_asynchronous(function: Any, reason: str) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise OnlyPytest(reason)


def _given(item: Any) -> Dict[str, Any]:
    """Return the direct parameters of an item; raise OnlyPytest if a fixture has parameters."""
    call = getattr(item, "callspec", None)
    if call is None:
        return {}
    # Before pytest 8 a direct parameter stood in `funcargs`; since then it is in `params`, as if by a fixture.
    given = dict(getattr(call, "funcargs", {}))
    for name, value in call.params.items():
        known = item._fixtureinfo.name2fixturedefs.get(name)
        if known and known[-1].func.__name__ != "get_direct_param_fixture_func":
            raise OnlyPytest("parameters of the fixture {}".format(name))
        module: Any = type(value).__module__  # a property, in classes of stand-ins
        if isinstance(module, str) and module.partition(".")[0] in _plugins(item.config):
            raise OnlyPytest("parameters of a plug-in")
        given[name] = value
    return given


@lru_cache(maxsize=1)
def _plugins(config: Any) -> FrozenSet[str]:
    """Return the packages of installed plug-ins, which may put fixtures among parameters."""
    found = set()
    for plugin in config.pluginmanager.get_plugins():
        name, file = getattr(plugin, "__name__", ""), getattr(plugin, "__file__", None) or ""
        if isinstance(name, str) and isinstance(file, str) and not _INSTALLED.isdisjoint(file.split(os.sep)):
            found.add(name.partition(".")[0])
    return frozenset(found - {"_pytest"})


def _steps(item: Any, given: Dict[str, Any]) -> List[Step]:
    """Return the fixtures of an item in an order in which each comes after those it needs."""
    steps: Dict[str, Step] = {}

    def add(name: str) -> None:
        if name in given or name in steps:
            return
        known = item._fixtureinfo.name2fixturedefs.get(name)
        if not known:
            raise OnlyPytest("the fixture {}".format(name))
        definition = known[-1]
        needs = tuple(definition.argnames)
        _refuse_asynchronous(definition.func, "the asynchronous fixture {}".format(name))
        if definition.params is not None or name in needs or "request" in needs:
            raise OnlyPytest("the fixture {}".format(name))
        for need in needs:
            add(need)
        steps[name] = Step(name, definition.func, needs)

    for name in item.fixturenames:
        if name not in HARMLESS:
            add(name)
    return list(steps.values())


def _set_up(step: Step, instance: Any, values: Dict[str, Any], teardowns: List[Any]) -> Any:
    """Return the value of a fixture; the rest of a generator is added to the teardowns."""
    function = step.function
    if isinstance(function, types.MethodType) and isinstance(instance, type(function.__self__)):
        # pytest found it in another instance of the class of the test.
        function = function.__func__.__get__(instance)
    made = function(**{name: values[name] for name in step.needs})
    if not inspect.isgeneratorfunction(function):
        return made
    teardowns.append(made)
    return next(made)


def _tear_down(teardowns: List[Any]) -> None:
    """Run the rest of the generators, the last first, each of them; raise the first error."""
    error: Optional[BaseException] = None
    for generator in reversed(teardowns):
        try:
            next(generator, None)
        except BaseException as raised:  # the others must be torn down as well
            error = error or raised
    if error is not None:
        raise error


CHANGEABLE = (list, dict, set, bytearray)


def _is_changeable(value: Any) -> bool:
    """True if a test could change a parameter in place, as far as plain containers tell."""
    return type(value) in CHANGEABLE or (type(value) is tuple and any(map(_is_changeable, value)))


def _fresh(value: Any) -> Any:
    """Return a copy of the plain containers in a parameter: each session of pytest has new ones."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(map(_fresh, value))
    if kind is dict:
        return {key: _fresh(one) for key, one in value.items()}
    return kind(value) if kind in CHANGEABLE else value


class _Outcome(unittest.TestResult):
    """Result of one unittest case that keeps what was raised, instead of a traceback as text."""

    def __init__(self) -> None:
        super().__init__()
        self.raised: Optional[BaseException] = None

    def addError(self, _test: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        """Keep an error."""
        self.raised = self.raised or err[1]

    def addFailure(self, _test: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        """Keep a failed assertion."""
        self.raised = self.raised or err[1]

    def addSubTest(self, _test: Any, _subtest: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        """Keep the failure of a part."""
        if err is not None:
            self.raised = self.raised or err[1]

    def addSkip(self, _test: Any, reason: str) -> None:  # noqa: N802 - unittest's name
        """Take a skipped test for a failed one."""
        self.raised = self.raised or unittest.SkipTest(reason)

    def addUnexpectedSuccess(self, _test: Any) -> None:  # noqa: N802 - unittest's name
        """Take a test that was expected to fail for a failed one."""
        self.raised = self.raised or AssertionError("an unexpected success")


def _case_call(item: Any) -> Callable[[], None]:
    """Return a call of a unittest case, which runs its own `setUp`, `tearDown` and cleanups."""
    kind = item.cls
    # That of the class, which does nothing if the class has no set-up of its own, brings `request` with it.
    others = [
        name for name in item.fixturenames if name not in {*HARMLESS, "request"} and SET_UP_OF_CLASSES not in name
    ]
    if others:
        raise OnlyPytest("the fixture {}".format(others[0]))
    for name in ("setUpClass", "tearDownClass", "run", "debug"):
        own, usual = getattr(kind, name), getattr(unittest.TestCase, name)
        if getattr(own, "__func__", own) is not getattr(usual, "__func__", usual):
            raise OnlyPytest("{} of its class".format(name))
    method = getattr(item, "originalname", None) or item.name

    def call() -> None:
        outcome = _Outcome()
        kind(method).run(outcome)
        if outcome.raised is not None:
            raise outcome.raised

    return call
