"""System calls that Python does not offer, with failures as OSError (Linux only)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Optional

_libc: Any = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

_DETACH = 2


def syscall(number: int, *arguments: Any) -> int:
    """Make a system call by its number; arguments other than numbers are passed as pointers.

    Raises:
        OSError: The kernel refused; the message quotes it.
    """
    return _checked("system call {}".format(number), _libc.syscall(ctypes.c_long(number), *map(_wide, arguments)))


def prctl(option: int, *arguments: int) -> int:
    """Set or get an attribute of this process.

    Raises:
        OSError: The kernel refused; the message quotes it.
    """
    four = [*arguments, 0, 0, 0, 0][:4]
    return _checked("prctl {}".format(option), _libc.prctl(ctypes.c_int(option), *map(_wide, four)))


def unshare(flags: int) -> None:
    """Give this process namespaces of its own.

    Raises:
        OSError: The kernel refused; the message quotes it.
    """
    _checked("unshare", _libc.unshare(ctypes.c_int(flags)))


def mount(source: Optional[str], place: str, kind: Optional[str], flags: int, options: Optional[str] = None) -> None:
    """Mount a new file system of that kind, or the existing one at `source`, over `place`.

    Raises:
        OSError: The kernel refused; the message quotes it.
    """
    words = [None if word is None else os.fsencode(word) for word in (source, place, kind, options)]
    result = _libc.mount(*words[:3], ctypes.c_ulong(flags), words[3])
    _checked("mount of {} on {}".format(kind or source, place), result)


def unmount(place: str) -> None:
    """Detach the topmost mount at `place`; processes that use it keep it.

    Raises:
        OSError: The kernel refused; the message quotes it.
    """
    _checked("unmount of {}".format(place), _libc.umount2(os.fsencode(place), ctypes.c_int(_DETACH)))


def drop_capability_sets() -> None:
    """Empty the effective, permitted and inheritable capability sets of this process.

    Raises:
        OSError: The kernel refused.
    """
    # The version with 64 bits per set, and this process; then three sets in two words each, see capset(2).
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _checked("capset", _libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())))


def _wide(argument: Any) -> Any:
    """Return an int as the kernel's long: ctypes would pass 32 bits, and leave the rest of the register undefined."""
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def _checked(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, "{}: {}".format(what, os.strerror(number)))
    return result
