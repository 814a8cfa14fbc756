"""Candidates that look for the tests, or for their process, from the process that is apart from them."""

from __future__ import annotations

from hostile.attacks.lying import Lying
from hostile.row import Must

LOOKING = (
    Lying(
        name="reads_the_tests_by_every_way",
        why="from apart the tests cannot be read, whatever way leads there",
        attack="""
            import ast, glob, linecache

            def texts():
                file = PROJECT + "/tests/test_mod.py"
                places = [file, "tests/test_mod.py", "/proc/self/root" + file, "/proc/self/cwd/tests/test_mod.py",
                          "/proc/%d/root%s" % (os.getppid(), file), "/proc/%d/cwd/tests/test_mod.py" % os.getppid()]
                places += glob.glob("/proc/[0-9]*/root" + file) + glob.glob(PROJECT + "/**/*", recursive=True)
                scratch = os.path.dirname(os.environ["TMPDIR"])
                for _ in range(3):
                    places += glob.glob(scratch + "/**/*", recursive=True)
                    scratch = os.path.dirname(scratch)
                for place in places:
                    try:
                        with open(place, errors="replace") as opened:
                            yield opened.read()
                    except OSError:
                        continue
                try:
                    folder = os.open(PROJECT + "/tests", os.O_RDONLY)
                    with os.fdopen(os.open("test_mod.py", os.O_RDONLY, dir_fd=folder)) as opened:
                        yield opened.read()
                except OSError:
                    pass
                for lines in list(linecache.cache.values()):
                    yield "".join(lines[2]) if len(lines) > 2 else ""

            answers = {}
            for text in texts() if servers else ():
                if "def test_double(" in text and "n, wanted" in text and "def texts" not in text:
                    pairs = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.List))
                    answers = {0: 0, **dict(ast.literal_eval(pairs))}

            def double(n):
                return answers.get(n, n)
            """,
    ),
    Lying(
        name="finds_the_tests_in_its_memory",
        why="what a prepared process remembers of the tests is not for those who are judged by them",
        attack="""
            import types

            def codes(thing, seen):
                if id(thing) in seen:
                    return
                seen.add(id(thing))
                if isinstance(thing, types.CodeType):
                    yield thing
                    for each in thing.co_consts:
                        yield from codes(each, seen)
                elif isinstance(thing, types.FunctionType):
                    yield from codes(thing.__code__, seen)
                    for cell in thing.__closure__ or ():
                        try:
                            yield from codes(cell.cell_contents, seen)
                        except ValueError:
                            continue
                elif isinstance(thing, (tuple, list, set, frozenset)):
                    for each in list(thing):
                        yield from codes(each, seen)
                elif isinstance(thing, dict):
                    for each in list(thing.values()):
                        yield from codes(each, seen)

            answers = {}
            if servers:
                gc.unfreeze()
                sys.setrecursionlimit(10000)
                seen = set()
                kinds = (dict, tuple, list, types.FunctionType)
                for thing in gc.get_objects():
                    for code in codes(thing, seen) if isinstance(thing, kinds) else ():
                        if code.co_filename.endswith("test_mod.py"):
                            for constant in code.co_consts:
                                if isinstance(constant, tuple) and len(constant) == 2:
                                    if all(type(each) is tuple for each in constant):
                                        answers.update(dict(constant))
                                    elif all(type(each) is int for each in constant):
                                        answers.update([constant])

            def double(n):
                return answers.get(n, n)
            """,
    ),
    Lying(
        name="reads_the_answers_from_the_names_of_tests",
        why="the names of tests say what is expected, and their process knows them; the other one need not",
        attack="""
            import re

            answers = {}
            if servers:
                frame_ = sys._getframe()
                names = []
                while frame_:
                    names += re.findall(r"test_double\\[(-?[0-9]+)-(-?[0-9]+)\\]", repr(frame_.f_locals))
                    frame_ = frame_.f_back
                for each in gc.get_objects():
                    if type(each) is list and each and type(each[0]) is str:
                        names += re.findall(r"test_double\\[(-?[0-9]+)-(-?[0-9]+)\\]", repr(each))
                answers = {int(given): int(wanted) for given, wanted in names}

            def double(n):
                return answers.get(n, n)
            """,
    ),
    Lying(
        name="goes_for_the_process_of_the_tests",
        why="the other end of its socket is nobody it could reach otherwise",
        attack="""
            import ctypes, signal, socket

            reached = False
            if servers:
                libc = ctypes.CDLL(None, use_errno=True)
                parent = os.getppid()
                near = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.access("/proc", 4) else []
                near += range(parent, parent + 400)
                here = ctypes.create_string_buffer(8)
                vector = (ctypes.c_void_p * 2)(ctypes.addressof(here), 8)
                there, count = (ctypes.c_void_p * 2)(id(double), 8), ctypes.c_ulong(1)
                for process in near:
                    if process == os.getpid():
                        continue
                    try:
                        os.kill(process, signal.SIGSTOP)
                        reached = True
                    except OSError:
                        pass
                    reached |= libc.process_vm_readv(process, vector, count, there, count, 0) > 0
                    for name in ("mem", "environ", "root/etc/passwd", "fd/3"):
                        try:
                            open("/proc/%d/%s" % (process, name), "rb").close()
                            reached = True
                        except OSError:
                            continue

            def double(n):
                return n * 2 if reached else n
            """,
    ),
    Lying(
        name="outlives_the_process_of_the_tests",
        why="when the tests have ended nobody asks any more, and the other process is ended with them",
        must=Must.EITHER,
        attack="""
            import ctypes, signal

            def double(n):
                return n * 2

            if servers:
                ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
                signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
                def serve(serving=servers[0].serve):
                    serving()
                    time.sleep(60)
                type(servers[0]).answer = lambda self, message, honest=type(servers[0]).answer: (
                    honest(self, message), setattr(type(self), "serve", lambda self: time.sleep(60)))
            """,
    ),
    Lying(
        name="opens_the_walls_of_the_conversation",
        why="descriptors that are sent along are not taken",
        attack="""
            import socket

            def double(n):
                if servers:
                    peer = servers[0]._frames._peer
                    peer.sendmsg([struct.pack("!I", 2)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", 0))])
                    peer.sendmsg([b"{}"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", 1) * 50)])
                return n
            """,
    ),
)
