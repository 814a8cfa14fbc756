"""Mount server: a process that keeps the right to mount, for copies of a warm process without privileges.

A warm process imports code of the project, so it may have no privileges. But each of its copies needs a file system of
its own, and moving a process into another mount namespace requires privileges. So a second process is made before any
code of the project is imported, and it never imports any. It shares its root directory with the warm process
(CLONE_FS): if this process changes its root, the other's changes too, and a copy forked meanwhile keeps that root. For
each run this process builds the whole visible file system in a folder that is mounted nowhere else.
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
    """The warm process's access to the mount server."""

    def __init__(self, place: str, runs: str) -> None:
        """Start the server, to build in the empty folder `place`; `runs` is the folder of the runs' own folders.

        Raises:
            OSError: The kernel refused.
        """
        ours, its = socket.socketpair()
        number = processor().numbers["clone"]
        assert number is not None
        # `fork` cannot share a root. As a child of our parent it is not confused with children of the project's tests.
        if kernel.syscall(number, _SHARED_ROOT | _SAME_PARENT | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            _serve(its, place, runs)
        its.close()
        self._ours = ours
        self._answers = ours.makefile("rb")

    def descriptor(self) -> int:
        """Return the descriptor of the connection, which no copy may keep."""
        return self._ours.fileno()

    @contextmanager
    def of_run(self, name: str, mounts: Mounts) -> Iterator[None]:
        """Let everything forked meanwhile see the file system of a run, as made by `mounts.lay_out`.

        Raises:
            OSError: It could not be made.
        """
        self._ask({"do": "lay out", "name": name, "mounts": mounts})
        try:
            yield
        finally:
            self._ask({"do": "leave"})

    @contextmanager
    def of_candidate(self, name: str, mounts: Mounts, hidden: Sequence[str]) -> Iterator[None]:
        """While a run's view is active, let everything forked meanwhile see the candidate process's version of it.

        Raises:
            OSError: It could not be made.
        """
        files = mounting.without(mounts["files"], hidden)
        self._ask({"do": "lay over", "name": name, "mounts": {**mounts, "files": files}})
        try:
            yield
        finally:
            self._ask({"do": "go back", "name": name})

    def remove(self, name: str) -> None:
        """Unmount a run's view after it has ended."""
        self._ask({"do": "remove", "name": name})

    def _ask(self, request: Dict[str, Any]) -> None:
        self._ours.sendall(json.dumps(request).encode("ascii") + b"\n")
        answer = self._answers.readline()
        if answer != b"done\n":
            raise OSError("no file system for it: {}".format(answer.decode("utf-8").strip() or "nobody makes any"))


def _serve(its: socket.socket, place: str, runs: str) -> NoReturn:
    """Run the server until no client is left; its client is not trusted, because it has imported foreign code."""
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
    """Builder of views, currently in one of them or in none."""

    def __init__(self, place: str, runs: str) -> None:
        self._place = place
        self._runs = os.path.join(runs, "")
        self._root = os.open("/", os.O_PATH | os.O_CLOEXEC)
        self._before = -1
        self._home = os.getcwd()
        # Recursive bind mounts leave out an unbindable mount, so no view contains others.
        kernel.mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700")
        kernel.mount(None, place, None, mounting.UNBINDABLE)

    def carry_out(self, request: Dict[str, Any]) -> None:
        """Execute a request."""
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
        # This changes the warm process's root too, for both share it. Its copies share it no more: fork gives each its
        # own, in which it stays when we leave.
        os.chroot(view)
        os.chdir(self._home)

    def _remove(self, view: str) -> None:
        for each in (view + _CANDIDATE, view):
            if os.path.isdir(each):
                kernel.unmount(each)
                os.rmdir(each)

    def leave(self) -> None:
        """Return to the root where the warm process started."""
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
        """Return `mounts` if all its texts were written for runs: we may read files that the client must not."""
        for copy in mounts["files"].values():
            if copy is not None and not os.path.realpath(copy).startswith(self._runs):
                raise ValueError("no text of a run: {}".format(copy))
        return mounts
