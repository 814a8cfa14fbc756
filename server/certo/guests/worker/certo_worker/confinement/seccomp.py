"""System call filter: the kernel refuses calls that a run does not need, to it and its children.

The filter is a program for the kernel's classic BPF machine, see seccomp(2): it loads the call's number and compares. A
refused call fails like a missing permission, so that a program can report it; a call newer than our list fails as on a
kernel without it, so that a program falls back as it does there.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Dict, Iterable, List, Optional, Tuple

from certo_worker.confinement import allowed_system_calls
from certo_worker.confinement.kernel import prctl


class Processor:
    """System call interface of one processor: its audit number, and its call numbers, None if absent.

    `has_x32` means that it has a second set of numbers, for programs with short pointers. A plain class, like those
    beside it: creating a named tuple takes more time than a run may wait.
    """

    def __init__(self, audit: int, numbers: Dict[str, Optional[int]], *, has_x32: bool) -> None:
        self.audit = audit
        self.numbers = numbers
        self.has_x32 = has_x32


# Name, number on x86-64, number on aarch64; "-" where the processor has no such call.
_TABLE = """
    read 0 63  write 1 64  open 2 -  close 3 57  stat 4 -  fstat 5 80  lstat 6 -  poll 7 -  lseek 8 62  mmap 9 222
    mprotect 10 226  munmap 11 215  brk 12 214  rt_sigaction 13 134  rt_sigprocmask 14 135  rt_sigreturn 15 139
    ioctl 16 29  pread64 17 67  pwrite64 18 68  readv 19 65  writev 20 66  access 21 -  pipe 22 -  select 23 -
    sched_yield 24 124  mremap 25 216  msync 26 227  mincore 27 232  madvise 28 233  shmctl 31 195  dup 32 23
    dup2 33 -  pause 34 -  nanosleep 35 101  getitimer 36 102  alarm 37 -  setitimer 38 103  getpid 39 172
    sendfile 40 71  socket 41 198  connect 42 203  accept 43 202  sendto 44 206  recvfrom 45 207  sendmsg 46 211
    recvmsg 47 212  shutdown 48 210  bind 49 200  listen 50 201  getsockname 51 204  getpeername 52 205
    socketpair 53 199  setsockopt 54 208  getsockopt 55 209  clone 56 220  fork 57 -  vfork 58 -  execve 59 221
    exit 60 93  wait4 61 260  kill 62 129  uname 63 160  fcntl 72 25  flock 73 32  fsync 74 82  fdatasync 75 83
    truncate 76 45  ftruncate 77 46  getdents 78 -  getcwd 79 17  chdir 80 49  fchdir 81 50  rename 82 -  mkdir 83 -
    rmdir 84 -  creat 85 -  link 86 -  unlink 87 -  symlink 88 -  readlink 89 -  chmod 90 -  fchmod 91 52
    chown 92 -  fchown 93 55  lchown 94 -  umask 95 166  gettimeofday 96 169  getrlimit 97 163  getrusage 98 165
    sysinfo 99 179  times 100 153  ptrace 101 117  getuid 102 174  getgid 104 176  geteuid 107 175  getegid 108 177
    setpgid 109 154  getppid 110 173  getpgrp 111 -  setsid 112 157  getgroups 115 158  getresuid 118 148
    getresgid 120 150  getpgid 121 155  getsid 124 156  capget 125 90  rt_sigpending 127 136
    rt_sigtimedwait 128 137  rt_sigsuspend 130 133  sigaltstack 131 132  utime 132 -  mknod 133 -  statfs 137 43
    fstatfs 138 44  getpriority 140 141  setpriority 141 140  sched_setparam 142 118  sched_getparam 143 121
    sched_setscheduler 144 119  sched_getscheduler 145 120  sched_get_priority_max 146 125
    sched_get_priority_min 147 126  sched_rr_get_interval 148 127  mlock 149 228  munlock 150 229  mlockall 151 230
    munlockall 152 231  prctl 157 167  arch_prctl 158 -  setrlimit 160 164  gettid 186 178  readahead 187 213
    setxattr 188 5  lsetxattr 189 6  fsetxattr 190 7  getxattr 191 8  lgetxattr 192 9  fgetxattr 193 10
    listxattr 194 11  llistxattr 195 12  flistxattr 196 13  removexattr 197 14  lremovexattr 198 15
    fremovexattr 199 16  tkill 200 130  time 201 -  futex 202 98  sched_setaffinity 203 122
    sched_getaffinity 204 123  epoll_create 213 -  getdents64 217 61  set_tid_address 218 96
    restart_syscall 219 128  fadvise64 221 223  timer_create 222 107  timer_settime 223 110  timer_gettime 224 108
    timer_getoverrun 225 109  timer_delete 226 111  clock_gettime 228 113  clock_getres 229 114
    clock_nanosleep 230 115  exit_group 231 94  epoll_wait 232 -  epoll_ctl 233 21  tgkill 234 131  utimes 235 -
    mbind 237 235  set_mempolicy 238 237  get_mempolicy 239 236  mq_unlink 241 181  waitid 247 95  ioprio_get 252 31
    inotify_init 253 -  inotify_add_watch 254 27  inotify_rm_watch 255 28  openat 257 56  mkdirat 258 34
    mknodat 259 33  fchownat 260 54  futimesat 261 -  newfstatat 262 79  unlinkat 263 35  renameat 264 38
    linkat 265 37  symlinkat 266 36  readlinkat 267 78  fchmodat 268 53  faccessat 269 48  pselect6 270 72
    ppoll 271 73  unshare 272 97  set_robust_list 273 99  splice 275 76  tee 276 77  sync_file_range 277 84
    vmsplice 278 75  utimensat 280 88  epoll_pwait 281 22  signalfd 282 -  timerfd_create 283 85  eventfd 284 -
    fallocate 285 47  timerfd_settime 286 86  timerfd_gettime 287 87  accept4 288 242  signalfd4 289 74
    eventfd2 290 19  epoll_create1 291 20  dup3 292 24  pipe2 293 59  inotify_init1 294 26  preadv 295 69
    pwritev 296 70  recvmmsg 299 243  prlimit64 302 261  syncfs 306 267  sendmmsg 307 269  getcpu 309 168
    sched_setattr 314 274  sched_getattr 315 275  renameat2 316 276  getrandom 318 278  memfd_create 319 279
    execveat 322 281  membarrier 324 283  mlock2 325 284  copy_file_range 326 285  preadv2 327 286  pwritev2 328 287
    pkey_mprotect 329 288  pkey_alloc 330 289  pkey_free 331 290  statx 332 291  rseq 334 293
    io_uring_setup 425 425  pidfd_open 434 434  clone3 435 435  close_range 436 436  openat2 437 437
    faccessat2 439 439  epoll_pwait2 441 441  landlock_create_ruleset 444 444  landlock_add_rule 445 445
    landlock_restrict_self 446 446  futex_waitv 449 449  set_mempolicy_home_node 450 450  fchmodat2 452 452
    map_shadow_stack 453 453  futex_wake 454 454  futex_wait 455 455  futex_requeue 456 456  mseal 462 462
    setxattrat 463 463  getxattrat 464 464  listxattrat 465 465  removexattrat 466 466
