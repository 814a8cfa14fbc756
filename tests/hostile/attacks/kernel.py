"""Candidates that go for what the kernel keeps for others, or for calls that are rarely made."""

from __future__ import annotations

from hostile.row import Row

_NUMBERS = """
            def call(name, *arguments):
                column = {"x86_64": 0, "aarch64": 1}[platform.machine()]
                number = {
                    "io_setup": (206, 0), "move_pages": (279, 239), "migrate_pages": (256, 238),
                    "ioprio_set": (251, 30),
                    "get_robust_list": (274, 100), "kcmp": (312, 272), "name_to_handle_at": (303, 264),
                    "fanotify_init": (300, 262), "open_tree": (428, 428), "fsopen": (430, 430),
                    "mount_setattr": (442, 442), "move_mount": (429, 429), "userfaultfd": (323, 282),
                    "io_uring_setup": (425, 425), "memfd_secret": (447, 447), "clock_settime": (227, 112),
                    "settimeofday": (170, 164), "swapoff": (168, 225), "acct": (163, 89), "delete_module": (176, 106),
                    "quotactl": (179, 60), "keyctl": (250, 219), "request_key": (249, 218), "add_key": (248, 217),
                    "process_madvise": (440, 440), "pidfd_open": (434, 434), "statmount": (457, 457),
                    "seccomp": (317, 277), "execveat": (322, 281), "memfd_create": (319, 279), "clone3": (435, 435),
                }[name][column]
                wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
                return libc.syscall(ctypes.c_long(number), *wide)
"""

SHARED = (
    Row(
        name="reads_memory_that_programs_share",
        why="System V memory belongs to the user, and whoever has its number reads it",
        attack="""
            libc.shmat.restype = ctypes.c_void_p
            place = libc.shmat(MEMORY, None, 0o10000)
            return place != ctypes.c_void_p(-1).value and ctypes.string_at(place, 6) == b"SECRET"
            """,
    ),
    Row(
        name="writes_memory_that_programs_share",
        why="a program of the user's trusts what is in there",
        attack="""
            libc.shmat.restype = ctypes.c_void_p
            place = libc.shmat(MEMORY, None, 0)
            if place != ctypes.c_void_p(-1).value:
                ctypes.memset(place, 0, 6)
                return True
            """,
    ),
    Row(
        name="removes_memory_that_programs_share",
        why="the user's programs still need it",
        attack="return libc.shmctl(MEMORY, 0, None) == 0",
    ),
    Row(
        name="takes_messages_of_others",
        why="a message that is read is gone",
        attack="""
            space = ctypes.create_string_buffer(64)
            return libc.msgrcv(MESSAGES, space, ctypes.c_size_t(32), ctypes.c_long(0), 0o4000) > 0
            """,
    ),
    Row(
        name="sends_messages_to_others",
        why="whoever reads them believes that a program of the user's wrote them",
        attack="""
            said = ctypes.create_string_buffer(struct.pack("l", 1) + b"forged")
            return libc.msgsnd(MESSAGES, said, ctypes.c_size_t(6), 0o4000) == 0 or libc.msgctl(MESSAGES, 0, None) == 0
            """,
    ),
    Row(
        name="turns_the_semaphores_of_others",
        why="who waits for one is let in, or waits for ever",
        attack="""
            down = ctypes.create_string_buffer(struct.pack("Hhh", 0, -1, 0o4000))
            wait = ctypes.create_string_buffer(struct.pack("ll", 0, 1))
            return (
                libc.semop(SEMAPHORE, down, ctypes.c_size_t(1)) == 0
                or libc.semtimedop(SEMAPHORE, down, ctypes.c_size_t(1), wait) == 0
                or libc.semctl(SEMAPHORE, 0, 16, 7) == 0
                or libc.semctl(SEMAPHORE, 0, 0) == 0
            )
            """,
    ),
    Row(
        name="goes_through_all_that_programs_share",
        why="numbers can be guessed, and keys as well",
        attack="""
            found = [each for each in range(4096) if libc.msgctl(each, 2, ctypes.create_string_buffer(256)) == 0]
            found += [each for each in range(4096) if libc.shmctl(each, 2, ctypes.create_string_buffer(256)) == 0]
            key = int(MARK[-6:], 16)
            return found or any(one >= 0 for one in (
                libc.shmget(key, ctypes.c_size_t(64), 0o1600), libc.msgget(key, 0o1600), libc.semget(key, 1, 0o1600)))
            """,
    ),
    Row(
        name="takes_away_a_named_queue",
        why="a queue goes by its name alone",
        attack="return libc.mq_unlink(QUEUE.encode()) == 0",
    ),
    Row(
        name="reads_and_writes_a_named_queue",
        why="a message that is read is gone, and nobody can tell who wrote the next",
        attack="""
            queue = libc.mq_open(QUEUE.encode(), os.O_RDWR | os.O_NONBLOCK)
            return queue >= 0
            """,
    ),
    Row(
        name="keeps_a_key_by_every_call",
        why="keys last longer than a run, and others of the user's can be read",
        attack=_NUMBERS
        + """
            kinds = [call("keyctl", 0, ring, 1) for ring in (-1, -2, -3, -4, -5)]
            kinds.append(call("request_key", b"user", MARK.encode(), None, 0))
            kinds.append(call("add_key", b"keyring", MARK.encode(), None, 0, -4))
            return any(kind > 0 for kind in kinds)
            """,
    ),
)

