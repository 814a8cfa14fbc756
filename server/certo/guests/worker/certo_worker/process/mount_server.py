"""The process that keeps the right to mount, for copies of a warm process that has given it up.

A warm process imports code of the project, so it may have no privileges. But each copy of it needs a file system of its
own, and nobody can be put into another mount namespace without them. So a second process is made before any code of
the project is imported. It never imports any; it shares one thing with the warm process, what the kernel calls their
root: where this process changes its root, the other's is changed, and a copy that is made meanwhile stays there. For
each run this process builds all that is to be seen in a folder that is shown nowhere else.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import traceback
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, NoReturn, Sequence

from certo_worker.confinement import kernel, privileges
from certo_worker.confinement import mounts as mounting
from certo_worker.confinement.seccomp import processor

_SHARED_ROOT, _SAME_PARENT = 0x200, 0x8000
_CANDIDATE = ".candidate"

Mounts = Dict[str, Any]


class Views:
    """What the warm process knows of the other one."""

    def __init__(self, place: str, runs: str) -> None:
        """Start it, to build in the empty folder `place`; `runs` is the folder in which the runs have theirs.

        Raises:
            OSError: the kernel refused.
        """
        ours, its = socket.socketpair()
        number = processor().numbers["clone"]
        assert number is not None
        # `fork` cannot share a root. As a child of our parent it is none of those that our own tests may have started.
        if kernel.syscall(number, _SHARED_ROOT | _SAME_PARENT | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            _serve(its, place, runs)
        its.close()
        self._ours = ours
        self._answers = ours.makefile("rb")

    def descriptor(self) -> int:
        """Return the way to it, which no copy may keep."""
        return self._ours.fileno()

    @contextmanager
    def of_run(self, name: str, mounts: Mounts) -> Iterator[None]:
        """Have all that is forked meanwhile see the file system of a run, as `mounting.lay_out` makes it.

        Raises:
            OSError: it could not be made.
        """
        self._ask({"do": "lay out", "name": name, "mounts": mounts})
        try:
            yield
        finally:
            self._ask({"do": "leave"})

    @contextmanager
    def of_candidate(self, name: str, mounts: Mounts, hidden: Sequence[str]) -> Iterator[None]:
        """Have what is forked meanwhile, while that of a run is seen, see it as the candidate's own process is to.

        Raises:
            OSError: it could not be made.
        """
        files = mounting.without(mounts["files"], hidden)
        self._ask({"do": "lay over", "name": name, "mounts": {**mounts, "files": files}})
        try:
            yield
        finally:
            self._ask({"do": "go back", "name": name})

    def remove(self, name: str) -> None:
        """Take away what a run has seen, when it has ended."""
        self._ask({"do": "remove", "name": name})

    def _ask(self, request: Dict[str, Any]) -> None:
        self._ours.sendall(json.dumps(request).encode("ascii") + b"\n")
        answer = self._answers.readline()
        if answer != b"done\n":
            raise OSError("no file system for it: {}".format(answer.decode("utf-8").strip() or "nobody makes any"))


def _serve(its: socket.socket, place: str, runs: str) -> NoReturn:
    """Be that process, until nobody can ask any more; whoever asks is no friend, for it has imported anything."""
    status = 1
    try:
        _keep_only(its.fileno())
        privileges.hide()
        builder = _Builder(place, runs)
        for line in its.makefile("rb"):
            try:
                builder.carry_out(json.loads(line))
                answer = "done"
            except Exception as error:
                builder.leave()
                answer = "{}: {}".format(type(error).__name__, error).replace("\n", " ")
            its.sendall(answer.encode("utf-8", "replace") + b"\n")
        status = 0
    except BrokenPipeError:
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _keep_only(descriptor: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in (2, descriptor):
            try:
                os.close(int(name))
            except OSError:
                continue  # the one that the listing was read by


class _Builder:
    """Builds views and goes into them; it is in one of them or in none."""

    def __init__(self, place: str, runs: str) -> None:
        self._place = place
        self._runs = os.path.join(runs, "")
        self._root = os.open("/", os.O_PATH | os.O_CLOEXEC)
        self._before = -1
        self._home = os.getcwd()
        # Of what is bound elsewhere with all that is below it, this is left out: no view has others in it.
        kernel.mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700")
        kernel.mount(None, place, None, mounting.UNBINDABLE)

    def carry_out(self, request: Dict[str, Any]) -> None:
        """Do what is asked."""
        self.leave()
        if request["do"] == "leave":
            return
        view = os.path.join(self._place, self._named(request["name"]))
        if request["do"] == "remove":
            self._remove(view)
        elif request["do"] == "go back":
            self._go_into(view)
        elif request["do"] == "lay out":
            self._build(view, "/", mounting.arrange, self._checked(request["mounts"]))
        else:
            self._build(view + _CANDIDATE, view, mounting.arrange_over, self._checked(request["mounts"]))

    def _build(self, view: str, original: str, arrange: Callable[[Mounts], None], mounts: Mounts) -> None:
        os.mkdir(view)
        mounting.show_again(original, view)
        self._go_into(view)
        arrange(mounts)

    def _go_into(self, view: str) -> None:
        self._before = os.open(".", os.O_PATH | os.O_CLOEXEC)
        os.chroot(view)
        os.chdir(self._home)

    def _remove(self, view: str) -> None:
        for each in (view + _CANDIDATE, view):
            if os.path.isdir(each):
                kernel.unmount(each)
                os.rmdir(each)

    def leave(self) -> None:
        """Go back to where the warm process is at home."""
        if self._before < 0:
            return
        os.fchdir(self._root)
        os.chroot(".")
        os.fchdir(self._before)
        os.close(self._before)
        self._before = -1

    def _named(self, name: str) -> str:
        if not name.isalnum():
            raise ValueError("no name of a run: {!r}".format(name))
        return name

    def _checked(self, mounts: Mounts) -> Mounts:
        """The same, if it names no text but those that are written for runs: we may read what who asks may not."""
        for copy in mounts["files"].values():
            if copy is not None and not os.path.realpath(copy).startswith(self._runs):
                raise ValueError("no text of a run: {}".format(copy))
        return mounts
