"""One run of a program, from confinement to its last message: in a fresh process, or in a copy of a prepared one.

A run apart has two processes. The judging one has the channel, and does not see the candidate's files; the candidate's
process sees them, has a socket to the first, and cannot read the tests.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
import time
import traceback
from functools import lru_cache
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from certo_worker.confinement import activation, limits, secret_files
from certo_worker.observation import clock
from certo_worker.process import overlay, site_packages
from certo_worker.process.channel import Channel
from certo_worker.process.supervisor import leave


def receive(order: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> Any:
    """Report that this process is prepared, wait for a byte on the order's pipe, and return the request.

    Two messages are sent: first the CPU seconds used so far and the loaded files of the project, which the executor
    later checks for changes; then, after the order has come, the overlaid files among the loaded ones. With any of
    those the run would judge their old text, so it ends there.
    """
    used = time.process_time()
    tell({"prepared": used, "loaded": _loaded(order["root"])})
    pipe = order["awaits"]["pipe"]
    if not os.read(pipe, 1):
        # The sender of the order is gone, or no longer needs us.
        sys.exit(0)
    os.close(pipe)
    with open(order["awaits"]["rest"], encoding="utf-8") as rest_file:
        rest = json.load(rest_file)
    changed = {os.path.realpath(os.path.join(order["root"], *path.split("/"))) for path in rest["overlay"]}
    stale = [path for path in _loaded(order["root"]) if path in changed]
    tell({"stale": stale})
    if stale:
        sys.exit(0)
    # The time that the preparation took is not the run's.
    limits.limit_cpu(time.process_time() + rest["cpu_seconds"])
    overlay.install(order["root"], rest["overlay"])
    return rest["request"]


def _loaded(root: str) -> List[str]:
    """Return the real paths of the project's loaded source files."""
    inside = os.path.join(os.path.realpath(root), "")
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    places = {real_file(file) for file in files if isinstance(file, str)}
    installed = os.sep + "site-packages" + os.sep
    return sorted(place for place in places if place.startswith(inside) and installed not in place)


def real_file(file: str) -> str:
    """Return the real path of a module's file; there are hundreds, in few folders."""
    folder, name = os.path.split(file)
    real = os.path.join(_real_folder(folder), name)
    return os.path.realpath(real) if os.path.islink(real) else real


_real_folder = lru_cache(maxsize=None)(os.path.realpath)

Order = Dict[str, Any]


def run(
    order: Order,
    said: int,
    prepared: Optional[ModuleType] = None,
    candidate: Optional[Tuple[int, socket.socket]] = None,
) -> int:
    """Execute an order and return the exit status; `prepared` is the program, in a copy of a prepared process.

    Such a copy is already in the file system of its run, if that has its own; then the candidate's process, which has
    another, is started by the zygote: `candidate` is its process number and the socket to it.
    """
    channel = Channel(said)
    theirs = () if order["apart"] is None else order["apart"]["files"]

    def body(candidate: Optional[Tuple[int, socket.socket]] = candidate) -> None:
        limits.limit(order["limits"])
        if prepared is not None and overlay.has_imported(order["root"], order["overlay"]):
            channel.end("stale")
            leave(1)
        if prepared is None and order["mounts"] is not None:
            from certo_worker.confinement import mounts  # it needs ctypes, which only those who have walls are sure of

            mounts.lay_out(judged(order))
        # It is forked before we are confined: its overlay is another one, and mounting takes the privileges that
        # `_settle` drops.
        if candidate is None and order["apart"] is not None:
            candidate = _send_away(order, prepared)
        if candidate is not None:
            clock.count_also(candidate[0])
        texts = {path: copy for path, copy in order["overlay"].items() if path not in theirs}
        # In a copy of a prepared process the files may have been overlaid already.
        overlay.withdraw(order["root"], theirs)
        module = _settle(order, prepared, texts)
        if prepared is None and order["preparation"] is not None and not _runs_unprepared(order, module):
            module.prepare(order["preparation"])
        request = order["request"] if order["awaits"] is None else receive(order, channel.tell)
        module.main(request, channel.tell, *(() if candidate is None else candidate[1:]))

    status, how = _outcome(body)
    if how:
        channel.end(how)
    return status