"""

NEWEST = 470
"""The last system call that existed when the list was made; the same on both processors."""


def processor(machine: Optional[str] = None) -> Processor:
    """Return the processor called `machine`, or the current one.

    Raises:
        OSError: The filter does not support it.
    """
    machine = machine or os.uname().machine
    column = {"x86_64": 1, "aarch64": 2}.get(machine)
    if column is None:
        raise OSError("certo has no system call filter for the processor {}".format(machine))
    words = _TABLE.split()
    rows = [words[start : start + 3] for start in range(0, len(words), 3)]
    numbers = {row[0]: None if row[column] == "-" else int(row[column]) for row in rows}
    return Processor((0xC000003E, 0xC00000B7)[column - 1], numbers, has_x32=column == 1)


_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2

_LOAD, _AND, _EQUAL, _MORE_THAN, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER_AT, _AUDIT_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

Step = Tuple[int, int, int, int]
"""One instruction: its code, the jumps if true and false, and its operand."""

_CLONE_THREAD = 0x10000
_NEW_NAMESPACES = 0x7E020000
_UNIX = 1
_STREAM, _SEQUENCED = 1, 5
_SOCKET_KINDS = 0xF
_ALL_OF_A_USER = 2
"""PRIO_USER of setpriority(2)."""


class Allowed:
    """Permissions in the filter: forking, starting programs, sockets, and changing modes and times of files.

    `alone` means that the run may see all visible files.
    """

    def __init__(self, *, forks: bool, executes: bool, connects: bool, attributes: bool, alone: bool) -> None:
        self.forks = forks
        self.executes = executes
        self.connects = connects
        self.attributes = attributes
        self.alone = alone

    def key(self) -> Tuple[bool, ...]:
        """Return the permissions as a key."""
        return self.forks, self.executes, self.connects, self.attributes, self.alone


def install(allowed: Allowed, own: int) -> None:
    """Filter the calls of this process, whose id is `own`, and of all that it starts from now on.

    Raises:
        OSError: The kernel refused, or the processor is not supported.
    """
    packed = code(allowed, own)
    held = ctypes.create_string_buffer(packed, len(packed))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(packed) // _STEP.size, ctypes.addressof(held)))
    prctl(_SET_NO_NEW_PRIVS, 1)
    prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(described))


def foresee(allowed: Allowed) -> None:
    """Build the filter now for processes whose ids are not known yet."""
    _foreseen[allowed.key()] = code(allowed, _SOMEBODY)


def code(allowed: Allowed, own: int) -> bytes:
    """Return the filter in the kernel's format."""
    foreseen = _foreseen.get(allowed.key())
    if foreseen is not None:
        return foreseen.replace(_packed(_SOMEBODY), _packed(own))
    return b"".join(_STEP.pack(*step) for step in program(allowed, own))


