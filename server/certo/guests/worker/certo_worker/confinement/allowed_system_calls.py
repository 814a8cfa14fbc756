"""Which system calls a run may make: a list of what honest programs need, and all else is refused.

Whatever the kernel learns to do next is thereby refused as well. A call is on the list if it reaches nothing but the
process that makes it, what it has open, and files, which are for Landlock and mounts to keep; if it reaches more, then
only with the arguments with which it does not.
"""

from __future__ import annotations

ALWAYS = """
    read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek sendfile splice tee vmsplice
    copy_file_range open openat openat2 creat close close_range dup dup2 dup3 pipe pipe2 flock fsync fdatasync syncfs
    sync_file_range ftruncate fallocate fadvise64 readahead stat fstat lstat newfstatat statx statfs fstatfs access
    faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd chdir fchdir umask mkdir mkdirat rmdir mknod
    mknodat link linkat symlink symlinkat unlink unlinkat rename renameat renameat2 fgetxattr flistxattr

    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime inotify_init inotify_init1 inotify_rm_watch
    sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockname getpeername setsockopt getsockopt

    mmap mprotect munmap brk mremap msync mincore madvise mlock mlock2 munlock mlockall munlockall mbind set_mempolicy
    get_mempolicy set_mempolicy_home_node pkey_alloc pkey_free pkey_mprotect membarrier mseal map_shadow_stack

    nanosleep clock_nanosleep time gettimeofday clock_gettime clock_getres times alarm getitimer setitimer
    timer_create timer_settime timer_gettime timer_getoverrun timer_delete

    exit exit_group wait4 waitid pidfd_open gettid getpid getppid getpgid getpgrp getsid setpgid setsid getuid geteuid
    getgid getegid getresuid getresgid getgroups capget uname sysinfo getrlimit setrlimit getrusage getpriority
    ioprio_get sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr sched_get_priority_max
    sched_get_priority_min sched_rr_get_interval getcpu getrandom arch_prctl set_tid_address set_robust_list rseq futex
    futex_waitv futex_wait futex_wake futex_requeue pause restart_syscall rt_sigaction rt_sigprocmask rt_sigreturn
    rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack landlock_create_ruleset landlock_add_rule
    landlock_restrict_self
"""

FORKING = "fork vfork"

EXECUTING = "execve execveat memfd_create"
"""A file in memory is a way around the limit on files, and of use only to be shared or run."""

SIGNALLING = "kill tkill tgkill"

ABOUT_A_PROCESS = "prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr"
"""Calls that also reach other processes of the user; the first argument says which."""

CONNECTING = "connect bind listen accept accept4"

ATTRIBUTES = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr lsetxattr
    fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat truncate
"""
"""What changes a file without opening it, which Landlock does not see."""

WATCHING = "inotify_add_watch"
READING_ATTRIBUTES = "getxattr lgetxattr listxattr llistxattr getxattrat listxattrat"
"""What tells of a file without opening it, who uses it and what is noted about it; Landlock does not see these either.
"""

CONTROLS = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 36, 37, 38),
    *(1027, 1028, 1030, 1031, 1032, 1033, 1034),
)
"""What fcntl(2) may be asked for: descriptors, their flags, locks, pipes and seals. Not who gets a signal when there is
something to read, not leases, which keep others from a file, and not to hear of what happens in a folder."""

DEVICE_CONTROLS = (
    *(0x5401, 0x5402, 0x5403, 0x5404, 0x5409, 0x540A, 0x540B, 0x540E, 0x540F, 0x5410, 0x5411, 0x5413, 0x5414, 0x5420),
    *(0x5422, 0x5425, 0x5429, 0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D, 0x80045430, 0x40045431, 0x5441),
    *(0x541B, 0x5421, 0x5450, 0x5451),
    *(0x2, 0x80086601, 0xC020660B, 0x40049409, 0x4020940D),
    *(0x8903, 0x8904, 0x8905, 0x8906, 0x8910, 0x8912, 0x8913, 0x8915, 0x8919, 0x891B, 0x8921, 0x8927, 0x8933, 0x8946),
)
"""What ioctl(2) may be asked for: terminals, but not to type into one; how much there is to read, and whether to wait;
a file's blocks, and copies that share them; network interfaces as they are. Many file systems change a file, or make
one, for whoever has opened a folder for reading and asks for it this way."""

OWN_ATTRIBUTES = (
    *(1, 2, 3, 4, 7, 8, 15, 16, 21, 22, 23, 24, 25, 26, 27, 29, 30, 36, 37, 38, 39, 40, 41, 42, 47),
    *(50, 51, 52, 53, 54, 55, 56, 63, 64, 65, 66, 0x53564D41),
)
"""What prctl(2) may be asked for: names, what becomes of oneself and one's children, fewer rights, the processor's
modes. Not what the memory of a process is taken to be, not who may trace it, and not to share a core's secrets."""

FAMILIES = (1, 2, 10)
"""Unix, IPv4, IPv6. Others, such as vsock, know no network namespaces."""

NETLINK = 16
"""It lists interfaces, by its first protocol; its others reach far into the kernel."""
