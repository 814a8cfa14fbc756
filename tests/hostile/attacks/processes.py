"""Candidates that go for other processes, for more rights, or for a longer life."""

from __future__ import annotations

from hostile.row import Must, Row

PROCESSES = (
    Row(
        name="kills_a_process_of_the_user",
        why="signals go to the run's own processes only",
        attack="""
            os.kill(VICTIM, signal.SIGKILL)
            return True
            """,
    ),
    Row(
        name="kills_by_a_handle",
        why="a pidfd is another way to the same process",
        attack="""
            signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGKILL)
            return True
            """,
    ),
    Row(
        name="kills_by_an_owned_pipe",
        why="the kernel sends signals for whoever owns a descriptor",
        attack="""
            import fcntl
            reading, writing = socket.socketpair()
            fcntl.fcntl(reading, fcntl.F_SETOWN, VICTIM)
            fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
            return writing.send(b"x")
            """,
    ),
    Row(
        name="kills_its_keeper",
        why="whoever is without a keeper dies with it",
        attack="""
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(0.2)
            return True
            """,
    ),
    Row(
        name="reports_in_its_keepers_name",
        why="how a run ended is known from the kernel, and saying that it ended well says nothing of tests",
        attack="""
            for place in os.listdir("/proc/%d/fd" % os.getppid()):
                try:
                    stolen = os.open("/proc/%d/fd/%s" % (os.getppid(), place), os.O_WRONLY)
                    os.write(stolen, b'{"status": 0, "cpu": 0.0}\\n{"end": "complete"}\\n')
                except OSError:
                    continue
            os.kill(os.getppid(), signal.SIGKILL)
            os._exit(0)
            """,
    ),
    Row(
        name="debugs_a_process",
        why="whoever may debug a process is that process",
        attack="""
            for process in (VICTIM, os.getppid()):
                if libc.ptrace(0x4206, process, None, None) == 0:
                    return True
            """,
    ),
    Row(
        name="reads_another_process",
        why="memory holds keys",
        attack="""
            here = ctypes.create_string_buffer(8)
            vector = (ctypes.c_void_p * 2)(ctypes.addressof(here), 8)
            for process in (VICTIM, os.getppid()):
                with open("/proc/%d/maps" % process) as maps:
                    start = int(maps.readline().split("-")[0], 16)
                there = (ctypes.c_void_p * 2)(start, 8)
                if libc.process_vm_readv(process, vector, ctypes.c_ulong(1), there, ctypes.c_ulong(1), 0) == 8:
                    return True
            """,
    ),
    Row(
        name="writes_its_keepers_memory",
        why="the keeper decides when a run is over",
        attack="""
            with open("/proc/%d/mem" % os.getppid(), "r+b", buffering=0):
                return True
            """,
    ),
    Row(
        name="lives_on_as_a_daemon",
        why="nothing survives the verdict, whatever session and environment it hides in",
        must=Must.EITHER,
        attack="""
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    program = "import time; time.sleep(60)"
                    os.execve(sys.executable, [sys.executable, "-S", "-c", program, MARK], {})
                os._exit(0)
            return True
            """,
    ),
    Row(
        name="runs_a_shell",
        why="tests that need no other program get none",
        attack='return subprocess.run(["/bin/sh", "-c", "exit 0"]).returncode == 0',
    ),
    Row(
        name="becomes_another_program",
        why="an early end is never a pass",
        attack='os.execv("/bin/true", ["true"])',
    ),
    Row(
        name="runs_a_program_from_memory",
        why="a file without a name is a program as well",
        attack="""
            import shutil
            program = os.memfd_create("program")
            with open("/bin/true", "rb") as true, os.fdopen(os.dup(program), "wb") as copy:
                shutil.copyfileobj(true, copy)
            return subprocess.run(["/proc/self/fd/%d" % program], pass_fds=[program]).returncode == 0
            """,
    ),
    Row(
        name="makes_namespaces_of_its_own",
        why="in a user namespace of its own it would have all capabilities, and the kernel's rarer code to attack",
        attack="""
            import faulthandler
            # Its thread would keep this process from changing namespaces, as the kernel does for any with threads.
            faulthandler.cancel_dump_traceback_later()
            return libc.unshare(0x10000000) == 0
            """,
    ),
    Row(
        name="mounts_over_the_project",
        why="no capability to mount",
        attack="""
            return libc.mount(b"none", PROJECT.encode(), b"tmpfs", 0, None) == 0
            """,
    ),
    Row(
        name="makes_the_project_writable_again",
        why="what is mounted read-only stays so",
        attack="""
            return libc.mount(None, PROJECT.encode(), None, 32 | 4096, None) == 0
            """,
    ),
    Row(
        name="changes_its_root",
        why="no capability to do so",
        attack="""
            os.chroot(temporary)
            return True
            """,
    ),
    Row(
        name="enters_anothers_namespaces",
        why="the namespaces of the user's processes are the way out",
        attack="""
            for kind in ("mnt", "net", "pid"):
                entered = os.open("/proc/%d/ns/%s" % (VICTIM, kind), os.O_RDONLY)
                if libc.setns(entered, 0) == 0:
                    return True
            """,
    ),
    Row(
        name="leaves_a_secret_in_the_keyring",
        why="the kernel's keys belong to the user, not to the run",
        attack="""
            number = {"x86_64": 248, "aarch64": 217}[platform.machine()]
            return libc.syscall(number, b"user", MARK.encode(), b"x", ctypes.c_size_t(1), -4) > 0
            """,
    ),
    Row(
        name="watches_the_processor",
        why="counters see what other programs do",
        attack="""
            number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
            wanted = ctypes.create_string_buffer(struct.pack("<II", 1, 128), 128)
            return libc.syscall(number, wanted, 0, -1, -1, 0) >= 0
            """,
    ),
    Row(
        name="loads_a_program_into_the_kernel",
        why="bpf is for the machine's owner",
        attack="""
            number = {"x86_64": 321, "aarch64": 280}[platform.machine()]
            wanted = ctypes.create_string_buffer(struct.pack("<IIII", 2, 4, 4, 1), 128)
            return libc.syscall(number, 0, wanted, 128) >= 0
            """,
    ),
)
