"""Candidates that go for the process they are a copy of, for what it remembers, and for the candidates after them."""

from __future__ import annotations

from hostile.row import Must, Row

_LOOK_AROUND = """
            scratch = os.path.dirname(temporary)
            places = ["/tmp", "/dev/shm", "/var/tmp", temporary, scratch, os.path.dirname(scratch), HOME,
                      os.path.dirname(os.path.dirname(scratch)), os.environ["HOME"]]
"""

WARM = (
    Row(
        name="writes_every_memory_it_can_name",
        why="the process it is a copy of decides what becomes of all candidates after it",
        attack="""
            for process in os.listdir("/proc"):
                if process.isdigit() and int(process) != os.getpid():
                    try:
                        with open("/proc/%s/mem" % process, "r+b", buffering=0):
                            return True
                    except OSError:
                        continue
            """,
    ),
    Row(
        name="writes_into_its_zygote_by_a_call",
        why="process_vm_writev needs no file",
        attack="""
            here = ctypes.create_string_buffer(8)
            vector = (ctypes.c_void_p * 2)(ctypes.addressof(here), 8)
            # What lies where in a copy lies there in the original as well.
            there = (ctypes.c_void_p * 2)(id(attack), 8)
            count = ctypes.c_ulong(1)
            return libc.process_vm_writev(os.getppid(), vector, count, there, count, 0) == 8
            """,
    ),
    Row(
        name="seizes_whatever_runs",
        why="a debugger is whoever it debugs",
        attack="""
            for process in [name for name in os.listdir("/proc") if name.isdigit()] + [str(os.getppid())]:
                if int(process) != os.getpid() and libc.ptrace(0x4206, int(process), None, None) == 0:
                    return True
            """,
    ),
    Row(
        name="signals_its_zygote_by_every_call",
        why="there are many ways to say it: to a process, a group, a thread, and with a value",
        attack="""
            number = {"x86_64": (200, 234, 129), "aarch64": (130, 131, 138)}[platform.machine()]
            parent, worked = os.getppid(), False
            for way in (
                lambda: os.kill(parent, signal.SIGUSR1),
                lambda: os.kill(-parent, signal.SIGUSR1),
                lambda: os.killpg(os.getpgid(parent), signal.SIGSTOP),
                lambda: os.kill(-1, signal.SIGKILL),
                lambda: os.kill(0, signal.SIGCONT),
            ):
                try:
                    way()
                    worked = True
                except OSError:
                    continue
            said = struct.pack("<iii", signal.SIGKILL, 0, -1) + bytes(116)
            calls = [(number[0], parent, 9), (number[1], parent, parent, 9), (number[2], parent, 9, said)]
            return worked or any([libc.syscall(*call) == 0 for call in calls])
            """,
    ),
    Row(
        name="limits_its_zygote",
        why="whoever may set another's limits has it killed by the kernel",
        attack="""
            for process in (os.getppid(), VICTIM):
                try:
                    resource.prlimit(process, resource.RLIMIT_CPU, (1, 1))
                    return True
                except OSError:
                    continue
            """,
    ),
    Row(
        name="slows_all_the_others_down",
        why="priorities can be set for all processes of a user at once",
        must=Must.EITHER,
        attack="""
            os.setpriority(os.PRIO_USER, 0, 19)
            os.setpriority(os.PRIO_USER, os.getuid(), 19)
            return True
            """,
    ),
    Row(
        name="offers_its_zygote_to_be_killed_for_memory",
        why="the kernel kills first who has the highest score",
        attack="""
            for process in (os.getppid(), VICTIM):
                try:
                    with open("/proc/%d/oom_score_adj" % process, "w") as score:
                        score.write("1000")
                    return True
                except OSError:
                    continue
            """,
    ),
    Row(
        name="finds_the_socket_its_zygote_is_asked_by",
        why="who has that socket says how runs ended",
        attack="""
            for descriptor in range(3, 4096):
                try:
                    found = socket.socket(fileno=descriptor)
                except OSError:
                    continue
                if found.type == socket.SOCK_SEQPACKET:
                    found.send(b'{"id": "0", "status": 0, "cpu": 0.0}')
                    return True
                found.detach()
            """,
    ),
    Row(
        name="takes_descriptors_from_its_zygote",
        why="pidfd_getfd copies what another process has open",
        attack="""
            handle = libc.syscall(434, os.getppid(), 0)
            return handle >= 0 and any(libc.syscall(438, handle, number, 0) >= 0 for number in range(3, 32))
            """,
    ),
    Row(
        name="opens_what_its_zygote_has_open",
        why="/proc shows descriptors as files",
        attack="""
            for process in {os.getppid(), 1, VICTIM}:
                for descriptor in range(64):
                    for flags in (os.O_WRONLY, os.O_RDONLY):
                        try:
                            return os.open("/proc/%d/fd/%d" % (process, descriptor), flags)
                        except OSError:
                            continue
            """,
    ),
    Row(
        name="passes_its_descriptors_round_in_circles",
        why="descriptors that are under way count for no process, but they are few and end with the run",
        must=Must.EITHER,
        attack="""
            for _ in range(200):
                one, other = socket.socketpair()
                socket.send_fds(one, [b"x"], [one.fileno(), other.fileno()] * 100)
            return True
            """,
    ),
    Row(
        name="plants_an_order_for_the_next_run",
        why="what a run is to do is written where its candidate cannot write",
        attack=_LOOK_AROUND
        + """
            worked = False
            for place in places[4:6] + places[7:8]:
                for name in (MARK, "order.json", "overlay/0", "overlay/rest.json"):
                    try:
                        with open(place + "/" + name, "a") as file:
                            worked = bool(file.write(" "))
                    except OSError:
                        continue
            return worked
            """,
    ),
    Row(
        name="reads_the_orders_of_the_runs",
        why="orders name the tests, and their names say what is expected",
        attack="""
            scratch = os.path.dirname(temporary)
            runs = os.path.dirname(scratch)
            places = [scratch, os.path.dirname(runs)]
            try:
                places += [runs + "/" + name for name in os.listdir(runs)]
            except OSError:
                pass
            for place in places:
                try:
                    with open(place + "/order.json") as file:
                        return "test_double" in file.read()
                except OSError:
                    continue
            """,
    ),
    Row(
        name="leaves_an_answer_for_the_next_one",
        why="what a run writes ends with it, or a candidate could have others work for it",
        before=_LOOK_AROUND
        + """
            for place in places:
                try:
                    with open(place + "/" + MARK, "w") as file:
                        file.write("the answer")
                except OSError:
                    continue
            os.environ[MARK] = "the answer"
            sys.modules[MARK] = sys
            return True
            """,
        attack=_LOOK_AROUND
        + """
            return (
                any(os.path.exists(place + "/" + MARK) for place in places)
                or MARK in os.environ
                or MARK in sys.modules
            )
            """,
    ),
    Row(
        name="leaves_a_module_that_python_finds_first",
        why="the next run imports from where the last one could write",
        before="""
            for place in [temporary, os.getcwd(), *sys.path]:
                try:
                    with open(place + "/_pytest_plugin.py", "w") as file:
                        file.write("worked = True")
                except OSError:
                    continue
            sys.path.insert(0, temporary)
            return True
            """,
        attack="""
            try:
                import _pytest_plugin
            except ImportError:
                return False
            return _pytest_plugin.worked
            """,
    ),
    Row(
        name="leaves_memory_for_the_next_one",
        why="pages that the original maps as shared would be written for all its copies",
        before="""
            with open("/proc/self/maps") as maps:
                for line in maps:
                    bounds, rights = line.split()[:2]
                    if rights.startswith("rw") and rights.endswith("s"):
                        first = int(bounds.split("-")[0], 16)
                        ctypes.memmove(first, MARK.encode(), len(MARK))
            return True
            """,
        attack="""
            with open("/proc/self/maps") as maps:
                for line in maps:
                    bounds, rights = line.split()[:2]
                    if rights.startswith("rw") and rights.endswith("s"):
                        return True
            """,
    ),
    Row(
        name="leaves_a_lock_for_the_next_one",
        why="a file that all runs see can be locked by one of them",
        must=Must.EITHER,
        before="""
            import fcntl
            for place in (PROJECT + "/conftest.py", PROJECT, "/dev/null", "/"):
                fcntl.flock(os.open(place, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
            """,
        attack="return True",
    ),
    Row(
        name="lives_on_without_its_parents_death_signal",
        why="a copy that asked not to die with its zygote is killed by the one who waits for it",
        must=Must.EITHER,
        attack="""
            libc.prctl(1, 0, 0, 0, 0)
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            try:
                os.setsid()
            except OSError:
                pass
            threading.Thread(target=time.sleep, args=(60,)).start()
            time.sleep(60)
            """,
    ),
    Row(
        name="hooks_the_end_of_the_copy",
        why="what a program leaves to be run at exit is not run, and says nothing",
        whole=True,
        attack="""
            import _pytest.python, atexit, os, threading
            atexit.register(os._exit, 0)
            threading._register_atexit(os._exit, 0)
            threading.Thread(target=lambda: (threading.Event().wait(0.01), os._exit(0)), daemon=True).start()

            def double(n):
                threading.Event().wait(1)
                return n
            """,
    ),
    Row(
        name="finds_the_prepared_session",
        why="the session that all copies share is the candidate's to change in its own copy only, and not apart",
        whole=True,
        attack="""
            import gc
            gc.unfreeze()
            for each in gc.get_objects():
                if type(each).__name__ == "Session":
                    each.config.hook.pytest_runtest_protocol = lambda **named: True
                    each.config.pluginmanager.register(type("Quiet", (), {"pytest_runtest_call": lambda self: None})())
                if type(each).__name__ == "Reporter":
                    type(each).pytest_runtest_makereport = lambda self, item, call: None
            import _pytest.runner
            _pytest.runner.pytest_runtest_call = lambda item: None
            _pytest.python.Function.runtest = lambda self: None

            def double(n):
                return n
            """,
    ),
)
