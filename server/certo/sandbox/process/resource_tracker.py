"""The roll of what somebody has running, each by what it is: so that it can be said what is left when it has to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from certo.sandbox.process import process_table


@dataclass(frozen=True, slots=True)
class _TrackedResource:
    """One thing that is running. A process leads the session `pid`; all below it have `mark` in their environment."""

    what: str
    pid: int | None
    mark: str


class ResourceTracker:
    """What is running, from the moment it is there to the moment nothing of it is."""

    def __init__(self) -> None:
        self._entries: dict[object, _TrackedResource] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Take in what this task, and every task it starts, enters."""
        before = _ROLL.set(self)
        try:
            yield
        finally:
            _ROLL.reset(before)

    def left(self) -> tuple[str, ...]:
        """What is still running, in words: every living process with its number, and every open connection."""
        return tuple(words for entry in self._entries.values() for words in _living(entry))

    def _enter(self, entry: _TrackedResource) -> Callable[[], None]:
        key = object()
        self._entries[key] = entry

        def leave() -> None:
            self._entries.pop(key, None)

        return leave


_ROLL: ContextVar[ResourceTracker | None] = ContextVar("certo_roll", default=None)


def track(what: str, pid: int | None = None, mark: str = "") -> Callable[[], None]:
    """Say that something is running, a process with its session or a connection; call what comes back at its end."""
    roll = _ROLL.get()
    return _nothing if roll is None else roll._enter(_TrackedResource(what, pid, mark))


@contextmanager
def entered(what: str) -> Iterator[None]:
    """Say that a connection is open for as long as the block lasts."""
    leave = track(what)
    try:
        yield
    finally:
        leave()


def _living(entry: _TrackedResource) -> Iterator[str]:
    if entry.pid is None:
        yield entry.what
        return
    for process in process_table.members(entry.pid, entry.mark):
        yield f"process {process.pid} of {entry.what}"


def _nothing() -> None:
    """Leave a roll that nobody keeps."""
