"""Allow list of system calls that honest programs need; all others are refused.

Thus calls that a future kernel adds are refused as well. A call is on the list if it affects only the calling process,
its open files, and files, which Landlock and mounts protect; calls with wider effect are restricted to harmless
arguments.
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
"""A file in memory circumvents the limit on files, and is of use only to be shared or run."""

SIGNALLING = "kill tkill tgkill"

ABOUT_A_PROCESS = "prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr"
"""Calls that may affect other processes of the user; the first argument is the process."""

CONNECTING = "connect bind listen accept accept4"

ATTRIBUTES = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr lsetxattr
    fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat truncate
"""
"""Calls that change a file without opening it, which Landlock does not control."""

WATCHING = "inotify_add_watch"
READING_ATTRIBUTES = "getxattr lgetxattr listxattr llistxattr getxattrat listxattrat"
"""Calls that reveal attributes and users of a file without opening it; Landlock does not control these either."""

CONTROLS = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 36, 37, 38),
    *(1027, 1028, 1030, 1031, 1032, 1033, 1034),
)
"""Allowed commands of fcntl(2): descriptors, their flags, locks, pipes and seals.

Not the recipient of signals about readable data, not leases, which block others from a file, and not notifications
about folders.
"""

DEVICE_CONTROLS = (
    *(0x5401, 0x5402, 0x5403, 0x5404, 0x5409, 0x540A, 0x540B, 0x540E, 0x540F, 0x5410, 0x5411, 0x5413, 0x5414, 0x5420),
    *(0x5422, 0x5425, 0x5429, 0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D, 0x80045430, 0x40045431, 0x5441),
    *(0x541B, 0x5421, 0x5450, 0x5451),
    *(0x2, 0x80086601, 0xC020660B, 0x40049409, 0x4020940D),
    *(0x8903, 0x8904, 0x8905, 0x8906, 0x8910, 0x8912, 0x8913, 0x8915, 0x8919, 0x891B, 0x8921, 0x8927, 0x8933, 0x8946),
)
"""Allowed requests of ioctl(2): terminals, except typing into one; the amount of readable data, and blocking mode; a
file's blocks, and copies that share them; reading network interfaces. Many file systems change or create a file by an
ioctl on a folder opened for reading, so others are refused.
"""

OWN_ATTRIBUTES = (
    *(1, 2, 3, 4, 7, 8, 15, 16, 21, 22, 23, 24, 25, 26, 27, 29, 30, 36, 37, 38, 39, 40, 41, 42, 47),
    *(50, 51, 52, 53, 54, 55, 56, 63, 64, 65, 66, 0x53564D41),
)
"""Allowed options of prctl(2): names, fate of the process and its children, fewer rights, the processor's modes.

Not the layout of a process's memory, not who may trace it, and not sharing a core's secrets.
"""

FAMILIES = (1, 2, 10)
"""Unix, IPv4, IPv6. Others, such as vsock, ignore network namespaces."""

NETLINK = 16
"""Its first protocol lists interfaces; its others reach far into the kernel."""
