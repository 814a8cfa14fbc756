"""Zygote: a warm process that has prepared a program once, and forks a copy of itself for every run.

It is confined less strictly than its copies, because it must make them, but it has no privileges, and can do no more
than its copies can; no code of a candidate runs in it, only code that the user's own configuration makes pytest import.
It talks to the executor over one socket: a message comes in with two pipes, for the run's messages and output, and with
its order, a file without a name; it returns a descriptor to kill the copy by, and finally its exit status. The status
is reliable, because the kernel reports it to the parent, which is the zygote.
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
from typing import Any, Callable, Dict, List, Tuple

from certo_worker.confinement import activation, limits, secret_files
from certo_worker.process import overlay, site_packages
from certo_worker.process import run as program
from certo_worker.process.channel import Channel
from certo_worker.process.supervisor import children, kill, leave

_PIDFD_OPEN = 434
_MAX_BYTES = 65536
_MAX_DESCRIPTORS = 3


def serve(order: Dict[str, Any], said: int) -> int:
    """Prepare the program, report that, and make a copy for each message, until the executor closes its end."""
    channel = Channel(said)
    limits.adopt_orphans()
    limits.step_back(order["limits"]["niceness"])
    # The mount server is started while there are capabilities to inherit, and before anything foreign is imported.
    views = _see_to_views(order)
    overlay.install(order["root"], order["overlay"])
    secret_files.install(order["hidden"])
    _put_up_walls(order["walls"])
    # Code of the project can be imported from here on, under any name.
    site_packages.take_in(order["walls"])
    program.arrange_path(order["root"], order["home"])
    module = importlib.import_module(order["module"])
    began = time.monotonic()
    try:
        module.prepare(order["preparation"])
    except (Exception, SystemExit) as error:
        from certo_worker.observation.failure_text import (
            message_of,  # it notes what is installed, which is known only by now
        )

        traceback.print_exc()
        why = "preparing its tests once for all failed: {}".format(message_of(error))
        channel.tell({"kind": "unfit", "why": why, "alone": False})
        return 1
    why = _why_no_copies()
    if why:
        channel.tell({"kind": "unfit", "why": why, "alone": True})
        return 1
    activation.foresee(order["walls"])

    def announce() -> None:
        # These objects exist in every copy: collecting them there would only unshare their pages.
        gc.collect()
        gc.freeze()
        overlay.remember_files()
        channel.tell({"kind": "ready", "seconds": round(time.monotonic() - began, 4), "files": _files(order)})

    announce()
    Zygote(socket.socket(fileno=order["control"]), module, said, views, announce).serve()
    return 0


def _see_to_views(order: Dict[str, Any]) -> Any:
    """Start the mount server if copies get a file system of their own; return it, or None."""
    if order["mounts"] is None:
        return None
    from certo_worker.confinement import (  # these need ctypes, which only those with walls are sure of
        mounts,
        privileges,
    )
    from certo_worker.process import mount_server  # these need ctypes, which only those with walls are sure of

    # Each copy's own view is mounted over this; for imports here the overlay suffices.
    mounts.lay_out({**order["mounts"], "files": {}})
    seen = mount_server.Views(order["mounts"]["views"], os.path.join(order["scratch"], "runs"))
    privileges.drop()
    return seen


def _put_up_walls(mine: Dict[str, Any]) -> None:
    """Apply the confinement of our copies to ourselves, except for making them."""
    own = {**mine, "readable": [*mine["readable"], "/proc"]}
    if mine["alone"]:
        # Writable places are mounts, and each copy has its own over ours. Landlock identifies files by inode and not by
        # name, so it would refuse writing to places that do not exist yet.
        own["writable"] = ["/"]
    activation.apply_confinement(own)
    if mine["alone"] and mine["seccomp"]:
        from certo_worker.confinement import privileges  # as above

        # We have no more rights than our copies, and our memory contains everything that they see.
        privileges.hide()


class Zygote:
    """Server that makes copies and reaps them."""

    def __init__(
        self, control: socket.socket, module: ModuleType, said: int, views: Any, announce: Callable[[], None]
    ) -> None:
        self._control = control
        self._views = views
        self._announce = announce
        # An optional hook of the program, called with a copy's request before the fork. It returns True if it has
        # imported something.
        self._foresee = getattr(module, "foresee", _see_nothing)
        self._module = module
        ours = {control.fileno(), said, *([] if views is None else [views.descriptor()])}
        self._left_open = [one for one in _descriptors() if one > 2 and one not in ours]
        self._running: Dict[int, Tuple[str, int]] = {}
        # The candidate's process of each run that is apart, by the run's own, if we have started both.
        self._candidates: Dict[int, int] = {}

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
        space = socket.CMSG_SPACE(_MAX_DESCRIPTORS * array.array("i").itemsize)
        text, ancillary, _flags, _address = self._control.recvmsg(_MAX_BYTES, space)
        pipes = array.array("i")
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                pipes.frombytes(content[: len(content) - len(content) % pipes.itemsize])
        return (json.loads(text) if text else {}), list(pipes)

    def _begin(self, message: Dict[str, Any], pipes: List[int]) -> Any:
        """Start a run; return the descriptor that reports its end, or None if it could not be started."""
        try:
            said, printed, ordered = pipes
            with open(ordered, encoding="utf-8", closefd=False) as order_file:
                order = json.load(order_file)
            if self._foresee(order["request"]):
                self._announce()
            if _threads() > 1:
                raise OSError("it has come to run threads")
            run = self._start(message["id"], order, said, printed)
        except OSError as error:
            why = "the process it starts from was not copied: {}".format(error)
            self._answer({"id": message["id"], "refused": why})
            return None
        finally:
            for pipe in pipes:
                os.close(pipe)
        # The executor gets a descriptor and not a number, which may mean nothing in its process namespace, and could be
        # given to another process by the time it is used.
        ended = _descriptor_of(run)
        self._running[ended] = message["id"], run
        handed = array.array("i", [ended])
        self._control.sendmsg(
            [json.dumps({"id": message["id"]}).encode("ascii")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)]
        )
        return ended

    def _start(self, name: str, order: Dict[str, Any], said: int, printed: int) -> int:
        """Fork the copy for a run, and a second one that sees other files if the run is apart."""
        if self._views is None:
            return self._fork(order, [said], printed, lambda: program.run(order, said, self._module))
        with self._views.of_run(name, program.judged(order)):
            if order["apart"] is None:
                return self._fork(order, [said], printed, lambda: program.run(order, said, self._module))
            judge, way = socket.socketpair()
            with judge, way:
                # The candidate's process comes first, because the other must know it; it does nothing until asked.
                candidate = self._start_candidate(name, order, way, printed)
                ours = [said, judge.fileno()]
                try:
                    known = (candidate, judge)
                    run = self._fork(order, ours, printed, lambda: program.run(order, said, self._module, known))
                except OSError:
                    kill([candidate])
                    os.waitpid(candidate, 0)
                    raise
                self._candidates[run] = candidate
                return run

    def _start_candidate(self, name: str, order: Dict[str, Any], way: socket.socket, printed: int) -> int:
        with self._views.of_candidate(name, order["mounts"], program.concealed(order)):
            theirs = [way.fileno()]
            return self._fork(order, theirs, printed, lambda: program.run_candidate(order, way, self._module))

    def _fork(self, order: Dict[str, Any], ways: List[int], printed: int, body: Callable[[], int]) -> int:
        zygote = os.getpid()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self._become_copy(order, ways, printed, zygote)
                status = body()
            except BaseException:
                traceback.print_exc()
            finally:
                leave(status)
        return child

    def _become_copy(self, order: Dict[str, Any], ways: List[int], printed: int, zygote: int) -> None:
        # The copy has inherited the preparation's hooks and files, of which none may connect it to other copies.
        signal.set_wakeup_fd(-1)
        os.setpgid(0, 0)
        limits.die_with_parent(signal.SIGKILL)
        # It may have died before the kernel was asked to end us with it.
        if os.getppid() != zygote:
            leave(1)
        for standard in (1, 2):
            os.dup2(printed, standard)
        self._let_go(ways)
        # The file to which pytest had it write crashes is closed now, and its number may become any file of the run's.
        if faulthandler.is_enabled():
            faulthandler.enable(file=2)
        _move_in(order["scratch"])

    def _let_go(self, ways: List[int]) -> None:
        """Close all descriptors except the standard streams and `ways`.

        A file left open by the preparation would be shared by all copies, with one read position; but its number must
        stay reserved, because some object still uses it: so it is redirected to the null device.
        """
        useless = os.open(os.devnull, os.O_PATH) if self._left_open else ways[0]
        for descriptor in self._left_open:
            os.dup2(useless, descriptor, inheritable=False)
        for descriptor in _descriptors():
            if descriptor > 2 and descriptor not in ways and descriptor not in self._left_open:
                os.close(descriptor)

    def _collect(self, descriptor: int) -> None:
        """Reap a run that has ended, and report its status."""
        name, run = self._running.pop(descriptor)
        os.close(descriptor)
        _, status, used = os.wait4(run, 0)
        seconds = used.ru_utime + used.ru_stime
        # Processes left by a run became our children at its end, and those of other runs are known.
        self._candidates.pop(run, None)
        others = {other for _name, other in self._running.values()}.union(self._candidates.values())
        for orphan in set(() if _is_childless() else children(os.getpid())).difference(others):
            kill([orphan])
            used = os.wait4(orphan, 0)[2]
            seconds += used.ru_utime + used.ru_stime
        if self._views is not None:
            self._views.remove(name)
        ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        self._answer({"id": name, "status": ended, "cpu": seconds})

    def _answer(self, message: Dict[str, Any]) -> None:
        self._control.send(json.dumps(message).encode("ascii"))


def _see_nothing(_request: Dict[str, Any]) -> bool:
    return False


def _threads() -> int:
    return len(os.listdir("/proc/self/task"))


def _why_no_copies() -> str:
    """Return the reason why a copy of this process would not be equivalent to it; empty if it would."""
    if _threads() > 1:
        return "what its tests import runs threads, which a copy would be without"
    return "" if _is_childless() else "what its tests import starts processes, which all copies would share"


def _is_childless() -> bool:
    """True if this process has no child, not even a dead one; to list them, all processes have to be looked at."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _files(order: Dict[str, Any]) -> List[str]:
    """Return the project's files among this process's modules, and one of each installed package."""
    root = os.path.realpath(order["root"]) + os.sep
    standard = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
    found = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(file, str):
            continue
        real = program.real_file(file)
        installed = not real.startswith(standard) or os.sep + "site-packages" + os.sep in real
        if real.startswith(root) or (installed and "." not in name):
            found.add(file)
    return sorted(found)


def _descriptor_of(process: int) -> int:
    """Return a pidfd of a child: readable once it has ended, and usable to kill it."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(process)
    from certo_worker.confinement.kernel import syscall  # Python 3.8 has no name for it, and may have no ctypes either

    return syscall(_PIDFD_OPEN, process, 0)


def _descriptors() -> List[int]:
    """Return the open descriptors, without the one used for the listing itself."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            os.fstat(int(name))
            found.append(int(name))
    return found


def _move_in(scratch: str) -> None:
    """Make this process use directories of its own."""
    os.environ["HOME"], os.environ["TMPDIR"] = os.path.join(scratch, "home"), os.path.join(scratch, "tmp")
    # Otherwise `tempfile` would find out by writing a file.
    tempfile.tempdir = os.environ["TMPDIR"]
