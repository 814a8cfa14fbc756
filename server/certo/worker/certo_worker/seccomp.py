"""The system call filter: what a program of this kind never needs is refused by the kernel, for it and its children.

The filter is a program for the kernel's classic BPF machine, see seccomp(2): it loads the call's number and compares.
What it refuses fails like a missing permission, so that a program can say what it was denied.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from typing import Dict, Iterable, List, Tuple

from certo_worker.kernel import prctl
from certo_worker.syscalls import processor

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _AUDIT_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

Step = Tuple[int, int, int, int]
"""One instruction: its code, how many to skip when true and when false, and its operand."""

_CLONE_THREAD = 0x10000
_NEW_NAMESPACES = 0x7E020000
_LOCAL_FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink, which lists interfaces. Others, such as vsock, know no network namespaces."""

_STREAM, _SEQUENCED = 1, 5
_SOCKET_KINDS = 0xF
_REDIRECT_SIGNALS = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: they have the kernel send a signal to a process of our choosing."""

_DANGEROUS_CONTROLS = (0x5412, 0x541C, 0x8901, 0x8902)
"""TIOCSTI and TIOCLINUX type into a terminal; FIOSETOWN and SIOCSPGRP redirect signals."""

_NEVER = """
    rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_getfd ptrace process_vm_readv process_vm_writev
    process_madvise process_mrelease kcmp ioprio_set unshare setns mount umount2 pivot_root chroot fsopen fsconfig
    fsmount fspick move_mount open_tree mount_setattr bpf perf_event_open userfaultfd io_uring_setup io_uring_enter
    io_uring_register add_key request_key keyctl syslog personality shmget msgget semget mq_open memfd_secret
    name_to_handle_at open_by_handle_at fanotify_init quotactl acct
    setuid setgid setreuid setregid setgroups setresuid setresgid setfsuid setfsgid capset
"""
"""Other processes, namespaces, other identities, kernel surface that has often been a way out, lasting memory."""

_ON_ONESELF = (
    ("prlimit64", 0),
    ("sched_setaffinity", 0),
    ("sched_setscheduler", 0),
    ("sched_setparam", 0),
    ("sched_setattr", 0),
)
"""Calls that also reach other processes of the user, and the argument that says which."""

_ALL_OF_A_USER = 2
"""What setpriority(2) calls PRIO_USER."""

_ATTRIBUTES = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr lsetxattr
    fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr truncate
"""
"""What changes a file without opening it, which Landlock does not see."""


class Allowed:
    """What the filter leaves open: forking, starting programs, sockets, and changing modes and times of files."""

    def __init__(self, *, forks: bool, executes: bool, connects: bool, attributes: bool) -> None:
        self.forks = forks
        self.executes = executes
        self.connects = connects
        self.attributes = attributes

    def key(self) -> Tuple[bool, ...]:
        """What tells one from another."""
        return self.forks, self.executes, self.connects, self.attributes


def install(allowed: Allowed, own: int) -> None:
    """Have the kernel filter the calls of this process, whose id is `own`, and of all that it starts from now on.

    Raises:
        OSError: the kernel refused, or the processor is not one of the two the filter is written for.
    """
    packed = code(allowed, own)
    held = ctypes.create_string_buffer(packed, len(packed))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(packed) // _STEP.size, ctypes.addressof(held)))
    prctl(_SET_NO_NEW_PRIVS, 1)
    prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(described))


def foresee(allowed: Allowed) -> None:
    """Make the filter now for processes whose ids are not known yet."""
    _foreseen[allowed.key()] = code(allowed, _SOMEBODY)


def code(allowed: Allowed, own: int) -> bytes:
    """The filter as the kernel takes it."""
    foreseen = _foreseen.get(allowed.key())
    if foreseen is not None:
        return foreseen.replace(_packed(_SOMEBODY), _packed(own))
    return b"".join(_STEP.pack(*step) for step in program(allowed, own))


def _packed(own: int) -> bytes:
    return struct.pack("=I", own)


_STEP = struct.Struct("=HBBI")
_SOMEBODY = 0x5EC0C0DE
"""No process has this id: the kernel gives none above 2 to the 22nd; and no instruction has these bytes besides."""

