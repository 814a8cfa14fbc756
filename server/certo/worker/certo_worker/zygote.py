"""The warm process: it has prepared a program once, and every run begins as a copy of it, which fork makes in no time.

It is not confined as strictly as its copies are, for it has to make them; so nothing that a candidate wrote runs in it,
only what the user's own configuration has pytest import. It speaks to the executor over one socket: a message comes in
with two pipes, for what the run says and what it prints, and with its order, a file that has no name any more; the
process is handed out as a descriptor to kill it by, and in the end its exit status. The status is what the kernel told
its parent, which we are.
"""

from __future__ import annotations

import array
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from types import ModuleType
from typing import Any, Dict, List, Tuple

from certo_worker import confine, overlay, program, walls
from certo_worker.channel import Channel
from certo_worker.describing import message_of
from certo_worker.keeper import leave
from certo_worker.lookout import children, kill

_PIDFD_OPEN = 434
_MOST_BYTES = 65536
_MOST_DESCRIPTORS = 3


def serve(order: Dict[str, Any], said: int) -> int:
    """Prepare the program, say so, and make a copy for each message, until the executor closes its end."""
    channel = Channel(said)
    confine.adopt_orphans()
    confine.step_back(order["limits"]["niceness"])
    program.arrange_path(order["root"], order["home"])
    if order["mounts"] is not None:
        from certo_worker import mounting, privileges  # these need ctypes, which only those who have walls are sure of

        # That much of what each copy gives up can be given up for all of them.
        privileges.forgo()
        # The copies lay the overlay over this, each its own; here those who import see it, and that is enough.
        mounting.lay_out({**order["mounts"], "files": {}})
    overlay.install(order["root"], order["overlay"])
    if not order["walls"]["alone"]:
        # In namespaces of its own it keeps what it needs to give each copy a file system of its own.
        walls.put_up({**order["walls"], "readable": [*order["walls"]["readable"], "/proc"]})
    module = importlib.import_module(order["module"])
    began = time.monotonic()
    try:
        module.prepare(order["preparation"])
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        why = "preparing its tests once for all failed: {}".format(message_of(error))
        channel.tell({"kind": "unfit", "why": why, "alone": False})
        return 1
    why = _why_no_copies()
    if why:
        channel.tell({"kind": "unfit", "why": why, "alone": True})
        return 1
    # What is there now will be there in every copy: looking through it for garbage would only make them unshare it.
    gc.collect()
    gc.freeze()
    overlay.remember_files()
    walls.foresee(order["walls"])
    channel.tell({"kind": "ready", "seconds": round(time.monotonic() - began, 4), "files": _files(order)})
    Zygote(socket.socket(fileno=order["control"]), module, said).serve()
    return 0


