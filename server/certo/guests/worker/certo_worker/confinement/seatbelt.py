"""Seatbelt, the sandbox of macOS, applied to this process by its C library (not tried on a real macOS yet)."""

from __future__ import annotations

import ctypes
import os
import socket

_TRIAL = '(version 1)(allow default)(deny network*)(deny process-fork)(deny file-read-data (subpath "/private/etc"))'


def restrict(profile: str) -> None:
    """Confine this process, and all it starts, by a profile, for good.

    Raises:
        OSError: It was refused, or there is no such sandbox here; the message quotes the system.
    """
    words = ctypes.c_char_p()
    init = _sandbox_init()
    # No flags: the text itself is a profile. With the only flag it would be the name of one.
    if init(os.fsencode(profile), 0, ctypes.byref(words)) != 0:
        raise OSError("sandbox_init: {}".format((words.value or b"refused").decode("utf-8", "replace")))


def works() -> bool:
    """True if a trial profile is enforced, which stays in force in this process."""
    try:
        restrict(_TRIAL)
    except OSError:
        return False
    return _refused_reading() and _refused_forking() and _refused_connecting()


def require() -> None:
    """Check that this interpreter can call it.

    Raises:
        OSError: There is no such sandbox here.
    """
    _sandbox_init()


def _sandbox_init() -> "ctypes._NamedFuncPointer":
    try:
        init = ctypes.CDLL(None).sandbox_init
    except AttributeError:
        raise OSError("there is no Seatbelt here") from None
    init.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p)]
    init.restype = ctypes.c_int
    return init


def _refused_reading() -> bool:
    try:
        with open("/private/etc/hosts", "rb"):
            return False
    except PermissionError:
        return True


def _refused_forking() -> bool:
    try:
        if os.fork() == 0:
            os._exit(0)
    except PermissionError:
        return True
    os.wait()
    return False


def _refused_connecting() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing, so only the sandbox can refuse it.
            probe.connect(("127.0.0.1", 9))
        except PermissionError:
            return True
    return False
