"""Reporter that adds the lines of the project each test executed, and the frames of its failure."""

from __future__ import annotations

import os
from typing import Any, Dict, Generator, List, Optional

import pytest

from certo_worker.observation.clock import Clock
from certo_worker.observation.failure_text import Tell, frames_of, is_own, with_causes
from certo_worker.observation.tracing import Sight
from certo_worker.suite.reporter import Reporter
from certo_worker.suite.spectrum import Lines, Spectrum, watcher
from certo_worker.suite.watched_phases import WatchedPhases


class Spotter(Reporter):
    """Reports each test as the reporter does, with its `lines` by file, and its `frames`, innermost first.

    A frame is a file of the project and a line in it.
    """

    def look(
        self, tell: Tell, spectrum: Spectrum, clock: Clock, *, root: str, skipped: List[str], total: float
    ) -> None:
        """Prepare for one run of all tests except those `skipped`."""
        self._spectrum = spectrum
        self._of_fixtures: Dict[str, Lines] = {}
        self._real_root = os.path.realpath(root)

        def tell_more(message: Dict[str, Any]) -> None:
            tell({**message, "lines": self._lines()} if message["kind"] == "test" else message)

        nowhere = Sight("", 1, 0)
        self.begin(tell_more, nowhere, clock, root=root, chosen=None, skipped=set(skipped), total=total)
        self._watcher = watcher(spectrum)
        self._phases = WatchedPhases(self._watcher, is_cheap=True)

    def _lines(self) -> Dict[str, List[int]]:
        return {file: sorted(numbers) for file, numbers in self._spectrum.take().items()}

    def _before_call(self, item: Any) -> None:
        """Count lines executed by shared fixtures for an earlier test as executed for this one."""
        for name in getattr(item, "fixturenames", ()):
            self._spectrum.merge(self._of_fixtures.get(name, {}))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, None]:
        """Record the lines that fixtures execute, for the later tests that use them."""
        before = self._spectrum.take()
        yield
        within = self._spectrum.take()
        if fixturedef.scope != "function":
            self._of_fixtures[fixturedef.argname] = within
        self._spectrum.merge(before)
        self._spectrum.merge(within)

    def _describe(self, item: Any, call: Any, report: Any) -> None:
        super()._describe(item, call, report)
        error: Optional[BaseException] = None if call.excinfo is None else call.excinfo.value
        frames = [] if error is None else [frame for each in with_causes(error) for frame in self._own(each)]
        self._record["frames"] = frames

    def _own(self, error: BaseException) -> List[List[Any]]:
        """Return the project's frames in the traceback of an exception."""
        files = [(os.path.realpath(file), line) for file, line in reversed(frames_of(error.__traceback__))]
        return [
            [os.path.relpath(file, self._real_root).replace(os.sep, "/"), line]
            for file, line in files
            if is_own(file, self._real_root)
        ]