def _packed(own: int) -> bytes:
    return struct.pack("=I", own)


_STEP = struct.Struct("=HBBI")
_SOMEBODY = 0x5EC0C0DE
"""A process id that does not exist, since the kernel assigns none above 2 to the 22nd; no other instruction has these
bytes.
"""

_foreseen: Dict[Tuple[bool, ...], bytes] = {}


def program(allowed: Allowed, own: int, here: Optional[Processor] = None) -> List[Step]:
    """Return the filter's instructions for a processor, by default the current one."""
    here = here or processor()
    # A call by the numbers of another instruction set would mean something else than the filter compares.
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
    """Return the calls that are allowed with any arguments."""
    names = [allowed_system_calls.ALWAYS]
    if allowed.forks:
        # Children have ids that are not known in advance, so signals are allowed; Landlock or a namespace protects
        # others.
        names += [allowed_system_calls.FORKING, allowed_system_calls.SIGNALLING]
    if allowed.executes:
        names.append(allowed_system_calls.EXECUTING)
    if allowed.connects:
        names.append(allowed_system_calls.CONNECTING)
    if allowed.attributes:
        names.append(allowed_system_calls.ATTRIBUTES)
    if allowed.alone:
        names += [allowed_system_calls.WATCHING, allowed_system_calls.READING_ATTRIBUTES]
    return " ".join(names).split()


