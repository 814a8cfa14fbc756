"""The system call filter: its verdict on every existing call, on both processors, and how it is made."""

from __future__ import annotations

import errno
import os
import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from certo_worker.confinement import seccomp
from certo_worker.confinement.seccomp import NEWEST, processor

MACHINES = ("x86_64", "aarch64")
OWN = 1234
SOMEBODY = 4321

ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
REFUSED = FAIL | errno.EPERM

# What no run needs, gone through one by one: IPC that outlives a run, other processes, namespaces and mounts, other
# identities, the machine itself, its clocks and its kernel, kernel surface that has often been a way out, and what is
# there for programs of long ago.
REFUSED_TO_ALL = """
    shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend
    mq_timedreceive mq_notify mq_getsetattr add_key request_key keyctl io_setup io_destroy io_getevents io_pgetevents
    io_submit io_cancel
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd pidfd_send_signal
    rt_sigqueueinfo rt_tgsigqueueinfo get_robust_list ioprio_set migrate_pages move_pages
    unshare setns mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick move_mount open_tree open_tree_attr
    mount_setattr statmount listmount listns
    setuid setgid setreuid setregid setgroups setresuid setresgid setfsuid setfsgid capset personality seccomp
    syslog acct quotactl quotactl_fd swapon swapoff reboot sethostname setdomainname iopl ioperm vhangup sync
    adjtimex clock_adjtime clock_settime settimeofday init_module finit_module delete_module kexec_load kexec_file_load
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register memfd_secret modify_ldt
    name_to_handle_at open_by_handle_at fanotify_init fanotify_mark cachestat lookup_dcookie remap_file_pages
    set_thread_area get_thread_area uretprobe uprobe file_getattr file_setattr lsm_get_self_attr lsm_set_self_attr
    lsm_list_modules
    uselib ustat sysfs _sysctl create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg afs_syscall
    tuxcall security epoll_ctl_old epoll_wait_old vserver
"""
NEVER = frozenset(REFUSED_TO_ALL.split())

STRICT = {"forks": False, "executes": False, "connects": False, "attributes": False, "alone": False}
ALL = dict.fromkeys(STRICT, True)


@cache
def program(machine: str, own: int, **opened: bool) -> list[seccomp.Step]:
    """Return the filter."""
    return seccomp.program(seccomp.Allowed(**opened), own, processor(machine))


@cache
def facts() -> dict[str, tuple[int | None, int | None]]:
    """Return every call of the kernel's headers with its number on both processors."""
    lines = (Path(__file__).parent / "system_calls.txt").read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: tuple(None if number == "-" else int(number) for number in numbers) for name, *numbers in rows}


def says(machine: str, name: str, *arguments: int, own: int = OWN, **opened: bool) -> int:
    """Return the filter's verdict on one call."""
    number = facts()[name][MACHINES.index(machine)]
    assert number is not None, name
    return verdict(machine, number, *arguments, own=own, **opened)


def verdict(
    machine: str, number: int, *arguments: int, own: int = OWN, audit: int | None = None, **opened: bool
) -> int:
    """Return the filter's verdict on a call by number, computed as the kernel's machine does."""
    here = processor(machine)
    seen = {0: number, 4: here.audit if audit is None else audit}
    for place, argument in enumerate((*arguments, *[0] * 6)[:6]):
        seen[16 + 8 * place] = argument & 0xFFFFFFFF
    steps = program(machine, own, **{**STRICT, **opened})
    at = held = 0
    while True:
        code, then, otherwise, operand = steps[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            held = seen[operand]
        elif code == 0x54:
            held &= operand
        else:
            test = {0x15: held == operand, 0x25: held > operand, 0x35: held >= operand, 0x45: bool(held & operand)}
            at += then if test[code] else otherwise


def test_the_numbers_are_those_of_the_kernel() -> None:
    known = facts()
    for column, machine in enumerate(MACHINES):
        numbers = processor(machine).numbers
        assert {name: known[name][column] for name in numbers} == numbers
    assert max(number for numbers in known.values() for number in numbers if number is not None) == NEWEST
    # Where headers of the kernel are installed, our copy is held against them; they may be older.
    for column, header in enumerate(("*/asm/unistd_64.h", "asm-generic/unistd.h")):
        for path in Path("/usr/include").glob(header):
            found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$", path.read_text(encoding="ascii"), re.M)
            numbers = {name: int(number) for name, number in found if name in known and known[name][column] is not None}
            assert {name: known[name][column] for name in numbers} == numbers
            assert len(numbers) > 300


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "opened",
    [
        pytest.param(each, marks=() if sum(each) in {0, 1, 5} else pytest.mark.slow)
        for each in product((False, True), repeat=5)
    ],
)
def test_calls_no_run_needs_are_always_refused(machine: str, opened: tuple[bool, ...]) -> None:
    policy = dict(zip(STRICT, opened, strict=True))
    there = [name for name in NEVER if facts()[name][MACHINES.index(machine)] is not None]
    assert {says(machine, name, **policy) for name in there} == {REFUSED}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_is_either_needed_or_refused(machine: str) -> None:
    known = {name: numbers[MACHINES.index(machine)] for name, numbers in facts().items()}
    needed = {name for name, number in known.items() if number is not None and name not in NEVER}
    refused = {name for name in needed if says(machine, name, OWN, **ALL) != ALLOW}
    # What these say depends on their other arguments; the last makes the C library take another call.
    assert refused == {"ioctl", "prctl", "socket", "socketpair", "clone3"} & needed


