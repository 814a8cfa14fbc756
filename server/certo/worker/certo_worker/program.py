"""One run of a program, from its walls to its last word: in a fresh process, or in a copy of one that was prepared.

A run apart is two processes. The one that judges has the channel, and the candidate's files as they are without it; the
one of the candidate has its texts, a socket to the first, and no way to read the tests.
"""

from __future__ import annotations

import importlib
import os
import socket
import sys
import traceback
from types import ModuleType
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from certo_worker import confine, overlay, waiting, walls
from certo_worker.channel import Channel
from certo_worker.keeper import leave

Order = Dict[str, Any]


def fresh(order: Order, said: int) -> int:
    """Carry out an order in this process, which has run nothing yet; return the exit status."""
    peer = None
    if order["apart"] is not None:
        peer, its_peer = socket.socketpair()
        if os.fork() == 0:
            os.close(said)
            peer.close()
            leave(candidate(order, its_peer))
        its_peer.close()
    return judge(order, said, peer)


def judge(order: Order, said: int, peer: Optional[socket.socket], prepared: Optional[ModuleType] = None) -> int:
    """Confine this process and call `main`; `prepared` is the program where this is a copy of a prepared process."""
    channel = Channel(said)
    theirs = () if order["apart"] is None else order["apart"]["files"]

    def run() -> None:
        module = settle(order, prepared, left_out=theirs)
        if module is None:
            channel.end("stale")
            leave(1)
        if prepared is None and order["preparation"] is not None:
            module.prepare(order["preparation"])
        request = order["request"] if order["awaits"] is None else waiting.receive(order, channel.tell)
        module.main(request, channel.tell, *(() if peer is None else (peer,)))

    status, how = _outcome(run)
    if how:
        channel.end(how)
    return status


def candidate(order: Order, peer: socket.socket, prepared: Optional[ModuleType] = None) -> int:
    """Confine this process, keep it from the tests and call `candidate`; nobody hears how it ends."""

    def run() -> None:
        module = settle(order, prepared, hidden=order["apart"]["hidden"])
        if module is not None:
            module.candidate(order["request"], peer)

    return _outcome(run)[0]


def settle(
    order: Order, prepared: Optional[ModuleType], *, left_out: Sequence[str] = (), hidden: Sequence[str] = ()
) -> Optional[ModuleType]:
    """Limit this process, show it the overlay but for what is `left_out`, put up its walls, and return the program.

    None means that a copy has imported one of the files already as it was before, and could judge only that.
    """
    texts = {path: copy for path, copy in order["overlay"].items() if path not in left_out}
    confine.limit(order["limits"])
    if prepared is None:
        arrange_path(order["root"], order["home"])
    elif overlay.has_imported(order["root"], texts):
        return None
    if order["mounts"] is not None:
        from certo_worker import mounting, privileges  # they need ctypes, which only those who have walls are sure of

        # What is hidden is not there at all, for Landlock would show it below a place that may be written, as /tmp is.
        files = {path: copy for path, copy in order["mounts"]["files"].items() if path not in left_out}
        mounting.lay_out({**order["mounts"], "files": mounting.without(files, hidden)})
        privileges.drop()
    overlay.install(order["root"], texts)
    walls.put_up(order["walls"], hidden=[os.path.join(order["root"], path) for path in hidden])
    return importlib.import_module(order["module"]) if prepared is None else prepared


def arrange_path(root: str, home: str) -> None:
    """Make `sys.path` what a script in the project's root has; our own homes come last, where they shadow nothing."""
    ours = sys.path[0]
    sys.path[0] = root
    sys.path.extend(dict.fromkeys((home, ours)))
    sys.argv[:] = [os.path.join(root, "")]


def _outcome(run: Callable[[], None]) -> Tuple[int, str]:
    """Run to the end: the exit status, and what the channel should say of it, if anything."""
    try:
        run()
    except MemoryError:
        return 1, "memory"
    except SystemExit as stop:
        return (stop.code if isinstance(stop.code, int) else int(stop.code is not None)), ""
    except BaseException:
        traceback.print_exc()
        return 1, ""
    return 0, "complete"
