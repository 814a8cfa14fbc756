"""The numbers of the system calls that a filter names, for the two processors it is written for."""

from __future__ import annotations

import os
from typing import Dict, Optional


class Processor:
    """How the kernel names one processor: its audit number, and the numbers of its system calls, None where absent.

    `has_x32` says that it knows a second set of numbers, for programs with short pointers. A plain class, like those
    beside it: making a named tuple costs more than a run may wait.
    """

    def __init__(self, audit: int, numbers: Dict[str, Optional[int]], *, has_x32: bool) -> None:
        self.audit = audit
        self.numbers = numbers
        self.has_x32 = has_x32


# Name, number on x86-64, number on aarch64; "-" where the processor has no such call.
_TABLE = """
    fork 57 -          vfork 58 -         clone 56 220       clone3 435 435     execve 59 221      execveat 322 281
    socket 41 198      socketpair 53 199  connect 42 203     bind 49 200        listen 50 201      accept 43 202
    accept4 288 242    kill 62 129        tkill 200 130      tgkill 234 131     rt_sigqueueinfo 129 138
    rt_tgsigqueueinfo 297 240             pidfd_send_signal 424 424             pidfd_getfd 438 438
    ptrace 101 117     process_vm_readv 310 270              process_vm_writev 311 271
    process_madvise 440 440               process_mrelease 448 448              kcmp 312 272       prlimit64 302 261
    setpriority 141 140                   ioprio_set 251 30  sched_setaffinity 203 122
    sched_setscheduler 144 119            sched_setparam 142 118                sched_setattr 314 274
    unshare 272 97     setns 308 268      mount 165 40       umount2 166 39     pivot_root 155 41  chroot 161 51
    fsopen 430 430     fsconfig 431 431   fsmount 432 432    fspick 433 433     move_mount 429 429 open_tree 428 428
    mount_setattr 442 442                 bpf 321 280        perf_event_open 298 241               userfaultfd 323 282
    io_uring_setup 425 425                io_uring_enter 426 426                io_uring_register 427 427
    add_key 248 217    request_key 249 218                   keyctl 250 219     syslog 103 116     personality 135 92
    shmget 29 194      msgget 68 186      semget 64 190      mq_open 240 180    memfd_create 319 279
    memfd_secret 447 447                  name_to_handle_at 303 264             open_by_handle_at 304 265
    fanotify_init 300 262                 quotactl 179 60    acct 163 89        fcntl 72 25        ioctl 16 29
    chmod 90 -         fchmod 91 52       fchmodat 268 53    fchmodat2 452 452  chown 92 -         lchown 94 -
    fchown 93 55       fchownat 260 54    utime 132 -        utimes 235 -       futimesat 261 -    utimensat 280 88
    setxattr 188 5     lsetxattr 189 6    fsetxattr 190 7    setxattrat 463 463 removexattr 197 14 lremovexattr 198 15
    fremovexattr 199 16                   removexattrat 466 466                 file_setattr 469 469
    truncate 76 45     setuid 105 146     setgid 106 144     setreuid 113 145   setregid 114 143   setgroups 116 159
    setresuid 117 147  setresgid 119 149  setfsuid 122 151   setfsgid 123 152   capset 126 91
"""


def processor() -> Processor:
    """The processor we run on.

    Raises:
        OSError: it is one the filter is not written for.
    """
    machine = os.uname().machine
    column = {"x86_64": 1, "aarch64": 2}.get(machine)
    if column is None:
        raise OSError("certo has no system call filter for the processor {}".format(machine))
    words = _TABLE.split()
    rows = [words[start : start + 3] for start in range(0, len(words), 3)]
    numbers = {row[0]: None if row[column] == "-" else int(row[column]) for row in rows}
    return Processor((0xC000003E, 0xC00000B7)[column - 1], numbers, has_x32=column == 1)