def _all_of(names: List[str], here: Processor) -> List[Step]:
    """Return instructions that allow some calls; their numbers are compared by contiguous ranges."""
    numbers = sorted(number for number in map(here.numbers.__getitem__, names) if number is not None)
    # The filter runs at every system call, so neighbouring numbers share their comparisons.
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
    """Return the rules for calls that depend on arguments, or fail in a special way."""
    rules = [*_about_processes(allowed, own), *_about_sockets(allowed)]
    rules.append(("fcntl", _only(1, allowed_system_calls.CONTROLS)))
    rules.append(("ioctl", _only(1, allowed_system_calls.DEVICE_CONTROLS, error=errno.ENOTTY)))
    rules.append(("prctl", _only(0, allowed_system_calls.OWN_ATTRIBUTES, error=errno.EINVAL)))
    if not allowed.connects:
        rules += _each("socket " + allowed_system_calls.CONNECTING, errno.EACCES)
    if not allowed.alone:
        # Programs that copy files read attributes, and accept this error.
        rules += _each(allowed_system_calls.READING_ATTRIBUTES, errno.ENOTSUP)
    return rules


def _about_processes(allowed: Allowed, own: int) -> List[Rule]:
    # Its flags are in memory, which a filter cannot read; the C library falls back to `clone`.
    rules = [("clone3", _fail(errno.ENOSYS))]
    if allowed.forks:
        # In a new user namespace a child would have every capability.
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), *_FAIL_OR_ALLOW]))
    else:
        # Threads are made by the same call.
        rules.append(("clone", [_load_argument(0), (_ANY_BIT, 1, 0, _CLONE_THREAD), *_FAIL_OR_ALLOW]))
        rules += [(name, _only(0, (own,))) for name in allowed_system_calls.SIGNALLING.split()]
    rules += [(name, _only(0, (0, own))) for name in allowed_system_calls.ABOUT_A_PROCESS.split()]
    # The first argument gives the meaning of the second, which may be all processes of the user.
    not_all = [_load_argument(0), (_EQUAL, 0, 1, _ALL_OF_A_USER), *_fail(errno.EPERM)]
    rules.append(("setpriority", [*not_all, *_only(1, (0, own))]))
    return rules


def _about_sockets(allowed: Allowed) -> List[Rule]:
    unix = [_load_argument(0), (_EQUAL, 1, 0, _UNIX), *_fail(errno.EACCES)]
    if not allowed.connects:
        # A datagram socket can send to any named socket, even if it was made as one of a pair.
        return [("socketpair", [*unix, *_only(1, (_STREAM, _SEQUENCED), mask=_SOCKET_KINDS, error=errno.EACCES)])]
    first_protocol = _only(2, (0,), error=errno.EACCES)
    netlink = [_load_argument(0), (_EQUAL, 0, len(first_protocol), allowed_system_calls.NETLINK), *first_protocol]
    return [
        ("socketpair", [*unix, (_RETURN, 0, 0, _ALLOW)]),
        ("socket", [*netlink, *_only(0, allowed_system_calls.FAMILIES, error=errno.EACCES)]),
    ]


def _each(names: str, error: int = errno.EPERM) -> List[Rule]:
    return [(name, _fail(error)) for name in names.split()]


def _fail(error: int) -> List[Step]:
    return [(_RETURN, 0, 0, _FAIL | error)]


_FAIL_OR_ALLOW: List[Step] = [(_RETURN, 0, 0, _FAIL | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]


def _only(argument: int, values: Tuple[int, ...], *, mask: int = 0xFFFFFFFF, error: int = errno.EPERM) -> List[Step]:
    """Return instructions that fail unless the low half of an argument, all the kernel reads, is one of `values`."""
    return [
        _load_argument(argument),
        (_AND, 0, 0, mask),
        *_skip_over_one(values),
        (_RETURN, 0, 0, _FAIL | error),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _skip_over_one(values: Tuple[int, ...]) -> Iterable[Step]:
    """Yield comparisons with each value; a match skips the rest and the instruction after them."""
    return [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]


def _load_argument(argument: int) -> Step:
    return _load(_ARGUMENTS_AT + 8 * argument)


def _load(offset: int) -> Step:
    return (_LOAD, 0, 0, offset)