@pytest.mark.parametrize("machine", MACHINES)
def test_the_strictest_refuses_these_too(machine: str) -> None:
    column = MACHINES.index(machine)
    known = {name for name, numbers in facts().items() if numbers[column] is not None}
    more = {name for name in known if says(machine, name, OWN, **ALL) == ALLOW != says(machine, name, OWN)}
    assert more == known & {
        *("clone", "fork", "vfork", "execve", "execveat", "memfd_create", "inotify_add_watch"),
        *("connect", "bind", "listen", "accept", "accept4", "truncate"),
        *("getxattr", "lgetxattr", "listxattr", "llistxattr", "getxattrat", "listxattrat"),
        *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
        *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
        *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
    }


@pytest.mark.parametrize("machine", MACHINES)
def test_unlisted_calls_do_not_exist(machine: str) -> None:
    there = {number for numbers in facts().values() for number in numbers}
    assert {verdict(machine, number, **ALL) for number in range(NEWEST + 1, 1024)} == {FAIL | errno.ENOSYS}
    gaps = [number for number in range(NEWEST) if number not in there]
    assert {verdict(machine, number, **ALL) for number in gaps} == {REFUSED}
    assert says(machine, "clone3", **ALL) == FAIL | errno.ENOSYS


def test_calls_of_other_instruction_sets_kill() -> None:
    for machine, audit in product(MACHINES, (0x40000003, 0x40000028)):
        assert verdict(machine, 39, audit=audit, **ALL) == KILL
    assert verdict("x86_64", 0x40000000 + 39, **ALL) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_on_others_are_allowed_on_self(machine: str) -> None:
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        seen = [says(machine, name, who, **ALL) for who in (0, OWN, SOMEBODY, 1)]
        assert seen == [ALLOW, ALLOW, REFUSED, REFUSED]
    for name in ("kill", "tkill", "tgkill"):
        assert [says(machine, name, who) for who in (OWN, 0, SOMEBODY, -1)] == [ALLOW, REFUSED, REFUSED, REFUSED]
    # Of a process, of a group, of a user.
    assert [says(machine, "setpriority", kind, 0, **ALL) for kind in (0, 1, 2)] == [ALLOW, ALLOW, REFUSED]
    assert says(machine, "setpriority", 0, SOMEBODY, **ALL) == REFUSED


@pytest.mark.parametrize("machine", MACHINES)
def test_copies_are_made_without_new_namespaces(machine: str) -> None:
    thread, signal = 0x3D0F00, 17
    assert [says(machine, "clone", flags) for flags in (thread, signal)] == [ALLOW, REFUSED]
    for bit in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert says(machine, "clone", bit | signal, **ALL) == REFUSED


@pytest.mark.parametrize("machine", MACHINES)
def test_sockets_are_limited_to_contained_families(machine: str) -> None:
    """Those that a network namespace holds."""
    refused = FAIL | errno.EACCES
    for family in range(64):
        wanted = ALLOW if family in (1, 2, 10, 16) else refused
        assert says(machine, "socket", family, 1, 0, **ALL) == wanted
        assert says(machine, "socketpair", family, 1, 0, **ALL) == (ALLOW if family == 1 else refused)
        assert says(machine, "socketpair", family, 2, 0) == refused
        assert says(machine, "socket", family, 1, 0) == refused
    assert {says(machine, "socket", 16, 3, protocol, **ALL) for protocol in range(1, 32)} == {refused}


@pytest.mark.parametrize("machine", MACHINES)
def test_controls_are_those_of_what_is_open(machine: str) -> None:
    # To own a signal, to lease a file, to be told of a folder; then a lock.
    for control in (8, 10, 15, 1024, 1026, 1036):
        assert says(machine, "fcntl", 3, control, **ALL) == REFUSED
    assert says(machine, "fcntl", 3, 6) == ALLOW
    # To type into a terminal, to own a signal, a file's flags, its marks, a folder in a file system of folders.
    for control in (0x5412, 0x541C, 0x8901, 0x8902, 0x40086602, 0x401C5820, 0x40806685, 0x5000940E, 0x800C6613):
        assert says(machine, "ioctl", 3, control, **ALL) == FAIL | errno.ENOTTY
    assert says(machine, "ioctl", 3, 0x5401) == ALLOW
    # Memory, tracing, secrets of a core.
    for option in (35, 62, 0x59616D61, 31):
        assert says(machine, "prctl", option, **ALL) == FAIL | errno.EINVAL
    assert says(machine, "prctl", 15) == ALLOW


@pytest.mark.parametrize("own", [1, 1000, pytest.param(os.getpid(), id="our own"), 4194303])
@pytest.mark.parametrize("opened", list(product((False, True), repeat=5)))
def test_prepared_filter_equals_a_fresh_one(opened: tuple[bool, ...], own: int) -> None:
    allowed = seccomp.Allowed(**dict(zip(STRICT, opened, strict=True)))
    made = seccomp.code(allowed, own)
    seccomp.foresee(allowed)
    assert seccomp.code(allowed, own) == made
