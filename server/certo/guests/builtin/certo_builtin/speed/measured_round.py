"""Guest program of one round of a measurement: the original, a copy of it and a candidate in turn.

Every block of calls has a process of its own, in which only its version is, and the kernel's account of that process is
its time; see `timed_process`. This process never calls the candidate.
"""

from __future__ import annotations

import gc
import itertools
import random
from statistics import median
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.differential.version_process import withdraw_sources
from certo_builtin.differential.versions import Loaded, Place, Unrunnable
from certo_builtin.execution.allowance import Allowance
from certo_builtin.speed.larger_calls import Growing
from certo_builtin.speed.timed_process import Timing, Todo, Untimed, is_possible, stay, timed
from certo_builtin.speed.versions import TimedVersion, made, prepared, quiet, sizes_below
from certo_worker.confinement import activation

BLOCK_NANOSECONDS = 2_000_000
"""Least time of a block of the original: the start of the calls in a new process is small against it."""

MAX_REPEATS = 20_000

MAX_DISTINCT = 8
MAX_DISTINCT_NUMBERS = 256
"""Number of repetitions in a block of the measurement, all with arguments of their own; more if these are numbers."""

MAIN_NANOSECONDS = 120_000_000
"""Time of the blocks at the largest size in one round, as far as `MIN_TURNS` allow."""

MIN_TURNS, MAX_TURNS = 4, 12
"""Numbers of turns, which are even. Orders are drawn, so that over the rounds no version has a place of its own."""

LATER_TOLERANCE = 0.05
"""Share of the original's time after its calls by which another version's may be longer and not count as work."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Measure, and report the nanoseconds of each version in each turn, by size."""
    if not is_possible():
        tell({"kind": "trouble", "text": "this system does not tell the processor time of another process"})
        return
    place = Place(*(request[name] for name in ("root", "path", "text", "line", "name")))
    try:
        loaded = Loaded(place, Allowance(request["seconds"]))
        with quiet():
            measuring = _Round(loaded, [tuple(edit) for edit in request.pop("edits")], request)
            told = measuring.run()
    except (Unrunnable, Untimed) as trouble:
        tell({"kind": "trouble", "text": str(trouble)})
        return
    tell({"kind": "round", "kernel": measuring.seconds, **told})


class _Call:
    """A grown call, and what the original does with its arguments."""

    def __init__(self, told: Dict[str, Any], names: Dict[str, Any]) -> None:
        self.call = told["call"]
        self.sizes = told["sizes"]
        self.growing = Growing(self.call, names)
        self.is_changed = self.is_drained = False

    @property
    def largest(self) -> float:
        """The size of the measurement."""
        size: float = self.sizes[-1][0]
        return size


_dice = random.SystemRandom()

Block = Sequence[Tuple[_Call, float]]
"""Calls with their sizes."""