def _runs_unprepared(order: Order, module: ModuleType) -> bool:
    """True if nothing is to be prepared: results of a process of its own are to owe nothing to that."""
    return order["awaits"] is None and getattr(module, "RUNS_UNPREPARED", False)


def judged(order: Order) -> Dict[str, Any]:
    """Return the mounts of the judging process, without the candidate's files if another process has them."""
    theirs = () if order["apart"] is None else order["apart"]["files"]
    files = {path: copy for path, copy in order["mounts"]["files"].items() if path not in theirs}
    return {**order["mounts"], "files": files}


def concealed(order: Order) -> List[str]:
    """Return the paths that are hidden from the candidate's process.

    A file of which it has a text of its own is hidden only if opening the file would show the one on the disk.
    """
    theirs = () if order["mounts"] is None else order["apart"]["files"]
    return [path for path in order["apart"]["hidden"] if path not in theirs]


def _send_away(order: Order, prepared: Optional[ModuleType]) -> Tuple[int, socket.socket]:
    """Start the candidate's process, which shares our writable directories; return its number and a socket to it."""
    ours, its = socket.socketpair()
    judge = os.getpid()

    def body() -> None:
        ours.close()
        limits.die_with_parent(signal.SIGKILL)
        if os.getppid() != judge:
            return
        if order["mounts"] is not None:
            from certo_worker.confinement import mounts  # as above

            # Hidden files are deleted from the view, because Landlock would allow reading them below a writable place,
            # as /tmp.
            files = mounts.without(order["mounts"]["files"], concealed(order))
            mounts.lay_over({**order["mounts"], "files": files})
        _be_candidate(order, its, prepared)

    candidate = os.fork()
    if candidate == 0:
        leave(_outcome(body)[0])
    its.close()
    return candidate, ours


def run_candidate(order: Order, judge: socket.socket, prepared: ModuleType) -> int:
    """Run as the candidate's process, in a copy of a prepared process in its file system; as `run`."""

    def body() -> None:
        limits.limit(order["limits"])
        _be_candidate(order, judge, prepared)

    return _outcome(body)[0]


def _be_candidate(order: Order, judge: socket.socket, prepared: Optional[ModuleType]) -> None:
    _settle(order, prepared, order["overlay"], concealed(order)).candidate(order["request"], judge)


def _settle(
    order: Order, prepared: Optional[ModuleType], texts: Dict[str, Optional[str]], hidden: Sequence[str] = ()
) -> ModuleType:
    """Install `texts` as the overlay, confine this process, and return the program."""
    if order["mounts"] is not None:
        from certo_worker.confinement import privileges  # as above

        privileges.drop()
    overlay.install(order["root"], texts)
    secret_files.install(order["hidden"])
    activation.apply_confinement(order["walls"], [os.path.join(order["root"], path) for path in hidden])
    if prepared is not None:
        return prepared
    # Code of the project can be imported from here on, under any name.
    site_packages.take_in(order["walls"])
    arrange_path(order["root"], order["home"])
    return importlib.import_module(order["module"])


def arrange_path(root: str, home: str) -> None:
    """Set `sys.path` as for a script in the project's root, with our own homes last, where they shadow nothing."""
    ours = sys.path[0]
    sys.path[0] = root
    sys.path.extend(dict.fromkeys((home, ours)))
    sys.argv[:] = [os.path.join(root, "")]


def _outcome(body: Callable[[], None]) -> Tuple[int, str]:
    """Run to the end; return the exit status, and the ending for the channel to report, if any."""
    try:
        body()
    except MemoryError:
        return 1, "memory"
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0, ""
        sys.stderr.write("{}\n".format(stop.code))
        return 1, ""
    except BaseException:
        traceback.print_exc()
        return 1, ""
    return 0, "complete"
