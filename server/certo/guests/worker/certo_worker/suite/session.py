"""Prepared pytest session: made once, up to the point where tests are collected, and run in many copies of a process.

pytest has no public way to stop there. The internals used here have been unchanged from pytest 7 to 9; if they are
missing or fail, nothing is prepared and each run makes a session of its own.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import opcode
import os
import pathlib
import sys
import tempfile
import warnings
from importlib import metadata
from types import CodeType, FunctionType, ModuleType
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Optional, Sequence, Set, Tuple

from certo_worker.canary.assertions import broken_code
from certo_worker.observation.clock import passed
from certo_worker.observation.libraries import is_library
from certo_worker.suite.pytest_run import arguments_for, make_cache
from certo_worker.suite.rewritten_tests import CHOSEN


class Rewritten:
    """Compiled code by source file, valid while the file on disk is unchanged."""

    def __init__(self) -> None:
        self._known: Dict[str, Tuple[Tuple[int, int], Optional[FrozenSet[str]], CodeType]] = {}

    def remember(self, files: Iterable[str], compiled: Callable[[str], CodeType], *, chosen: bool = False) -> None:
        """Compile files that are not known yet, for some seconds; the rest, and errors, are left to the runs.

        With `chosen`, the code serves only tests of the names that are chosen now.
        """
        deadline = passed() + _MAX_COMPILING_SECONDS
        for file in dict.fromkeys(files):
            if passed() > deadline:
                return
            try:
                if self.recall(file) is None:
                    self._known[file] = _stamp(file), CHOSEN.names if chosen else None, compiled(file)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                # Python raises the last two for code that is nested too deeply.
                continue

    def recall(self, source: Any) -> Optional[CodeType]:
        """Return the code of a file, or None if it is not known."""
        known = self._known.get(str(source))
        if known is None or known[0] != _stamp(source) or not CHOSEN.is_within(known[1]):
            return None
        return known[2]

    def forget(self) -> None:
        """Discard all of it."""
        self._known.clear()


def _stamp(file: Any) -> Tuple[int, int]:
    about = os.stat(file)
    return about.st_mtime_ns, about.st_size


_MAX_COMPILING_SECONDS = 3.0
"""The time for which a run may wait while test files are compiled for it and for later ones."""

_FAILED, _INTERRUPTED, _USAGE_ERROR, NOTHING = 1, 2, 4, 5
"""pytest's own exit statuses."""


class PreparedSession:
    """A session that has read the project's configuration and has not collected anything.

    It starts for `paths`. If these are `for_all` runs, others may be collected; a conftest.py beside those is imported
    then, too late for options of its own. Its `reporter` is registered, because that takes as long as a small test, and
    so are our other `plugins`.
    """

    def __init__(self, root: str, paths: Sequence[str], plugins: Sequence[Any] = (), *, for_all: bool = False):
        from _pytest.config import _prepareconfig
        from _pytest.main import Session

        from certo_worker.suite.isolation_plugin import Alone
        from certo_worker.suite.reporter import Reporter

        self._paths = list(paths)
        self._for_all = for_all
        self.reporter = Reporter()
        self._config: Any = _prepareconfig([*arguments_for(root, tempfile.mkdtemp()), *paths], [Alone(), *plugins])
        self._session: Any = Session.from_config(self._config)
        self._config._do_configure()
        self._config.hook.pytest_sessionstart(session=self._session)
        self._config.pluginmanager.register(self.reporter)
        self._whole, self._broken = Rewritten(), Rewritten()
        _use_rewritten(self._whole)
        if not for_all:
            self.foresee(paths)
        self._local = [
            plugin
            for plugin in self._config.pluginmanager.get_plugins()
            if isinstance(plugin, ModuleType) and os.path.basename(plugin.__file__ or "") == "conftest.py"
        ]
        files = {plugin.__file__ for plugin in self._local}
        names = {plugin.__name__ for plugin in self._local}
        found = _objects(lambda kind: kind is FunctionType or issubclass(kind, type) or kind.__name__ == "FixtureDef")
        self._functions = [each for each in found if type(each) is FunctionType and each.__code__.co_filename in files]
        # Classes, and pytest's data about fixtures, outlive their modules.
        self._kinds = [each for each in found if issubclass(type(each), type) and str(each.__module__) in names]
        self._fixtures = [each for each in found if type(each).__name__ == "FixtureDef"]

    def forget(self) -> None:
        """Remove all traces of the tests from this process, so that a search of its memory finds nothing."""
        self._whole.forget()
        self._broken.forget()
        for function in self._functions:
            function.__code__ = without_values(function.__code__)
            function.__defaults__ = function.__kwdefaults__ = None
            vars(function).clear()
        for kind in self._kinds:
            for name in [name for name in vars(kind) if not name.startswith("__")]:
                type.__delattr__(kind, name)
        for owner in (*self._local, *self._fixtures):
            vars(owner).clear()

    def serves(self, paths: Sequence[str]) -> bool:
        """True if tests at these paths can run in this session."""
        return self._for_all or self._paths == list(paths)

    def foresee(self, paths: Iterable[str]) -> None:
        """Compile test files with pytest's rewritten assertions, which each copy would otherwise repeat."""
        from _pytest.assertion import rewrite

        patched: Any = rewrite
        self._whole.remember(
            _files(paths), lambda file: patched._rewrite_test(pathlib.Path(file), self._config)[1], chosen=True
        )

    def foresee_broken(self, paths: Iterable[str], target: str) -> None:
        """Compile test files, except the `target`'s, with assertions broken on purpose."""
        files = [file for file in _files(paths) if file != target]
        self._broken.remember(files, lambda file: broken_code(file, self._config), chosen=True)

    def recall_broken(self, file: str) -> Optional[CodeType]:
        """Return a test file's code with broken assertions, or None."""
        return self._broken.recall(file)

    def run(self, paths: Sequence[str]) -> int:
        """Collect and run the tests at `paths`, once; return pytest's exit status. The reporter has begun before."""
        import pytest

        session, hook = self._session, self._config.hook
        self._config.args[:] = paths
        place = tempfile.mkdtemp()
        # Its value when the session was made is a directory that a copy of the process cannot write to.
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = place
        if hasattr(self._config, "cache"):
            self._config.cache._cachedir = pathlib.Path(place, "cache")
            make_cache(str(self._config.cache._cachedir))
        status = 0
        try:
            hook.pytest_collection(session=session)
            hook.pytest_runtestloop(session=session)
        except pytest.UsageError as error:
            sys.stderr.write("ERROR: {}\n".format(error))
            status = _USAGE_ERROR
        except session.Failed:
            status = _FAILED
        except session.Interrupted:
            status = _INTERRUPTED
            # At the end of the session, plug-ins count on having been told.
            hook.pytest_keyboard_interrupt(excinfo=pytest.ExceptionInfo.from_current())
        if status == 0:
            status = _FAILED if session.testsfailed else 0 if session.testscollected else NOTHING
        session.exitstatus = status
        # Their work for the end of the session, or for the next one, is lost with this process anyway.
        manager = self._config.pluginmanager
        needless = [manager.get_plugin(name) for name in ("tmpdir", "lfplugin", "nfplugin")]
        finish = manager.subset_hook_caller("pytest_sessionfinish", [one for one in needless if one is not None])
        finish(session=session, exitstatus=status)
        return int(session.exitstatus)


