"""Objects of the kernel that a user's programs share: memory, messages, a semaphore, a named queue."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_PRIVATE, _REMOVE, _READ_VALUE, _SET_VALUE = 0, 0, 12, 16
_OWN, _AT_ONCE, _NO_SUCH = 0o600, 0o4000, ctypes.c_void_p(-1).value
_SHARED, _SENT, _VALUE = b"SECRET", b"a message", 3

_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p
_libc.mq_send.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint)


@dataclass(frozen=True, kw_only=True)
class Shared:
    """One object of each kind, by number, and the queue by name; `key` belongs to no object."""

    memory: int
    messages: int
    semaphore: int
    queue: str
    key: int

    def harm(self) -> list[str]:
        """Return the changes, in words."""
        found = [] if self._text() == _SHARED else ["shared memory was changed or removed"]
        if not self._has_its_message():
            found.append("a message was taken, or a queue removed")
        if _libc.semctl(self.semaphore, 0, _READ_VALUE) != _VALUE:
            found.append("a semaphore was turned or removed")
        if not self._has_its_named_message():
            found.append("a named queue was emptied or removed")
        made = (
            _libc.shmget(self.key, ctypes.c_size_t(0), 0),
            _libc.msgget(self.key, 0),
            _libc.semget(self.key, 0, 0),
        )
        return found + (["something was left for others to share"] if max(made) >= 0 else [])

    def _text(self) -> bytes:
        place = _libc.shmat(self.memory, None, 0o10000)
        if place in (None, _NO_SUCH):
            return b""
        try:
            return ctypes.string_at(place, len(_SHARED))
        finally:
            _libc.shmdt(ctypes.c_void_p(place))

    def _has_its_message(self) -> bool:
        space = ctypes.create_string_buffer(64)
        taken = _libc.msgrcv(self.messages, space, ctypes.c_size_t(32), ctypes.c_long(0), _AT_ONCE)
        if taken != len(_SENT):
            return False
        _send(self.messages)
        return bytes(space[8 : 8 + taken]) == _SENT

    def _has_its_named_message(self) -> bool:
        queue = _libc.mq_open(self.queue.encode(), os.O_RDONLY | os.O_NONBLOCK)
        if queue < 0:
            return False
        try:
            about = (ctypes.c_long * 16)()
            return _libc.mq_getattr(queue, about) == 0 and about[3] == 1
        finally:
            os.close(queue)


@contextmanager
def shared(mark: str) -> Iterator[Shared]:
    """Yield new objects of all kinds, which are removed at the end in any case."""
    made = Shared(
        memory=_there(_libc.shmget(_PRIVATE, ctypes.c_size_t(4096), _OWN)),
        messages=_there(_libc.msgget(_PRIVATE, _OWN)),
        semaphore=_there(_libc.semget(_PRIVATE, 1, _OWN)),
        queue=f"/{mark}",
        key=int(mark[-6:], 16),
    )
    try:
        place = _libc.shmat(made.memory, None, 0)
        ctypes.memmove(place, _SHARED, len(_SHARED))
        _libc.shmdt(ctypes.c_void_p(place))
        _send(made.messages)
        _there(_libc.semctl(made.semaphore, 0, _SET_VALUE, _VALUE))
        queue = _there(_libc.mq_open(made.queue.encode(), os.O_RDWR | os.O_CREAT, ctypes.c_uint(_OWN), None))
        _there(_libc.mq_send(queue, _SENT, len(_SENT), 0))
        os.close(queue)
        yield made
    finally:
        _libc.shmctl(made.memory, _REMOVE, None)
        _libc.msgctl(made.messages, _REMOVE, None)
        _libc.semctl(made.semaphore, 0, _REMOVE)
        _libc.mq_unlink(made.queue.encode())
        for number, remove in (
            (_libc.shmget(made.key, ctypes.c_size_t(0), 0), _libc.shmctl),
            (_libc.msgget(made.key, 0), _libc.msgctl),
        ):
            if number >= 0:
                remove(number, _REMOVE, None)


def _send(messages: int) -> None:
    said = ctypes.create_string_buffer((1).to_bytes(8, "little") + _SENT)
    _there(_libc.msgsnd(messages, said, ctypes.c_size_t(len(_SENT)), _AT_ONCE))


def _there(number: int) -> int:
    if number < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return number