class Zygote:
    """Makes the copies and sees them end."""

    def __init__(self, control: socket.socket, module: ModuleType, said: int) -> None:
        self._control = control
        # What a program may have besides: to be told, before it is copied, what the copy is for.
        self._foresee = getattr(module, "foresee", _see_nothing)
        self._module = module
        self._left_open = [one for one in _descriptors() if one > 2 and one not in (control.fileno(), said)]
        self._running: Dict[int, Tuple[str, int]] = {}

    def serve(self) -> None:
        """Serve until the other end of the socket is closed."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        while True:
            for descriptor, _event in poll.poll():
                if descriptor != self._control.fileno():
                    poll.unregister(descriptor)
                    self._collect(descriptor)
                    continue
                message, pipes = self._receive()
                if not message:
                    return
                begun = self._begin(message, pipes)
                if begun is not None:
                    poll.register(begun, select.POLLIN)

    def _receive(self) -> Tuple[Dict[str, Any], List[int]]:
        space = socket.CMSG_SPACE(_MOST_DESCRIPTORS * array.array("i").itemsize)
        text, ancillary, _flags, _address = self._control.recvmsg(_MOST_BYTES, space)
        pipes = array.array("i")
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                pipes.frombytes(content[: len(content) - len(content) % pipes.itemsize])
        return (json.loads(text) if text else {}), list(pipes)

    def _begin(self, message: Dict[str, Any], pipes: List[int]) -> Any:
        """Start a run; the descriptor that tells of its end, or None for one that could not be started."""
        try:
            said, printed, ordered = pipes
            with open(ordered, encoding="utf-8", closefd=False) as order_file:
                order = json.load(order_file)
            self._foresee(order["request"])
            if _threads() > 1:
                raise OSError("it has come to run threads")
            run = self._fork(order, said, printed)
        except OSError as error:
            why = "the process it starts from was not copied: {}".format(error)
            self._answer({"id": message["id"], "refused": why})
            return None
        finally:
            for pipe in pipes:
                os.close(pipe)
        ended = _descriptor_of(run)
        self._running[ended] = message["id"], run
        handed = array.array("i", [ended])
        self._control.sendmsg(
            [json.dumps({"id": message["id"]}).encode("ascii")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)]
        )
        return ended

    def _fork(self, order: Dict[str, Any], said: int, printed: int) -> int:
        zygote = os.getpid()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = self._be_copy(order, said, printed, zygote)
            except BaseException:
                traceback.print_exc()
            finally:
                leave(status)
        return child

    def _be_copy(self, order: Dict[str, Any], said: int, printed: int, zygote: int) -> int:
        signal.set_wakeup_fd(-1)
        os.setpgid(0, 0)
        confine.die_with_parent(signal.SIGKILL)
        if os.getppid() != zygote:
            return 1
        for standard in (1, 2):
            os.dup2(printed, standard)
        self._let_go(said)
        # Where pytest had it write, on a crash, is closed now, and may become any file of the run's.
        if faulthandler.is_enabled():
            faulthandler.enable(file=2)
        _move_in(order["scratch"])
        return program.run(order, said, self._module)

    def _let_go(self, said: int) -> None:
        """Close all but the standard streams and the channel.

        What the preparation left open would be one file of all copies, with one position to read from; but its number
        is not free, for some object of the preparation's believes it to be its own: what it leads to is of no use.
        """
        useless = os.open(os.devnull, os.O_PATH) if self._left_open else said
        for descriptor in self._left_open:
            os.dup2(useless, descriptor, inheritable=False)
        for descriptor in _descriptors():
            if descriptor > 2 and descriptor != said and descriptor not in self._left_open:
                os.close(descriptor)

    def _collect(self, descriptor: int) -> None:
        """Reap a run that has ended, and tell how."""
        name, run = self._running.pop(descriptor)
        os.close(descriptor)
        _, status, used = os.wait4(run, 0)
        seconds = used.ru_utime + used.ru_stime
        # What a run leaves behind is ours from its end on, and who still runs is known.
        for orphan in set(children(os.getpid())).difference(run for _name, run in self._running.values()):
            kill([orphan])
            used = os.wait4(orphan, 0)[2]
            seconds += used.ru_utime + used.ru_stime
        ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        self._answer({"id": name, "status": ended, "cpu": seconds})

    def _answer(self, message: Dict[str, Any]) -> None:
        self._control.send(json.dumps(message).encode("ascii"))


def _see_nothing(_request: Dict[str, Any]) -> None:
    return


def _threads() -> int:
    return len(os.listdir("/proc/self/task"))


def _why_no_copies() -> str:
    """Why a copy of this process would not be what it is, in words; empty when it would."""
    if _threads() > 1:
        return "what its tests import runs threads, which a copy would be without"
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return ""
    return "what its tests import starts processes, which all copies would share"


def _files(order: Dict[str, Any]) -> List[str]:
    """The files of this process's modules that are the project's, and one of each installed package."""
    root = os.path.realpath(order["root"]) + os.sep
    standard = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
    found = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(file, str):
            continue
        real = os.path.realpath(file)
        installed = not real.startswith(standard) or os.sep + "site-packages" + os.sep in real
        if real.startswith(root) or (installed and "." not in name):
            found.add(file)
    return sorted(found)


def _descriptor_of(process: int) -> int:
    """A descriptor that stands for a child of ours: readable once it has ended, and to kill it by."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(process)
    from certo_worker.kernel import syscall  # Python 3.8 has no name for it, and may have no ctypes either

    return syscall(_PIDFD_OPEN, process, 0)


def _descriptors() -> List[int]:
    """What is open, but for the one that the listing itself is read by."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            os.fstat(int(name))
            found.append(int(name))
    return found


def _move_in(scratch: str) -> None:
    """Have this process use directories of its own."""
    os.environ["HOME"], os.environ["TMPDIR"] = os.path.join(scratch, "home"), os.path.join(scratch, "tmp")
    # Without it, `tempfile` would find out by writing a file.
    tempfile.tempdir = os.environ["TMPDIR"]