def _objects(is_wanted: Callable[[type], bool]) -> List[Any]:
    """Return all objects of the wanted types; there are a hundred thousand objects, and a few hundred types."""
    known = gc.get_objects()
    types = list(map(type, known))
    wanted = set(filter(is_wanted, set(types)))
    return [each for each, kind in zip(known, types) if kind in wanted]


def _files(paths: Iterable[str]) -> List[str]:
    """Return the files of paths and node ids."""
    return [file for file in dict.fromkeys(path.partition("::")[0] for path in paths) if os.path.isfile(file)]


def _use_rewritten(whole: Rewritten) -> None:
    """Let pytest take the code of test files from `whole` if it is there."""
    from _pytest.assertion import rewrite

    patched: Any = rewrite
    read = patched._read_pyc

    def recall(source: Any, *arguments: Any, **named: Any) -> Any:
        return whole.recall(source) or read(source, *arguments, **named)

    patched._read_pyc = recall


def preload(names: Iterable[str], *, before_pytest: bool) -> None:
    """Import those of the named libraries that exist.

    `before_pytest` leaves out its plug-ins, whose assertions pytest rewrites only if it imports them itself.
    """
    left_out = {"pytest", "_pytest", *(_plugins() if before_pytest else ())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            if name in sys.modules or name.partition(".")[0] in left_out:
                continue
            try:
                found = importlib.util.find_spec(name)
                if found is not None and is_library(found.origin):
                    importlib.import_module(name)
            except Exception:
                # A run that needs the library will report its error itself.
                continue


_SMALL_INTEGER = opcode.opmap.get("LOAD_SMALL_INT")
"""From Python 3.14 on this instruction holds an integer up to 255, which is no constant of the code then."""


def without_values(code: CodeType) -> CodeType:
    """Return code that has none of the values that are written in it."""
    steps = bytearray(code.co_code)
    for place in range(0, len(steps), 2):
        if steps[place] == _SMALL_INTEGER:
            steps[place + 1] = 0
    return code.replace(co_consts=(None,) * len(code.co_consts), co_code=bytes(steps))


def libraries() -> List[str]:
    """Return the names of imported modules outside the project, in the order of import."""
    found = []
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__dict__", {}).get("__spec__")
        if spec is not None and spec.name == name and is_library(getattr(spec, "origin", None)):
            found.append(name)
    return [name for name in found if name.partition(".")[0] not in ("certo_worker", "__main__")]


def _plugins() -> Set[str]:
    """Return the top-level modules of distributions with a pytest plug-in.

    pytest rewrites the assertions of all of them, and warns of those that it finds imported.
    """
    found: Set[str] = set()
    for distribution in metadata.distributions():
        for entry in distribution.entry_points:
            if entry.group == "pytest11":
                found.update((entry.value.partition(":")[0].partition(".")[0], entry.name.replace("-", "_")))
                found.add((distribution.metadata["Name"] or "").replace("-", "_").lower())
                found.update(file.parts[0].partition(".")[0] for file in distribution.files or ())
    return found
