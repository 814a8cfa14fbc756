"""The calls that the tests make of the target: written as expressions, or compared where they happen.

What cannot be written is compared live: the process forks once per version as the test enters the target, so each has
the real arguments, and the test goes on with the project's own version.
"""

from __future__ import annotations

import json
import os
import select
import signal
import tempfile
from contextlib import suppress
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Sequence

from certo_builtin.differential.call_recorder import Recorder
from certo_builtin.differential.value_view import View, shown
from certo_builtin.differential.version_process import kept_alone
from certo_builtin.differential.versions import STEPS, Loaded, LocalVersion, Outcome, checked, made
from certo_builtin.execution.allowance import Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fork_pool import Emit, streamed
from certo_builtin.execution.runner import CandidateRunner

TEST_STEPS = 200_000
TEST_SECONDS = 5.0
"""Limits of one test."""

MAX_TESTS = 200
MAX_LIVE = 24
"""Maximum number of calls that are compared live."""

MAX_SHOWN = 120

MAX_DESCRIPTORS = 256
"""Number of descriptors of which the first open files are put back after each fork."""

ANSWER_SECONDS = 3.0
"""Time limit of one call in a fork."""


def observed(
    loaded: Loaded, checks: Sequence[Check], versions: Sequence[LocalVersion], request: Optional[Dict[str, Any]] = None
) -> List[Dict[str, Any]]:
    """Run tests in a child; return messages about their different calls, and about outcomes of live ones.

    `versions` are those that live calls are made in, the first of them twice; without any, none is made. The `request`
    is what tells of all of them.
    """
    if not loaded.hot_swap.live:
        return []
    recorder = Recorder(loaded.target, loaded.names)
    runner = CandidateRunner(loaded.hot_swap, checks, loaded.runner.meter, loaded.allowance)

    def work(emit: Emit) -> None:
        live = _LiveCalls(loaded, versions, request or {}, emit)
        recorder.on_unwritten = live.compare
        recorder.watch(loaded.hot_swap, (), emit)
        for index, check in enumerate(checks[:MAX_TESTS]):
            live.where = check.identity
            runner.run_check(index, TEST_STEPS, TEST_SECONDS)
        emit({"kind": "unwritten", "names": sorted(recorder.writer.unwritten)})

    said: List[Dict[str, Any]] = []
    try:
        said.extend(streamed(work, TEST_SECONDS + 2.0 + ANSWER_SECONDS, loaded.allowance))
    except Spent:
        pass
    return said


class _LiveCalls:
    """Makes calls with the arguments that are there, in a fork for each version."""

    def __init__(
        self,
        loaded: Loaded,
        versions: Sequence[LocalVersion],
        request: Dict[str, Any],
        emit: Callable[[Any], None],
    ) -> None:
        self.where = ""
        self._request = request
        self._loaded = loaded
        self._versions = list(versions)
        self._emit = emit
        self._seen: Dict[str, None] = {}
        self._positions: Dict[int, int] = {}

    def compare(self, arguments: List[Any], named: Dict[str, Any]) -> None:
        """Report the outcomes of a call in each version, and again in the first; each different call once."""
        state = View((arguments, named)).state
        if not self._versions or state in self._seen or len(self._seen) >= MAX_LIVE:
            return
        self._seen[state] = None
        self._positions = _positions()
        outcomes = self._outcomes(arguments, named)
        _put_back(self._positions)
        texts = [*map(shown, arguments), *("{}={}".format(name, shown(one)) for name, one in named.items())]
        # The temporary folder has another name in each run.
        texts = [one.replace(tempfile.gettempdir(), "…") for one in texts]
        text = ", ".join(one if len(one) <= MAX_SHOWN else one[:MAX_SHOWN] + "…" for one in texts)
        self._emit(
            {
                "kind": "live",
                "where": self.where,
                "text": "{}({})".format(self._loaded.target.name, text),
                "outcomes": outcomes[:-1],
                "again": outcomes[-1],
            }
        )

    def _outcomes(self, arguments: List[Any], named: Dict[str, Any]) -> List[Optional[Outcome]]:
        """Return the outcomes in each version, and again in the first.

        The forks exist before the first call is made, so none has the outcome of another in its memory.
        """
        forks: List[_Fork] = []
        for version in [*self._versions, self._versions[0]]:
            forks.append(_Fork(partial(self._outcome, version, arguments, named), forks))
        return [fork.outcome() for fork in forks]

    def _outcome(self, version: LocalVersion, arguments: List[Any], named: Dict[str, Any]) -> Outcome:
        _put_back(self._positions)
        kept_alone(version, self._versions, self._request)
        function = self._loaded.hot_swap.live[0][0]
        return version.outcome(lambda: made(function, list(arguments), dict(named), self._loaded.surroundings), STEPS)


class _Fork:
    """A copy of this process that makes one call when it is told to."""

    def __init__(self, call: Callable[[], Outcome], earlier: Sequence["_Fork"]) -> None:
        self._source, out = os.pipe()
        waiting, self._go = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                for other in earlier:
                    os.close(other._source)
                    os.close(other._go)
                os.close(self._source)
                os.close(self._go)
                if os.read(waiting, 1):
                    rest = json.dumps(call()).encode("ascii")
                    while rest:
                        rest = rest[os.write(out, rest) :]
            finally:
                os._exit(0)
        os.close(out)
        os.close(waiting)

    def outcome(self) -> Optional[Outcome]:
        """Let it make its call, and return the outcome; None if there is none."""
        said = b""
        try:
            with suppress(BrokenPipeError):
                os.write(self._go, b".")
            while select.select([self._source], [], [], ANSWER_SECONDS)[0]:
                chunk = os.read(self._source, 65536)
                if not chunk:
                    break
                said += chunk
        finally:
            os.close(self._source)
            os.close(self._go)
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        try:
            return checked(json.loads(said.decode("ascii")))
        except (ValueError, RecursionError):
            return None


def _positions() -> Dict[int, int]:
    """Return the positions in open files by descriptor: forks share them, so what one reads is gone for the next."""
    found: Dict[int, int] = {}
    for number in range(3, MAX_DESCRIPTORS):
        try:
            found[number] = os.lseek(number, 0, os.SEEK_CUR)
        except OSError:  # not open, or a pipe
            pass
    return found


def _put_back(positions: Dict[int, int]) -> None:
    for number, position in positions.items():
        os.lseek(number, position, os.SEEK_SET)
