"""Timing of versions in turn, in one process, by the processor time of the thread."""

from __future__ import annotations

import collections
import copy
import gc
import time
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Sequence, Tuple

# Taken before anything of the project is loaded, so that what it replaces is not asked.
_clock = time.thread_time_ns
_enable, _disable, _collect = gc.enable, gc.disable, gc.collect
_drain = collections.deque

BLOCK_NANOSECONDS = 1_200_000
"""Least time of a block: the clock's own error and the loop around the calls are small against it."""

MAX_REPEATS = 20_000


class Prepared(NamedTuple):
    """A call with its arguments; `is_changed` if a call changes them, `is_drained` if its result is an iterator."""

    function: Callable[..., Any]
    arguments: List[Any]
    named: Dict[str, Any]
    is_changed: bool
    is_drained: bool


def block(calls: Sequence[Prepared], repeats: int) -> int:
    """Return the nanoseconds of all calls, made so many times."""
    if not any(call.is_changed for call in calls):
        plain = [(call.function, call.arguments, call.named) for call in calls]
        todo: Iterable[Any] = plain * repeats
    else:
        todo = [(call.function, *_own(call)) for _ in range(repeats) for call in calls]
    is_drained = any(call.is_drained for call in calls)
    _disable()
    try:
        if is_drained:
            start = _clock()
            for function, arguments, named in todo:
                result = function(*arguments, **named)
                if hasattr(result, "__next__"):
                    _drain(result, 0)
            return _clock() - start
        start = _clock()
        for function, arguments, named in todo:
            function(*arguments, **named)
        return _clock() - start
    finally:
        _enable()


def _own(call: Prepared) -> Tuple[List[Any], Dict[str, Any]]:
    """Return the arguments of one call, which may change them."""
    if not call.is_changed:
        return call.arguments, call.named
    own: Tuple[List[Any], Dict[str, Any]] = copy.deepcopy((call.arguments, call.named))
    return own


def repeats_for(calls: Sequence[Prepared], least: int = BLOCK_NANOSECONDS) -> int:
    """Return how often the calls have to be made for a block that is long enough, in the version that is in place."""
    repeats = 1
    while True:
        took = max(block(calls, repeats), 1)
        if took >= least or repeats >= MAX_REPEATS:
            return repeats
        repeats = min(MAX_REPEATS, max(repeats + 1, int(repeats * 1.1 * least / took)))


def in_turn(puts: Sequence[Callable[[], None]], calls: Sequence[Prepared], repeats: int, turns: int) -> List[List[int]]:
    """Return the nanoseconds of each version in each turn: all in order, and back, so that a drift falls on all alike.

    Every second turn has the opposite order, so that what the first and the last meet falls on both ends alike.
    """
    found: List[List[int]] = []
    for turn in range(turns):
        _collect()
        took = [0] * len(puts)
        order = list(range(len(puts)))[:: -1 if turn % 2 else 1]
        # After a collection, nothing is where it was in the processor's caches.
        puts[order[0]]()
        block(calls, repeats)
        for number in [*order, *order[::-1]]:
            puts[number]()
            took[number] += block(calls, repeats)
        found.append(took)
    return found