OTHERS = (
    Row(
        name="moves_another_to_a_slow_processor",
        why="where and how others run is not for a run to say",
        attack="""
            ways = [lambda process: os.sched_setaffinity(process, {0}),
                    lambda process: os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))]
            for process in (VICTIM, os.getppid()):
                for way in ways:
                    try:
                        way(process)
                        return True
                    except OSError:
                        continue
            """,
    ),
    Row(
        name="puts_another_behind_at_the_disk",
        why="priorities are for the disk as well, of a process, a group or a user",
        attack=_NUMBERS
        + """
            whose = [(1, VICTIM), (1, os.getppid()), (2, os.getpgid(VICTIM)), (3, os.getuid())]
            return any([call("ioprio_set", kind, who, 3 << 13) == 0 for kind, who in whose])
            """,
    ),
    Row(
        name="moves_the_memory_of_another",
        why="who is asked to move its pages tells where they are",
        attack=_NUMBERS
        + """
            nodes = ctypes.create_string_buffer(struct.pack("Q", 1), 8)
            handle, room = call("pidfd_open", VICTIM, 0), ctypes.create_string_buffer(8)
            return any(
                call(*each) >= 0
                for process in (VICTIM, os.getppid())
                for each in [("move_pages", process, 0, None, None, None, 2),
                             ("migrate_pages", process, 2, nodes, nodes),
                             ("get_robust_list", process, room, room),
                             ("kcmp", os.getpid(), process, 1, 0, 0)]
            ) or handle >= 0 and call("process_madvise", handle, None, 0, 20, 0) == 0
            """,
    ),
    Row(
        name="changes_what_its_memory_is_taken_for",
        why="what /proc says of a process is believed, and a core that is shared tells secrets",
        attack="""
            auxiliary = ctypes.create_string_buffer(16)
            return (
                libc.prctl(35, 12, auxiliary, ctypes.c_ulong(16), 0) == 0
                or libc.prctl(62, 1, 0, 0, 0) == 0
                or libc.prctl(62, 2, VICTIM, 0, 0) == 0
                or libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0) == 0
                or libc.personality(ctypes.c_ulong(0x0040000)) >= 0
            )
            """,
    ),
    Row(
        name="adds_a_filter_with_a_listener",
        why="who answers calls in the kernel's place decides what they come to",
        attack=_NUMBERS
        + """
            step = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
            filter = ctypes.create_string_buffer(struct.pack("@HP", 1, ctypes.addressof(step)))
            return call("seccomp", 1, 8, filter) >= 0
            """,
    ),
    Row(
        name="makes_a_process_by_the_calls_that_are_newer",
        why="a filter that knows only the old ones sees nothing",
        attack=_NUMBERS
        + """
            wanted = ctypes.create_string_buffer(struct.pack("11Q", 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
            child = call("clone3", wanted, 88)
            if child == 0:
                os._exit(0)
            memory = call("memfd_create", b"", 0)
            return child > 0 or memory >= 0 or call("execveat", -100, b"/no/such", None, None, 0) == 0
            """,
    ),
)

