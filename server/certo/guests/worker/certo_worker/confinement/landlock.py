"""Landlock: from here on this process and its children can open only the permitted files (Linux 5.13 and later)."""

from __future__ import annotations

import os
import stat
import struct
from typing import Iterable

from certo_worker.confinement.kernel import prctl, syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_FIRST = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_LATER = ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEVICE))
"""Rights added by later versions of the interface; a ruleset may name only those the kernel knows."""

_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_READ = _EXECUTE | _READ_FILE | _READ_DIR

_ALL_TCP = 0b11
_TCP_SINCE = 4
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_SCOPES_SINCE = 6


def version() -> int:
    """Return the version of the kernel's interface, from 1; 0 if Landlock is missing or disabled."""
    try:
        return syscall(_CREATE_RULESET, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], *, tcp: bool, listed: Iterable[str] = ()) -> None:
    """Allow reading and executing only below `readable`, changes only below `writable`; missing places are ignored.

    Below `listed` the names of directories' entries can be read besides.

    Besides, where the kernel can: no TCP unless `tcp`, no abstract socket and no signal to anyone not restricted with
    us. What is open stays open. Modes, owners and times of files are beyond Landlock.

    Raises:
        OSError: The kernel refused; nothing is restricted then.
    """
    known = version()
    # A ruleset denies every right that it names and no rule grants, and leaves open what it does not name. So it names
    # all rights that this kernel knows.
    rights = _FIRST
    for since, right in _LATER:
        rights |= right if known >= since else 0
    # Each version added a field at the end, and an older kernel knows only the shorter form.
    fields = [rights]
    if known >= _TCP_SINCE:
        fields.append(0 if tcp else _ALL_TCP)
    if known >= _SCOPES_SINCE:
        fields.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = struct.pack("={}Q".format(len(fields)), *fields)
    ruleset = syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for place in readable:
            _allow(ruleset, place, _READ & rights)
        for place in listed:
            _allow(ruleset, place, _READ_DIR)
        for place in writable:
            _allow(ruleset, place, rights & ~(_MAKE_CHAR | _MAKE_BLOCK))
        prctl(_PR_SET_NO_NEW_PRIVS, 1)
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, place: str, rights: int) -> None:
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        # Missing, or inaccessible to us: nothing below it can be opened either way.
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_FILES
        if rights:
            syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
