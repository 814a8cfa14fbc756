"""The system call filter: the kernel refuses what a run does not need, to it and its children.

The filter is a program for the kernel's classic BPF machine, see seccomp(2): it loads the call's number and compares.
What it refuses fails like a missing permission, so that a program can say what it was denied; a call that is newer than
our list fails as on a kernel that does not have it, so that a program does as it does there.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from typing import Dict, Iterable, List, Optional, Tuple

from certo_worker import permitted
from certo_worker.kernel import prctl
from certo_worker.syscalls import NEWEST, Processor, processor

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2

_LOAD, _AND, _EQUAL, _MORE_THAN, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER_AT, _AUDIT_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

Step = Tuple[int, int, int, int]
"""One instruction: its code, how many to skip when true and when false, and its operand."""

_CLONE_THREAD = 0x10000
_NEW_NAMESPACES = 0x7E020000
_UNIX = 1
_STREAM, _SEQUENCED = 1, 5
_SOCKET_KINDS = 0xF
_ALL_OF_A_USER = 2
"""What setpriority(2) calls PRIO_USER."""


class Allowed:
    """What the filter leaves open: forking, starting programs, sockets, and changing modes and times of files.

    `alone` says that all files that are to be seen are the run's to see.
    """

    def __init__(self, *, forks: bool, executes: bool, connects: bool, attributes: bool, alone: bool) -> None:
        self.forks = forks
        self.executes = executes
        self.connects = connects
        self.attributes = attributes
        self.alone = alone

    def key(self) -> Tuple[bool, ...]:
        """What tells one from another."""
        return self.forks, self.executes, self.connects, self.attributes, self.alone


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


def program(allowed: Allowed, own: int, here: Optional[Processor] = None) -> List[Step]:
    """The filter's instructions for a processor, by default the one we run on."""
    here = here or processor()
    # A call made by the numbers of another instruction set would mean something else than what is compared here.
    steps = [_load(_AUDIT_AT), (_EQUAL, 1, 0, here.audit), (_RETURN, 0, 0, _KILL), _load(_NUMBER_AT)]
    if here.has_x32:
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    for name, body in _with_arguments(allowed, own):
        number = here.numbers[name]
        if number is not None:
            steps += [(_EQUAL, 0, len(body), number), *body]
    steps += _all_of(_names(allowed), here)
    return [*steps, (_MORE_THAN, 0, 1, NEWEST), *_fail(errno.ENOSYS), *_fail(errno.EPERM)]


Rule = Tuple[str, List[Step]]


def _names(allowed: Allowed) -> List[str]:
    """The calls that may be made with any arguments."""
    names = [permitted.ALWAYS]
    if allowed.forks:
        # With children there are ids to signal that nobody knows yet; Landlock or a namespace keeps others apart.
        names += [permitted.FORKING, permitted.SIGNALLING]
    if allowed.executes:
        names.append(permitted.EXECUTING)
    if allowed.connects:
        names.append(permitted.CONNECTING)
    if allowed.attributes:
        names.append(permitted.ATTRIBUTES)
    if allowed.alone:
        names += [permitted.WATCHING, permitted.READING_ATTRIBUTES]
    return " ".join(names).split()


def _all_of(names: List[str], here: Processor) -> List[Step]:
    """Allow some calls; their numbers are compared by stretches that have no gap."""
    numbers = sorted(number for number in map(here.numbers.__getitem__, names) if number is not None)
    stretches: List[List[int]] = []
    for number in numbers:
        if stretches and stretches[-1][1] == number - 1:
            stretches[-1][1] = number
        else:
            stretches.append([number, number])
    steps: List[Step] = []
    for first, last in stretches:
        steps += [(_AT_LEAST, 0, 2, first), (_MORE_THAN, 1, 0, last), (_RETURN, 0, 0, _ALLOW)]
    return steps


def _with_arguments(allowed: Allowed, own: int) -> List[Rule]:
    """What depends on the arguments, or fails in a way of its own."""
    rules = [*_about_processes(allowed, own), *_about_sockets(allowed)]
    rules.append(("fcntl", _only(1, permitted.CONTROLS)))
    rules.append(("ioctl", _only(1, permitted.DEVICE_CONTROLS, error=errno.ENOTTY)))
    rules.append(("prctl", _only(0, permitted.OWN_ATTRIBUTES, error=errno.EINVAL)))
    if not allowed.connects:
        rules += _each("socket " + permitted.CONNECTING, errno.EACCES)
    if not allowed.alone:
        # Whoever copies a file asks for what is noted about it, and takes this for an answer.
        rules += _each(permitted.READING_ATTRIBUTES, errno.ENOTSUP)
    return rules


def _about_processes(allowed: Allowed, own: int) -> List[Rule]:
    # Its flags are in memory, which a filter cannot read; without it the C library takes `clone`.
    rules = [("clone3", _fail(errno.ENOSYS))]
    if allowed.forks:
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), *_FAIL_OR_ALLOW]))
    else:
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 1, 0, _CLONE_THREAD), *_FAIL_OR_ALLOW]))
        rules += [(name, _only(0, (own,))) for name in permitted.SIGNALLING.split()]
    rules += [(name, _only(0, (0, own))) for name in permitted.ABOUT_A_PROCESS.split()]
    # Who is meant by its second argument is for the first to say, and may be all the processes of the user.
    not_all = [_load_argument(0), (_EQUAL, 0, 1, _ALL_OF_A_USER), *_fail(errno.EPERM)]
    rules.append(("setpriority", [*not_all, *_only(1, (0, own))]))
    return rules


def _about_sockets(allowed: Allowed) -> List[Rule]:
    unix = [_load_argument(0), (_EQUAL, 1, 0, _UNIX), *_fail(errno.EACCES)]
    if not allowed.connects:
        # A datagram socket can be sent on to any other by its name, though it was made as one of a pair.
        return [("socketpair", [*unix, *_only(1, (_STREAM, _SEQUENCED), mask=_SOCKET_KINDS, error=errno.EACCES)])]
    first_protocol = _only(2, (0,), error=errno.EACCES)
    netlink = [_load_argument(0), (_EQUAL, 0, len(first_protocol), permitted.NETLINK), *first_protocol]
    return [
        ("socketpair", [*unix, (_RETURN, 0, 0, _ALLOW)]),
        ("socket", [*netlink, *_only(0, permitted.FAMILIES, error=errno.EACCES)]),
    ]


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


def _skip_over_one(values: Tuple[int, ...]) -> Iterable[Step]:
    """Compare with each value; any of them skips the rest and the instruction after them."""
    return [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]


def _load_argument(argument: int) -> Step:
    return _load(_ARGUMENTS_AT + 8 * argument)


def _load(offset: int) -> Step:
    return (_LOAD, 0, 0, offset)