AROUND_FILES = (
    Row(
        name="is_told_who_uses_the_users_files",
        why="what the user opens, and what it is called, is nobody's business",
        attack="""
            watching = libc.inotify_init1(os.O_NONBLOCK)
            return any(libc.inotify_add_watch(watching, place.encode(), 0xFFF) >= 0 for place in (HOME, HOME + "/.ssh"))
            """,
    ),
    Row(
        name="is_told_of_a_folder_by_a_signal",
        why="what happens in the user's folders is nobody's business",
        attack="""
            import fcntl
            signal.signal(signal.SIGIO, signal.SIG_IGN)
            return fcntl.fcntl(os.open(PROJECT, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_CREATE | fcntl.DN_MODIFY) == 0
            """,
    ),
    Row(
        name="reads_what_is_noted_about_a_file",
        why="attributes can be read by whoever knows a file's name, and Landlock knows nothing of them",
        attack="""
            for place in (HOME + "/.bashrc", HOME + "/.ssh/id_rsa"):
                try:
                    return os.listxattr(place) is not None
                except OSError:
                    continue
            """,
    ),
    Row(
        name="keeps_the_user_from_saving",
        why="who holds a lease is asked before anybody else may write, and has the time to answer",
        attack="""
            import fcntl
            return fcntl.fcntl(os.open(PROJECT + "/mod.py", os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0
            """,
    ),
    Row(
        name="marks_a_file_it_can_only_read",
        why="file systems take orders from whoever has a file open, for reading too",
        attack="""
            import fcntl
            opened = os.open(PROJECT + "/mod.py", os.O_RDONLY)
            for size in (4, 8):
                try:
                    flags = bytearray(size)
                    fcntl.ioctl(opened, 0x80086601, flags)
                    flags[0] ^= 0x40
                    fcntl.ioctl(opened, 0x40086602, bytes(flags))
                    return True
                except OSError:
                    continue
            """,
    ),
    Row(
        name="opens_files_by_number",
        why="a handle goes past every folder on the way",
        attack=_NUMBERS
        + """
            handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0), 136)
            mount = ctypes.create_string_buffer(4)
            names = (HOME + "/.ssh/id_rsa", PROJECT + "/mod.py", "/")
            return any(call("name_to_handle_at", -100, name.encode(), handle, mount, 0) == 0 for name in names)
            """,
    ),
    Row(
        name="hears_of_all_files",
        why="the whole file system can be listened to",
        attack=_NUMBERS
        + """
            return any(call("fanotify_init", flags, 0) >= 0 for flags in (0, 0x200, 0xE00))
            """,
    ),
    Row(
        name="mounts_by_the_calls_that_are_newer",
        why="a mount can be made in pieces, each of which looks harmless",
        attack=_NUMBERS
        + """
            clear = ctypes.create_string_buffer(struct.pack("QQQQ", 0, 1, 0, 0))
            about = ctypes.create_string_buffer(512)
            return (
                call("fsopen", b"tmpfs", 0) >= 0
                or call("open_tree", -100, PROJECT.encode(), 1) >= 0
                or call("open_tree", -100, b"/", 0) >= 0
                or call("mount_setattr", -100, PROJECT.encode(), 0x8000, clear, 32) == 0
                or call("move_mount", -100, b"/tmp", -100, PROJECT.encode(), 0) == 0
                or call("statmount", about, about, 512, 0) == 0
            )
            """,
    ),
)

MACHINE = (
    Row(
        name="uses_up_what_the_kernel_has_for_all",
        why="there are so many contexts for input and output for the whole machine",
        attack=_NUMBERS
        + """
            context = ctypes.create_string_buffer(8)
            return call("io_setup", 4096, context) == 0
            """,
    ),
    Row(
        name="handles_its_own_page_faults",
        why="who makes the kernel wait in the middle of a copy can attack it, and other queues go past the filter",
        attack=_NUMBERS
        + """
            ring = ctypes.create_string_buffer(120)
            faults = call("userfaultfd", 0), call("userfaultfd", 1)
            return max(*faults, call("io_uring_setup", 1, ring), call("memfd_secret", 0)) >= 0
            """,
    ),
    Row(
        name="speaks_to_the_kernel_by_sockets",
        why="most families are kernel code that few have looked at, and some know no network of one's own",
        attack="""
            for family in range(64):
                for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
                    for protocol in range(24 if family == 16 else 2):
                        if libc.socket(family, kind, protocol) >= 0:
                            return True
                    two = (ctypes.c_int * 2)()
                    if family != 1 and libc.socketpair(family, kind, 0, two) == 0:
                        return True
            """,
    ),
    Row(
        name="is_the_machines_owner",
        why="without a capability there is nothing to find out here, not even what there is",
        attack=_NUMBERS
        + """
            def asks(*arguments):
                ctypes.set_errno(0)
                return call(*arguments) == 0 or ctypes.get_errno() not in (1, 38)
            now = ctypes.create_string_buffer(struct.pack("qq", int(time.time()), 0))
            return any([
                asks("clock_settime", 0, now), asks("settimeofday", now, None), asks("swapoff", b"/no/such/place"),
                asks("acct", b"/no/such/place"), asks("delete_module", b"no_such_module", 0),
                asks("quotactl", 0x80000100, None, 0, None),
            ])
            """,
    ),
)

KERNEL = (*SHARED, *OTHERS, *AROUND_FILES, *MACHINE)
