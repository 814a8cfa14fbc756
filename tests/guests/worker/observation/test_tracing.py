"""Observing that the target, or a changed line of it, was executed."""

from __future__ import annotations

import cProfile
import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from certo_worker.observation.tracing import HAS_MONITORING, Sight, watcher

SOURCE = """\
def before(x):
    return x

@before
def target(
    x=before(1),
):
    if x == 1:
        return [
            x,
            2,
        ]
    inner = lambda: x
    return inner()

def generator(): return target(2)
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    file = tmp_path / "watched.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("watched", file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def seen(
    module: ModuleType, call: Callable[[], object], *changed: int, entry_counts: bool = False
) -> tuple[bool, bool]:
    sight = Sight(str(module.__file__), 4, 14, changed, entry_counts=entry_counts)
    watching = watcher(sight)
    outer = sys.gettrace()
    watching.start()
    try:
        call()
    finally:
        watching.stop()
        sys.settrace(outer)
    return sight.reached, sight.touched


def test_entering_the_target_reaches_only_it(module: ModuleType) -> None:
    assert seen(module, lambda: module.target(1)) == (True, False)
    assert seen(module, lambda: module.generator()) == (True, False)
    assert seen(module, lambda: module.before(1)) == (False, False)


def test_defining_the_target_is_not_executing_it(module: ModuleType) -> None:
    code = compile(SOURCE, str(module.__file__), "exec")
    assert seen(module, lambda: exec(code, {})) == (False, False)


def test_changed_line_is_touched_when_it_runs(module: ModuleType) -> None:
    assert seen(module, lambda: module.target(1), 9) == (True, True)
    assert seen(module, lambda: module.target(2), 9) == (True, False)
    assert seen(module, lambda: module.target(2), 13) == (True, True)


def test_a_changed_head_is_touched_by_entering(module: ModuleType) -> None:
    assert seen(module, lambda: module.target(1), 5, entry_counts=True) == (True, True)
    assert seen(module, lambda: module.before(1), 5, entry_counts=True) == (False, False)


def test_threads_are_watched_too(module: ModuleType) -> None:
    def call() -> None:
        thread = threading.Thread(target=module.target, args=(2,))
        thread.start()
        thread.join()

    assert seen(module, call, 13) == (True, True)


def test_each_test_is_seen_anew(module: ModuleType) -> None:
    assert seen(module, lambda: module.target(1), 9) == (True, True)
    assert seen(module, lambda: None, 9) == (False, False)
    assert seen(module, lambda: module.target(1), 9) == (True, True)


def test_changed_lines_of_other_files_are_touched(module: ModuleType) -> None:
    """Only when a function runs them, not when the module is executed."""

    def seen_elsewhere(call: Callable[[], object], *lines: int) -> tuple[bool, bool]:
        sight = Sight("nowhere.py", 1, 2, elsewhere={str(module.__file__): lines})
        watching = watcher(sight)
        outer = sys.gettrace()
        watching.start()
        try:
            call()
        finally:
            watching.stop()
            sys.settrace(outer)
        return sight.reached, sight.touched

    code = compile(SOURCE, str(module.__file__), "exec")
    assert seen_elsewhere(lambda: module.target(1), 9) == (False, True)
    assert seen_elsewhere(lambda: module.target(2), 9) == (False, False)
    assert seen_elsewhere(lambda: module.target(2), 4, 5) == (False, True)
    assert seen_elsewhere(lambda: module.before(1), 4, 5) == (False, False)
    assert seen_elsewhere(lambda: exec(code, {"before": abs}), 4, 5, 16) == (False, False)


def test_what_stands_between_two_functions_is_none(module: ModuleType) -> None:
    sight = Sight(str(module.__file__), 1, 16, between=(3, 15))
    assert not sight.is_target(module.target.__code__)
    assert sight.is_target(module.before.__code__)
    assert sight.is_target(module.generator.__code__)


@pytest.fixture
def recording(module: ModuleType) -> Callable[[Callable[[], object]], tuple[set[str], bool, bool]]:
    """Record a call; return the names of the code that ran, if the target did, and if something may be missing."""

    def record(call: Callable[[], object]) -> tuple[set[str], bool, bool]:
        names: set[str] = set()
        lost: list[bool] = []
        sight = Sight(str(module.__file__), 4, 14)
        watching = watcher(sight, lambda code: names.add(code.co_name), lambda: lost.append(True))
        tracer, profiler = sys.gettrace(), sys.getprofile()
        watching.start()
        try:
            call()
        finally:
            watching.stop()
            sys.settrace(tracer)
            sys.setprofile(profiler)
        return names, sight.reached, bool(lost)

    return record


Recording = Callable[[Callable[[], object]], tuple[set[str], bool, bool]]


def test_recording_names_all_that_ran(module: ModuleType, recording: Recording) -> None:
    names, reached, lost = recording(lambda: module.generator())
    assert {"generator", "target", "<lambda>"} <= names
    assert (reached, lost) == (True, False)


def test_recording_includes_unfinished_code(module: ModuleType, recording: Recording) -> None:
    """A generator that is left waiting has run as well."""

    def waiting() -> object:
        return (module.target(2) for _ in "a")

    names, reached, _ = recording(lambda: next(iter(waiting())))  # type: ignore[call-overload]
    assert "<genexpr>" in names
    assert reached


def test_recording_sees_threads(module: ModuleType, recording: Recording) -> None:
    def call() -> None:
        thread = threading.Thread(target=module.target)
        thread.start()
        thread.join()

    assert recording(call)[1]


def test_switching_profilers_off_hides_nothing(module: ModuleType, recording: Recording) -> None:
    """As pytest-benchmark does while it measures; the test gets no profiler that is not its own."""

    def call() -> None:
        before = sys.getprofile()
        sys.setprofile(None)
        module.target(2)
        sys.setprofile(before)
        assert before is None

    names, reached, lost = recording(call)
    assert {"target", "<lambda>"} <= names
    assert (reached, lost) == (True, False)


def test_profilers_switched_off_later_hide_nothing(module: ModuleType, recording: Recording) -> None:
    def call() -> None:
        profiler = cProfile.Profile()
        profiler.enable()
        module.target(2)
        profiler.disable()
        sys.setprofile(None)

    assert recording(call)[1]


def test_a_profiler_of_the_test_hides_nothing(module: ModuleType, recording: Recording) -> None:
    """Only one can run at a time before Python 3.12; what may have run unseen counts as having run."""

    def call() -> None:
        sys.setprofile(lambda *_: None)
        module.target(2)
        sys.setprofile(None)

    _, reached, lost = recording(call)
    assert reached
    assert lost or HAS_MONITORING
