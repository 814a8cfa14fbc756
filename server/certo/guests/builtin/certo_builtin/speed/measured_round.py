"""Guest program of one round of a measurement: the original, a copy of it and a candidate in turn.

The calls are made in a child. This process never calls the candidate; it reports the kernel's account of the child's
processor time, with which the child's own clocks have to agree.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
from typing import Any, Callable, Dict, List, Sequence

from certo_builtin.differential.versions import Loaded, Place, Unrunnable
from certo_builtin.execution.allowance import Allowance
from certo_builtin.speed import timer
from certo_builtin.speed.larger_calls import Growing
from certo_builtin.speed.timer import Prepared
from certo_builtin.speed.versions import TimedVersion, prepared, quiet, sizes_below

MAIN_NANOSECONDS = 60_000_000
"""Time of the blocks at the largest size in one round, as far as `MIN_TURNS` allow."""

MIN_TURNS = 4
MAX_TURNS = 10
"""Numbers of turns, which are even; see `in_turn`."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Measure, and report the nanoseconds of each version in each turn, by size."""
    place = Place(*(request[name] for name in ("root", "path", "text", "line", "name")))
    try:
        loaded = Loaded(place, Allowance(request["seconds"]))
    except Unrunnable as trouble:
        tell({"kind": "trouble", "text": str(trouble)})
        return
    edits = [tuple(edit) for edit in request["edits"]]
    gc.disable()
    gc.freeze()
    source, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(source)
        _measure(loaded, edits, request, out)
    os.close(out)
    said = _read(source, request["seconds"], pid)
    _, _, usage = os.wait4(pid, 0)
    try:
        told = json.loads(said.decode("ascii"))
    except ValueError:
        tell({"kind": "trouble", "text": "a measured call did not come back"})
        return
    tell({"kind": "round", "kernel": usage.ru_utime + usage.ru_stime, **told})


def _read(source: int, seconds: float, pid: int) -> bytes:
    said = b""
    while select.select([source], [], [], 3 * seconds)[0]:
        chunk = os.read(source, 65536)
        if not chunk:
            break
        said += chunk
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(source)
    return said


def _measure(loaded: Loaded, edits: Sequence[Any], request: Dict[str, Any], out: int) -> None:
    """Measure in this process, and end it."""
    try:
        begin = timer.thread_nanoseconds()
        original, candidate = TimedVersion(loaded), TimedVersion(loaded, edits)
        control = original.copy()
        puts = [original.put, candidate.put, control.put]
        with quiet():
            calls, seed = request["calls"], request["seed"]
            original.put()
            top = [_ready(loaded, one, one["sizes"][-1][0], seed) for one in calls]
            main_turns = _turns(puts, top, MIN_TURNS, MAX_TURNS)
            lead, own = calls[0], [_ready(loaded, one, 1.0, 0) for one in calls]
            is_grown = any(one["sizes"][-1][0] > 1 for one in calls)
            small = _turns(puts[:2], own, 2, 2) if is_grown else []
            growth: List[Any] = []
            for size in sizes_below(lead["sizes"], lead["sizes"][-1][0]) if is_grown else []:
                original.put()
                ready = [_ready(loaded, lead, size, seed)]
                repeats = timer.repeats_for(ready)
                took = timer.in_turn(puts[:2], ready, repeats, 1)[0]
                growth.append([size, took[0] / 2e9 / repeats, took[1] / 2e9 / repeats])
        timed = (timer.thread_nanoseconds() - begin) / 1e9
        timer.send(out, {"main": main_turns, "small": small, "growth": growth, "clock": timed})
    finally:
        os._exit(1)


def _ready(loaded: Loaded, grown: Dict[str, Any], factor: float, seed: int) -> Prepared:
    return prepared(grown["call"], Growing(grown["call"], loaded.names), loaded.names, factor, seed)


def _turns(puts: List[Callable[[], None]], calls: Sequence[Prepared], least: int, most: int) -> List[List[int]]:
    """Return the nanoseconds of each version in each turn; there are more of them if they are short."""
    puts[0]()
    repeats = timer.repeats_for(calls)
    # The first turn warms the versions up, and says how long one takes.
    [first] = timer.in_turn(puts, calls, repeats, 1)
    turns = max(least, min(most, int(MAIN_NANOSECONDS / max(sum(first), 1))))
    return timer.in_turn(puts, calls, repeats, turns // 2 * 2)
