"""One run of a program, from its walls to its last word: in a fresh process, or in a copy of one that was prepared.

A run apart is two processes. The one that judges has the channel, and the candidate's files as they are without it; the
one of the candidate has its texts, a socket to the first, and no way to read the tests.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import traceback
from types import ModuleType
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from certo_worker import clock, confine, overlay, packages, secrecy, waiting, walls
from certo_worker.channel import Channel
from certo_worker.keeper import leave

Order = Dict[str, Any]


def run(
    order: Order,
    said: int,
    prepared: Optional[ModuleType] = None,
    candidate: Optional[Tuple[int, socket.socket]] = None,
) -> int:
    """Carry out an order and return the exit status; `prepared` is the program, in a copy of a prepared process.

    Such a copy has the file system of its run already, if it has one of its own; and then the candidate's process,
    which has another, is not for it to start: `candidate` is its number and the way to it.
    """
    channel = Channel(said)
    theirs = () if order["apart"] is None else order["apart"]["files"]

    def body(candidate: Optional[Tuple[int, socket.socket]] = candidate) -> None:
        confine.limit(order["limits"])
        if prepared is not None and overlay.has_imported(order["root"], order["overlay"]):
            channel.end("stale")
            leave(1)
        if prepared is None and order["mounts"] is not None:
            from certo_worker import mounting  # it needs ctypes, which only those who have walls are sure of

            mounting.lay_out(judged(order))
        if candidate is None and order["apart"] is not None:
            candidate = _send_away(order, said, prepared)
        if candidate is not None:
            clock.count_also(candidate[0])
        texts = {path: copy for path, copy in order["overlay"].items() if path not in theirs}
        overlay.withdraw(order["root"], theirs)
        module = _settle(order, prepared, texts)
        if prepared is None and order["preparation"] is not None:
            module.prepare(order["preparation"])
        request = order["request"] if order["awaits"] is None else waiting.receive(order, channel.tell)
        module.main(request, channel.tell, *(() if candidate is None else candidate[1:]))

    status, how = _outcome(body)
    if how:
        channel.end(how)
    return status


def judged(order: Order) -> Dict[str, Any]:
    """What is mounted for the process that judges, which has no candidate's files where another has them."""
    theirs = () if order["apart"] is None else order["apart"]["files"]
    files = {path: copy for path, copy in order["mounts"]["files"].items() if path not in theirs}
    return {**order["mounts"], "files": files}


def _send_away(order: Order, said: int, prepared: Optional[ModuleType]) -> Tuple[int, socket.socket]:
    """Start the candidate's process, which has our directories to write to; its number and our end of the way to it."""
    ours, its = socket.socketpair()
    judge = os.getpid()

    def body() -> None:
        os.close(said)
        ours.close()
        confine.die_with_parent(signal.SIGKILL)
        if os.getppid() != judge:
            return
        if order["mounts"] is not None:
            from certo_worker import mounting  # as above

            # What is hidden is not there at all, for Landlock would show it below a place that may be written, as /tmp.
            files = mounting.without(order["mounts"]["files"], order["apart"]["hidden"])
            mounting.lay_over({**order["mounts"], "files": files})
        _be_candidate(order, its, prepared)

    candidate = os.fork()
    if candidate == 0:
        leave(_outcome(body)[0])
    its.close()
    return candidate, ours


def run_candidate(order: Order, judge: socket.socket, prepared: ModuleType) -> int:
    """Be the candidate's process of a run, in a copy of a prepared process that has its file system; as `run`."""

    def body() -> None:
        confine.limit(order["limits"])
        _be_candidate(order, judge, prepared)

    return _outcome(body)[0]


def _be_candidate(order: Order, judge: socket.socket, prepared: Optional[ModuleType]) -> None:
    _settle(order, prepared, order["overlay"], order["apart"]["hidden"]).candidate(order["request"], judge)


def _settle(
    order: Order, prepared: Optional[ModuleType], texts: Dict[str, Optional[str]], hidden: Sequence[str] = ()
) -> ModuleType:
    """Show this process `texts`, put up its walls, and return the program."""
    if order["mounts"] is not None:
        from certo_worker import privileges  # as above

        privileges.drop()
    overlay.install(order["root"], texts)
    secrecy.install(order["hidden"])
    walls.put_up(order["walls"], [os.path.join(order["root"], path) for path in hidden])
    if prepared is not None:
        return prepared
    # Only now can anything of the project be imported, whatever it is called.
    packages.take_in(order["walls"])
    arrange_path(order["root"], order["home"])
    return importlib.import_module(order["module"])


def arrange_path(root: str, home: str) -> None:
    """Make `sys.path` what a script in the project's root has; our own homes come last, where they shadow nothing."""
    ours = sys.path[0]
    sys.path[0] = root
    sys.path.extend(dict.fromkeys((home, ours)))
    sys.argv[:] = [os.path.join(root, "")]


def _outcome(body: Callable[[], None]) -> Tuple[int, str]:
    """Run to the end: the exit status, and what the channel should say of it, if anything."""
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
