"""A trace of runs: which were made, when they began and ended, and the processor time they took."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import field

from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Message, Work
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRun:
    """One run: its work, its start and end in seconds since the trace began, and how it finished.

    `finished` is None for a run that was cancelled.
    """

    work: Work
    began: float
    ended: float
    finished: Finished | None


@dataclass(slots=True)
class RunTrace:
    """The runs of one search in the order of their ends."""

    began: float = field(default_factory=time.monotonic)
    runs: list[TracedRun] = field(default_factory=list)

    def take_seconds(self) -> float:
        """Return the processor seconds of the runs so far, and forget these; of a cancelled one all of its time."""
        runs, self.runs = self.runs, []
        return sum(run.ended - run.began if run.finished is None else run.finished.cpu_seconds for run in runs)


_active: ContextVar[RunTrace | None] = ContextVar("certo.sandbox.trace", default=None)


@contextmanager
def trace_runs(trace: RunTrace | None = None) -> Iterator[RunTrace]:
    """Trace the runs of every search that is started within the context; a trace around it goes on.

    They are added to `trace`, if one is given.
    """
    known = _active.get()
    if known is not None:
        yield known
        return
    trace = RunTrace() if trace is None else trace
    token = _active.set(trace)
    try:
        yield trace
    finally:
        _active.reset(token)


def traced(executor: Executor) -> Executor:
    """Return the executor with its runs traced if a trace is active, or else the executor itself."""
    trace = _active.get()
    return executor if trace is None else TracedExecutor(executor, trace)


class TracedExecutor(ExecutorWrapper):
    """Wrapper around an executor that adds each run to a trace."""

    def __init__(self, executor: Executor, trace: RunTrace) -> None:
        super().__init__(executor)
        self._trace = trace

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TracedExecutor):
            return NotImplemented
        return self._executor is other._executor and self._trace is other._trace

    def __hash__(self) -> int:
        return hash((id(self._executor), id(self._trace)))

    @asynccontextmanager
    async def warmed(self, work: Work, /) -> AsyncIterator[Executor]:
        """Yield an executor whose runs like this one start warm, and are traced; see `Executor`."""
        async with self._executor.warmed(work) as warm:
            yield TracedExecutor(warm, self._trace)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, and add the run to the trace; see `Executor`."""
        began = time.monotonic()
        finished = None
        try:
            finished = await self._executor.run(work, tell)
            return finished
        finally:
            since = self._trace.began
            run = TracedRun(work=work, began=began - since, ended=time.monotonic() - since, finished=finished)
            self._trace.runs.append(run)
