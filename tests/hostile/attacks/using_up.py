"""Candidates that use up what the machine has: time, memory, processes, descriptors, space, patience."""

from __future__ import annotations

from hostile.row import Must, Row

USING_UP = (
    Row(
        name="loops_and_swallows_everything",
        why="an alarm that raises in the program is swallowed by it; only SIGKILL from outside ends it",
        attack="""
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    continue
            """,
    ),
    Row(
        name="disarms_the_clock_and_sleeps",
        lingers=True,
        why="what runs in the program can be switched off by it: the wall clock outside is what counts",
        attack="""
            import faulthandler
            faulthandler.cancel_dump_traceback_later()
            signal.setitimer(signal.ITIMER_REAL, 0)
            time.sleep(3600)
            """,
    ),
    Row(
        name="blocks_all_signals_and_waits",
        lingers=True,
        why="a process that no signal wakes still dies of SIGKILL",
        attack="""
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            reading, writing = os.pipe()
            os.read(reading, 1)
            """,
    ),
    Row(
        name="computes_in_c_for_ever",
        lingers=True,
        why="no Python-level handler runs while C code holds the interpreter",
        attack="return pow(3, 10 ** 9) > 0",
    ),
    Row(
        name="hangs_in_the_function",
        why="a test that does not end is a failed test",
        whole=True,
        lingers=True,
        attack="""
            def double(n):
                while True:
                    pass
            """,
    ),
    Row(
        name="grows_a_bytearray",
        why="RLIMIT_AS makes it a MemoryError",
        attack="""
            grown = bytearray()
            for _ in range(32):
                grown += bytes(64 << 20)
            return True
            """,
    ),
    Row(
        name="allocates_behind_pythons_back",
        why="RLIMIT_AS counts what C code allocates as well",
        attack="""
            libc.malloc.restype = ctypes.c_void_p
            return all(libc.malloc(ctypes.c_size_t(64 << 20)) for _ in range(64))
            """,
    ),
    Row(
        name="forks_until_it_may_not",
        why="a run has few processes or none; nothing survives it",
        attack="""
            for _ in range(200):
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
            return True
            """,
    ),
    Row(
        name="forks_and_dies_in_a_chain",
        why="a chain whose every link outlives its parent must not outrun the kill",
        must=Must.EITHER,
        attack="""
            if os.fork() == 0:
                os.setsid()
                until = time.monotonic() + 30
                while time.monotonic() < until:
                    if os.fork() != 0:
                        os._exit(0)
            return True
            """,
    ),
    Row(
        name="starts_threads_without_end",
        why="each thread needs address space, of which there is little",
        attack="""
            threading.stack_size(1 << 20)
            for _ in range(4000):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            return True
            """,
    ),
    Row(
        name="opens_pipes_without_end",
        why="RLIMIT_NOFILE; the machine's own table of open files is everybody's",
        attack="""
            kept = [os.pipe() for _ in range(10000)]
            return True
            """,
    ),
    Row(
        name="writes_one_huge_file",
        why="RLIMIT_FSIZE",
        attack="""
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with open(temporary + "/huge", "wb", buffering=0) as huge:
                return all(huge.write(bytes(1 << 20)) == 1 << 20 for _ in range(128))
            """,
    ),
    Row(
        name="makes_a_huge_file_of_nothing",
        why="RLIMIT_FSIZE holds for files with holes, too",
        attack="""
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with open(temporary + "/holes", "wb") as holes:
                os.truncate(holes.fileno(), 1 << 40)
            return True
            """,
    ),
    Row(
        name="fills_memory_with_shared_files",
        why="files in memory are memory, but no limit of a process counts them",
        attack="""
            for number in range(24):
                with open("/dev/shm/" + MARK + str(number), "wb", buffering=0) as file:
                    if file.write(bytes(40 << 20)) != 40 << 20:
                        return False
            return True
            """,
    ),
    Row(
        name="floods_standard_output",
        lingers=True,
        why="output is heard up to a limit, then the run is killed",
        attack="""
            return all(os.write(descriptor, bytes(1 << 16)) for _ in range(2048) for descriptor in (1, 2))
            """,
    ),
    Row(
        name="floods_every_descriptor",
        lingers=True,
        why="the pipe for messages has a limit of its own",
        attack="""
            for descriptor in range(3, 64):
                try:
                    for _ in range(512):
                        os.write(descriptor, b"{" * (1 << 16))
                except OSError:
                    continue
            return True
            """,
    ),
    Row(
        name="recurses_past_the_end_of_the_stack",
        why="a crash of the run is a verdict",
        attack="""
            sys.setrecursionlimit(1 << 30)
            def deeper(n):
                return sorted([1, 2], key=lambda _: deeper(n + 1))
            deeper(0)
            """,
    ),
    Row(name="writes_through_a_null_pointer", why="a crash of the run is a verdict", attack="ctypes.memset(0, 0, 1)"),
    Row(name="kills_itself", why="an early end is never a pass", attack="os.kill(os.getpid(), signal.SIGKILL)"),
    Row(
        name="stops_itself",
        lingers=True,
        why="a stopped process still dies of SIGKILL",
        attack="os.kill(os.getpid(), signal.SIGSTOP)",
    ),
    Row(
        name="lifts_its_limits",
        why="hard limits, and no capability to raise them",
        attack="""
            for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE):
                resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return True
            """,
    ),
    Row(
        name="steps_before_everybody_else",
        why="no capability to raise its priority",
        attack="""
            os.setpriority(os.PRIO_PROCESS, 0, -20)
            return True
            """,
    ),
    Row(
        name="nests_deeper_than_a_parser_goes",
        why="candidates are parsed in the run, never in the daemon",
        whole=True,
        attack="def double(n):\n    return " + "(" * 3000 + "n * 2" + ")" * 3000 + "\n",
    ),
    Row(
        name="leaves_a_thread_behind",
        why="an untidy program whose tests pass is not a hostile one, and cannot keep the run from ending",
        must=Must.ACCEPT,
        whole=True,
        attack="""\
            def double(n):
                threading.Thread(target=time.sleep, args=(60,)).start()
                return n * 2

            import threading
            import time
            """,
    ),
)
