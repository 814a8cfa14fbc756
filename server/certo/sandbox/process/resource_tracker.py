"""Registry of running processes and open connections, to report what is left when their owner has to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from certo.sandbox.process import process_table
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class _TrackedResource:
    """One running thing. A process leads the session `pid`; all below it have `mark` in their environment."""

    what: str
    pid: int | None
    mark: str


class ResourceTracker:
    """The processes and connections registered by one owner, from their start to their complete end."""

    def __init__(self) -> None:
        self._entries: dict[object, _TrackedResource] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Register what this task, and every task it starts, tracks."""
        before = _ROLL.set(self)
        try:
            yield
        finally:
            _ROLL.reset(before)

    def left(self) -> tuple[str, ...]:
        """Return everything still running, in words: living processes with their ids, and open connections."""
        return tuple(words for entry in self._entries.values() for words in _living(entry))

    def _enter(self, entry: _TrackedResource) -> Callable[[], None]:
        key = object()
        self._entries[key] = entry

        def leave() -> None:
            self._entries.pop(key, None)

        return leave


_ROLL: ContextVar[ResourceTracker | None] = ContextVar("certo_roll", default=None)


def current_tracker() -> ResourceTracker | None:
    """Return the tracker of this task, if it has one."""
    return _ROLL.get()


@contextmanager
def tracked_by(tracker: ResourceTracker | None) -> Iterator[None]:
    """Let tasks that are started here be tracked by another tracker, or by none, because they outlive the owner."""
    before = _ROLL.set(tracker)
    try:
        yield
    finally:
        _ROLL.reset(before)


def track(what: str, pid: int | None = None, mark: str = "") -> Callable[[], None]:
    """Register a running process or open connection and return a callback that unregisters it."""
    roll = _ROLL.get()
    return _nothing if roll is None else roll._enter(_TrackedResource(what, pid, mark))


@contextmanager
def entered(what: str) -> Iterator[None]:
    """Register a connection as open for the duration of the block."""
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
    """Do nothing: there is no tracker to unregister from."""