_foreseen: Dict[Tuple[bool, ...], bytes] = {}


def program(allowed: Allowed, own: int) -> List[Step]:
    """The filter's instructions, which differ from processor to processor only in numbers."""
    here = processor()
    # A call made by the numbers of another instruction set would mean something else than what is compared here.
    steps = [_load(_AUDIT_AT), (_EQUAL, 1, 0, here.audit), (_RETURN, 0, 0, _KILL), _load(_NUMBER_AT)]
    if here.has_x32:
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    for name, body in [*_about_processes(allowed, own), *_about_sockets(allowed), *_about_the_rest(allowed)]:
        number = here.numbers[name]
        if number is not None:
            steps += [(_EQUAL, 0, len(body), number), *body]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


Rule = Tuple[str, List[Step]]


def _about_processes(allowed: Allowed, own: int) -> List[Rule]:
    # Its flags are in memory, which a filter cannot read; without it the C library takes `clone`.
    rules = [("clone3", _fail(errno.ENOSYS))]
    if allowed.forks:
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), *_FAIL_OR_ALLOW]))
    else:
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 1, 0, _CLONE_THREAD), *_FAIL_OR_ALLOW]))
        rules += _each("fork vfork")
        # With children there are ids to signal that nobody knows yet; Landlock or a namespace keeps those apart.
        rules += [(name, _only(0, (own,))) for name in ("kill", "tkill", "tgkill")]
    if not allowed.executes:
        # A file in memory is a way around the limit on files, and of use only to be shared or run.
        rules += _each("execve execveat memfd_create")
    rules += [(name, _only(argument, (0, own))) for name, argument in _ON_ONESELF]
    # Who is meant by its second argument is for the first to say, and may be all the processes of the user.
    not_all = [_load_argument(0), (_EQUAL, 0, 1, _ALL_OF_A_USER), (_RETURN, 0, 0, _FAIL | errno.EPERM)]
    rules.append(("setpriority", [*not_all, *_only(1, (0, own))]))
    return rules


def _about_sockets(allowed: Allowed) -> List[Rule]:
    if allowed.connects:
        return [("socket", _only(0, _LOCAL_FAMILIES, error=errno.EACCES))]
    # A datagram socket can be sent on to any other by its name, though it was made as one of a pair.
    pair = _only(1, (_STREAM, _SEQUENCED), mask=_SOCKET_KINDS, error=errno.EACCES)
    return [("socketpair", pair), *_each("socket connect bind listen accept accept4", errno.EACCES)]


def _about_the_rest(allowed: Allowed) -> List[Rule]:
    rules = [("fcntl", _none_of(1, _REDIRECT_SIGNALS)), ("ioctl", _none_of(1, _DANGEROUS_CONTROLS)), *_each(_NEVER)]
    return rules if allowed.attributes else rules + _each(_ATTRIBUTES)


def _each(names: str, error: int = errno.EPERM) -> List[Rule]:
    return [(name, _fail(error)) for name in names.split()]


def _fail(error: int) -> List[Step]:
    return [(_RETURN, 0, 0, _FAIL | error)]


_FAIL_OR_ALLOW: List[Step] = [(_RETURN, 0, 0, _FAIL | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]


def _only(argument: int, values: Tuple[int, ...], *, mask: int = 0xFFFFFFFF, error: int = errno.EPERM) -> List[Step]:
    """Fail unless the low half of an argument, which is all the kernel looks at there, is one of `values`."""
    return [
        _load_argument(argument),
        (_AND, 0, 0, mask),
        *_skip_over_one(values),
        (_RETURN, 0, 0, _FAIL | error),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _none_of(argument: int, values: Tuple[int, ...]) -> List[Step]:
    return [
        _load_argument(argument),
        *_skip_over_one(values),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _FAIL | errno.EPERM),
    ]


def _skip_over_one(values: Tuple[int, ...]) -> Iterable[Step]:
    """Compare with each value; any of them skips the rest and the instruction after them."""
    return [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]


def _load_argument(argument: int) -> Step:
    return _load(_ARGUMENTS_AT + 8 * argument)


def _load(offset: int) -> Step:
    return (_LOAD, 0, 0, offset)