class _Round:
    """The versions, none of which is executed in this process but the original, to have all alike warm."""

    def __init__(self, loaded: Loaded, edits: Sequence[Any], request: Dict[str, Any]) -> None:
        self._loaded = loaded
        self._calls = [_Call(told, loaded.names) for told in request["calls"]]
        self._seed: int = request["seed"]
        self._dice = random.Random(self._seed)
        self.seconds = 0.0
        gc.disable()
        stay()
        self._warm_up()
        # All are compiled alike and anew: code that came with the module, or has run, would be another start.
        self._versions = [TimedVersion(loaded), TimedVersion(loaded, edits), TimedVersion(loaded)]
        activation.conceal(withdraw_sources(loaded))
        activation.foresee_seal()
        loaded.forget()
        gc.freeze()

    def _warm_up(self) -> None:
        """Make each call of the original once, so that what it imports, compiles or opens is there for all versions."""
        TimedVersion(self._loaded).put()
        names = self._loaded.names
        for call in self._calls:
            try:
                ready = prepared(call.call, call.growing, names, call.largest, self._seed_of(-1))
            except Exception as error:  # the project's own
                raise Untimed("a measured call raises {}".format(type(error).__name__)) from None
            call.is_changed, call.is_drained = ready.is_changed, ready.is_drained

    def run(self) -> Dict[str, Any]:
        """Return the nanoseconds."""
        top = [(call, call.largest) for call in self._calls]
        own = [(call, 1.0) for call in self._calls]
        # What is told beside the ratio needs no round of every hash seed.
        is_grown = any(size > 1 for _, size in top) and self._seed % 2 == 0
        is_numeric = all(call.growing.is_numeric for call in self._calls)
        lead = self._calls[0]
        repeats, turn = self._repeats(top, MAX_DISTINCT_NUMBERS if is_numeric else MAX_DISTINCT)
        # A turn has two blocks of each of three versions.
        turns = MAX_TURNS if MAX_TURNS * 6 * turn <= MAIN_NANOSECONDS else MIN_TURNS
        growth: List[Any] = []
        for size in sizes_below(lead.sizes, lead.largest) if is_grown else []:
            times, _ = self._repeats([(lead, size)])
            [took] = self._turns([(lead, size)], times, self._orders(1, 2))
            growth.append([size, took[0] / 2e9 / times, took[1] / 2e9 / times])
        small = self._turns(own, self._repeats(own)[0], self._orders(2, 2)) if is_grown else []
        return {"main": self._turns(top, repeats, self._orders(turns, 3)), "small": small, "growth": growth}

    def _orders(self, turns: int, versions: int) -> Iterator[Tuple[int, ...]]:
        """Yield so many orders of the versions, in which none is always first, last or between others."""
        every = list(itertools.permutations(range(versions)))
        orders: List[Tuple[int, ...]] = []
        while len(orders) < turns:
            self._dice.shuffle(every)
            orders += every
        yield from orders[:turns]

    def _repeats(self, block: Block, most: int = MAX_REPEATS) -> Tuple[int, int]:
        """Return how often the calls have to be made for a block that is long enough, and its nanoseconds."""
        repeats = 1
        while True:
            took = max(self._timed(0, self._todo(block, repeats, -2), block, 0).nanoseconds, 1)
            if took >= BLOCK_NANOSECONDS or repeats >= most:
                return repeats, took
            repeats = min(most, max(repeats + 1, int(repeats * 1.1 * BLOCK_NANOSECONDS / took)))

    def _turns(self, block: Block, repeats: int, orders: Iterator[Tuple[int, ...]]) -> List[List[int]]:
        """Return the nanoseconds of each version in each turn: all in an order, and back.

        Both halves have other arguments, so that what a version leaves anywhere is of no use to it.
        """
        found: List[List[int]] = []
        later: List[List[int]] = []
        for turn, order in enumerate(orders):
            timings: Dict[int, List[Timing]] = {number: [] for number in order}
            for half, ordered in enumerate((order, order[::-1])):
                todo = self._todo(block, repeats, 2 * turn + half)
                drawn = _dice.randrange(repeats * len(block))
                for number in ordered:
                    timings[number].append(self._timed(number, todo, block, drawn))
            _check_digests(timings)
            found.append([sum(one.nanoseconds for one in timings[number]) for number in sorted(timings)])
            later.append([sum(one.later_nanoseconds for one in timings[number]) for number in sorted(timings)])
        return _with_later_work(found, later) if len(found) > 2 else found

    def _timed(self, number: int, todo: Callable[[], Todo], block: Block, drawn: int) -> Timing:
        """Time the calls of one version in a process of its own."""

        def settle() -> Todo:
            version = self._versions[number]
            version.put()
            for other in self._versions:
                other.forget()
            return todo()

        timing = timed(settle, drawn, is_drained=any(call.is_drained for call, _ in block))
        self.seconds += timing.seconds
        return timing

    def _seed_of(self, part: int) -> int:
        return (self._seed * 1009 + part) * MAX_REPEATS

    def _todo(self, block: Block, repeats: int, part: int) -> Callable[[], Todo]:
        """Return how to make the calls of a block; arguments are another call's only where that leaves them alone."""
        names, seed = self._loaded.names, self._seed_of(part)
        rows = []
        for call, size in block:
            most = MAX_DISTINCT_NUMBERS if call.growing.is_numeric else MAX_DISTINCT
            distinct = 1 if size == 1 else min(repeats, most)
            rows.append([call.growing.compiled(size, seed + number if size > 1 else 0) for number in range(distinct)])

        def make() -> Todo:
            made_rows = []
            for (call, _), codes in zip(block, rows):
                times = repeats if call.is_changed else len(codes)
                made_rows.append(
                    [made(call.call, codes[number % len(codes)].values(names), names) for number in range(times)]
                )
            return [row[number % len(row)] for number in range(repeats) for row in made_rows]

        return make


def _check_digests(timings: Dict[int, List[Timing]]) -> None:
    """Raise Untimed if the candidate shows something else where the original and its copy show the same."""
    shown = {number: [one.digest for one in several] for number, several in timings.items()}
    if len(shown) == 3 and shown[0] == shown[2] != shown[1]:
        raise Untimed("it gives something else than the original on a call that was timed")


def _with_later_work(found: List[List[int]], later: List[List[int]]) -> List[List[int]]:
    """Add to each version's time what it takes longer afterwards than the original: work that it put off."""
    usual = [median(turn[number] for turn in later) for number in range(len(later[0]))]
    hidden = [max(0, int(one - (1 + LATER_TOLERANCE) * usual[0])) for one in usual]
    return [[one + more for one, more in zip(turn, hidden)] for turn in found]
