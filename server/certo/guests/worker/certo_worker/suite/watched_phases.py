"""The phases of a test in which code of the project may run, and of which a watcher has to see all.

pytest's own part of a small test calls far more functions than the test itself, and each call costs a watcher time. So
it is off during that, if everything else that takes part in the test is known: its fixtures, its hooks, and that no
collector is set up or torn down with it.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Callable, Iterator, Optional

import pytest

from certo_worker.observation.libraries import is_library

_HOOKS = (
    *("pytest_runtest_protocol", "pytest_runtest_logstart", "pytest_runtest_logfinish", "pytest_runtest_setup"),
    *("pytest_runtest_call", "pytest_runtest_teardown", "pytest_runtest_makereport", "pytest_runtest_logreport"),
    *("pytest_fixture_post_finalizer", "pytest_exception_interact", "pytest_assertrepr_compare"),
    *("pytest_assertion_pass", "pytest_report_teststatus", "pytest_warning_recorded"),
)
"""Hooks that run with each test, outside what is watched of it."""

_WITHIN = ("pytest_fixture_setup", "pytest_pyfunc_call")
"""Hooks within which code of the project runs; a library's wrappers around that are its own."""

_KNOWN = ("_pytest", "certo_worker", "_hypothesis_pytestplugin", "hypothesis")
"""Packages whose hooks run no code of the project."""


class WatchedPhases:
    """Has a watcher on while code of the project may run: during a whole test, or only in parts of it.

    Without a watcher it does nothing. If that costs next to nothing (`is_cheap`), it is on during each whole test.
    It `knows_parameters` unless a library may compute them during the test, as those of lazy fixtures do.
    """

    def __init__(self, watcher: Any, *, is_cheap: bool) -> None:
        self._watcher = watcher
        self._is_cheap = is_cheap
        self._are_hooks_known = False
        self.knows_parameters = False
        self._parent: Any = None
        self._depth = 0
        self._is_narrow = False

    def learn(self, manager: Any) -> None:
        """Look at the hooks of all plug-ins, and watch those that the project has as plain functions."""
        if self._watcher is None or self._is_cheap:
            return
        hooks = [getattr(manager.hook, name, None) for name in (*_HOOKS, *_WITHIN)]
        implementations = [each for hook in hooks if hook is not None for each in hook.get_hookimpls()]
        own = [each for each in implementations if package_of(each.plugin) not in _KNOWN]
        self._are_hooks_known = all(_is_of_project(each.plugin) or _is_within(each) for each in own)
        self.knows_parameters = not any(map(_may_make_parameters, own))
        for each in own if self._are_hooks_known else ():
            if _is_wrapper(each):
                self._are_hooks_known = self._are_hooks_known and not _is_of_project(each.plugin)
            elif _is_of_project(each.plugin):
                each.function = self._seen(each.function)

    def begin(self, item: Any) -> None:
        """Begin with a test: watch all of it, unless its parts are known."""
        self._is_narrow = (
            self._are_hooks_known
            and type(item) is pytest.Function
            and item.parent is self._parent
            and not any(_is_condition(mark) for mark in item.iter_markers())
        )
        self._parent = item.parent
        if not self._is_narrow:
            self.open()

    def end(self) -> None:
        """End the test."""
        if self._depth:
            self._depth = 1
            self.close()

    def flush(self) -> None:
        """Report everything that has run so far."""
        if self._depth and self._watcher is not None:
            self._watcher.flush()

    def open(self) -> None:
        """Watch from now on, until it was closed as often."""
        self._depth += 1
        if self._depth == 1 and self._watcher is not None:
            self._watcher.start()

    def close(self) -> None:
        """Take one opening back."""
        self._depth -= 1
        if self._depth == 0 and self._watcher is not None:
            self._watcher.stop()

    @contextmanager
    def part(self, *, is_known: bool = False) -> Iterator[None]:
        """Watch a part of a test, unless it is known to run nothing of the project."""
        if is_known and self._is_narrow:
            yield
            return
        self.open()
        try:
            yield
        finally:
            # The end of a test may have come first, if its process is about to end.
            if self._depth:
                self.close()

    def _seen(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def seen(*arguments: Any) -> Any:
            with self.part():
                return function(*arguments)

        return seen


def has_plain_setup(item: Any) -> bool:
    """True if the setup of a test runs nothing of the project besides its fixtures.

    Shared ones with parameters end when a test needs them with others, which pytest finds out by comparing these.
    """
    definitions = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    names = getattr(getattr(item, "callspec", None), "params", ())
    return all(each.scope == "function" for name in names for each in definitions.get(name, ()))


def has_plain_teardown(item: Any, nextitem: Any) -> bool:
    """True if the end of a test runs nothing of the project.

    All its fixtures are parameters, nothing else is to be called, and no collector ends.
    """
    definitions = getattr(getattr(item, "_request", None), "_fixture_defs", None)
    stack = getattr(getattr(item.session, "_setupstate", None), "stack", None)
    if definitions is None or not isinstance(stack, dict) or nextitem is None or nextitem.parent is not item.parent:
        return False
    finalizers = stack.get(item, ((), None))[0]
    is_known = all(package_of(getattr(each, "func", each)) == "_pytest" for each in finalizers)
    return is_known and all(is_parameter(each) for each in definitions.values())


def is_parameter(definition: Any) -> bool:
    """True for the fixture that pytest makes of a parameter."""
    function = getattr(definition, "func", None)
    return getattr(function, "__name__", "") == "get_direct_param_fixture_func" and package_of(function) == "_pytest"


def package_of(thing: Any) -> str:
    """Return the top-level package of a module, or of what an object or a function is defined in."""
    name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return str(name or type(thing).__module__).partition(".")[0]


def _is_of_project(plugin: Any) -> bool:
    """True unless a plug-in, a module or an object of one, is known to be a library's."""
    name = getattr(plugin, "__module__", None) or type(plugin).__module__
    module = plugin if isinstance(plugin, ModuleType) else sys.modules.get(name)
    file: Optional[str] = getattr(module, "__file__", None)
    return os.path.basename(file or "") == "conftest.py" or not is_library(file)


def _may_make_parameters(implementation: Any) -> bool:
    name = getattr(implementation.function, "__name__", "")
    own = _is_of_project(implementation.plugin) or _is_wrapper(implementation)
    return name == "pytest_fixture_setup" and not own


def _is_within(implementation: Any) -> bool:
    return getattr(implementation.function, "__name__", "") in _WITHIN


def _is_wrapper(implementation: Any) -> bool:
    return bool(getattr(implementation, "hookwrapper", False) or getattr(implementation, "wrapper", False))


def _is_condition(mark: Any) -> bool:
    """True for a mark with a condition that pytest has to evaluate: a text, or an object that may decide itself."""
    given = [*mark.args, mark.kwargs.get("condition", False)]
    return mark.name in ("skipif", "xfail") and not all(isinstance(each, bool) for each in given)
