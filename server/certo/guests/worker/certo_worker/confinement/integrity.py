"""Windows' low integrity, applied to this process for good: it may write to nothing of the user's afterwards.

It can still read the user's files and use the network (not tried on a real Windows yet).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

LOW_INTEGRITY = bytes([1, 1, 0, 0, 0, 0, 0, 16]) + (0x1000).to_bytes(4, "little")
"""The security identifier S-1-16-4096: revision, number of parts, authority, part."""

_TOKEN_QUERY, _TOKEN_ADJUST_PRIVILEGES, _TOKEN_ADJUST_DEFAULT = 0x8, 0x20, 0x80
_TOKEN_INTEGRITY_LEVEL = 25
_IS_INTEGRITY = 0x20
_LABEL_INFORMATION = 0x10
_LOW_AND_BELOW = "S:(ML;OICI;NW;;;LW)"


class MandatoryLabel(ctypes.Structure):
    """TOKEN_MANDATORY_LABEL."""

    _fields_ = [("identifier", ctypes.c_void_p), ("attributes", ctypes.c_uint32)]


def lower() -> None:
    """Give up every privilege of this process, and switch to low integrity.

    Raises:
        OSError: Windows refused; the program must not be run then.
    """
    if sys.platform != "win32":
        raise OSError("integrity levels are a thing of Windows")
    kernel, security = ctypes.WinDLL("kernel32", use_last_error=True), ctypes.WinDLL("advapi32", use_last_error=True)
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    token = ctypes.c_void_p()
    wanted = _TOKEN_QUERY | _TOKEN_ADJUST_PRIVILEGES | _TOKEN_ADJUST_DEFAULT
    _check(security.OpenProcessToken(ctypes.c_void_p(kernel.GetCurrentProcess()), wanted, ctypes.byref(token)))
    try:
        _check(security.AdjustTokenPrivileges(token, True, None, 0, None, None))
        identifier = ctypes.create_string_buffer(LOW_INTEGRITY, len(LOW_INTEGRITY))
        label = MandatoryLabel(ctypes.addressof(identifier), _IS_INTEGRITY)
        size = ctypes.sizeof(label) + len(LOW_INTEGRITY)
        _check(security.SetTokenInformation(token, _TOKEN_INTEGRITY_LEVEL, ctypes.byref(label), size))
    finally:
        kernel.CloseHandle(token)


def open_to_low(directory: str) -> None:
    """Let processes of low integrity write to a directory of ours and its contents.

    Raises:
        OSError: Windows refused.
    """
    if sys.platform != "win32":
        raise OSError("integrity levels are a thing of Windows")
    kernel, security = ctypes.WinDLL("kernel32", use_last_error=True), ctypes.WinDLL("advapi32", use_last_error=True)
    described = ctypes.c_void_p()
    convert = security.ConvertStringSecurityDescriptorToSecurityDescriptorW
    _check(convert(ctypes.c_wchar_p(_LOW_AND_BELOW), 1, ctypes.byref(described), None))
    try:
        _check(security.SetFileSecurityW(ctypes.c_wchar_p(directory), _LABEL_INFORMATION, described))
    finally:
        kernel.LocalFree(described)


def works() -> bool:
    """True if this process can switch to low integrity, which it does for good."""
    try:
        lower()
    except OSError:
        return False
    return True


def _check(result: Any) -> None:
    if sys.platform == "win32" and not result:
        raise ctypes.WinError(ctypes.get_last_error())
