"""Runner of thousands of candidates on the checks: fast, in forked batches, with reproducible results.

A candidate's steps are counted, so that a loop ends by count and not by clock; one that only ran out of steps may get
more later. The check that refuted most candidates so far runs first on the next, since it mostly refutes that too; not
if checks depend on their order.
State that a candidate leaves behind in the process is detected: after each batch the original code runs again, and if
its failures or steps differ from before, the batch is repeated in parts, and such a part with a process for each.
"""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
from itertools import islice
from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Allowance, Stopwatch
from certo_builtin.execution.checks import Check, failure_in_words
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.fuel import Meter, OutOfFuel
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.left_state import ModuleState
from certo_builtin.source import Edit

PASSED, FAILED, STARVED, BROKEN, LOST = "passed", "failed", "starved", "broken", "lost"
"""Results of a trial: all checks passed; one failed; steps ran out; no valid code; the process hung or died."""

BATCH = 64
"""Candidates in the first forked child, and in the next one after one of them left state behind: few to repeat."""

MAX_BATCH = 256
"""Maximum number of candidates in a forked child, to which each clean batch doubles it.

A child copies each page that it touches, and the original code runs again at its end; more candidates share that.
"""

MAX_STEPLESS_SECONDS = 0.2
"""Time limit of a check in code without counted steps: a hundred times that of most; each that hangs costs as much."""

SLUGGISH_SECONDS = 0.07
"""Duration on the original code above which a check is sluggish: tried late, and limited by its own duration."""

SLUGGISH_TIME_FACTOR = 3.0
"""Time limit of a sluggish check, as a multiple of its time on the original code."""

BATCH_SECONDS = 5.0
"""Total time of the sluggish checks that candidates meet in a shared process, which reports nothing before its end."""

MIN_SECONDS = 0.01
"""Minimum interval before an alarm that rang too early rings again."""

CANDIDATE_STEPS = 500
"""Cost of compiling a candidate and swapping it in, in steps of the code under test."""

CANARY = -1
CANARY_FUEL = 20000
CANARY_CHECKS = 24
"""Number of checks that examine the process after a batch, besides those that refuted a candidate in it."""

PARTS = 4
"""Number of parts in which a batch is repeated if a candidate left state behind."""

MIN_PART = 16
"""Number of candidates with a process each if one of them left state behind."""

MAX_GARBAGE = 50_000
"""Number of new containers at which a child looks for cycles among them."""

# A test may have put in its own. `signal.getsignal` looks for its name, which takes as long as a short check.
_handler_of: Callable[[int], Any] = getattr(sys.modules.get("_signal"), "getsignal", signal.getsignal)

Seen = Tuple[str, str, int]
"""Behaviour of the original code on a check: result, exception, steps."""


class Judged(NamedTuple):
    """Result of one candidate: its ending, the number of checks passed before, the check that stopped it, its steps."""

    ending: str
    passed: int
    stopper: int
    used: int


class CandidateRunner:
    """The checks, the code they exercise, and the limits of a candidate."""

    def __init__(self, hot_swap: HotSwap, checks: Sequence[Check], meter: Meter, allowance: Allowance) -> None:
        self.hot_swap = hot_swap
        self.checks = list(checks)
        self.meter = meter
        self.allowance = allowance
        self.order = list(range(len(checks)))
        self.last: List[int] = []
        self.sluggish: Dict[int, float] = {}
        """The duration of each sluggish check in seconds; they are among `last`."""
        self.refuted: Dict[int, int] = {}
        """The number of candidates that each check refuted."""
        self.telling = set(self.order)
        """The checks that each candidate meets first, in a process with others; those that pass meet all, alone."""
        self.in_turn: Dict[int, Seen] = {}
        """How the original code behaves on checks that run one after the other as pytest runs them, as far as known."""
        self._movable: Dict[int, bool] = {}
        self._honest: Dict[int, Optional[Seen]] = {}
        self.is_ordered: Optional[bool] = None
        self.tried = 0
        self._size = BATCH
        self._state: Optional[ModuleState] = None
        self._changing: FrozenSet[str] = frozenset()
        self._watch: Optional[Stopwatch] = None
        self._watched = 0
        self._raised: Optional[BaseException] = None
        self._alarm = self._ring
        self._seconds, self._rung = 0.0, False

    def run_check(self, index: int, fuel: int, seconds: float) -> str:
        """Run one check on the current code; return PASSED, FAILED, STARVED or LOST."""
        return self.run_limited(
            self.checks[index].run, fuel, max(seconds, SLUGGISH_TIME_FACTOR * self.sluggish.get(index, 0.0))
        )

    def run_limited(self, run: Callable[[], None], fuel: int, seconds: float) -> str:
        """Call `run` on the current code with limited steps; return PASSED, FAILED, STARVED or LOST.

        The alarm interrupts loops in Python code without ticks, such as a test that walks a cyclic list. It is set
        again if the process had to wait for a processor meanwhile.
        """
        self._started()
        self._seconds, self._rung = seconds, False
        if _handler_of(signal.SIGALRM) is not self._alarm:
            signal.signal(signal.SIGALRM, self._alarm)
        ending = LOST
        self._raised = None
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
                self.meter.fill(fuel)
                run()
                ending = PASSED
            except BaseException as error:  # a candidate may raise anything at all
                ending = FAILED
                self._raised = error
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except OutOfFuel:
            # It rang when the run was over already, before it could be stopped.
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._rung:
            return LOST
        return STARVED if self.meter.empty else ending

    @property
    def raised(self) -> Optional[BaseException]:
        """The exception that ended the last check, if one did; None once its outcome was told."""
        return self._raised

    def _ring(self, _number: int, _frame: Any) -> None:
        left = 0.0 if self._rung or self._watch is None else self._seconds - self._watch.seconds
        if left > 0.0:
            signal.setitimer(signal.ITIMER_REAL, max(left, MIN_SECONDS), 0.1)
            return
        self._rung = True
        raise OutOfFuel

    def _started(self) -> Stopwatch:
        """Return this process's stopwatch, started; a child has another than its parent."""
        process = os.getpid()
        if self._watch is None or self._watched != process:
            self._watch, self._watched = Stopwatch(), process
        self._watch.start()
        return self._watch

    def _judge(self, edits: Iterable[Edit], order: List[int], fuel: int, seconds: float) -> Judged:
        try:
            self.hot_swap.try_on(edits)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Judged(BROKEN, 0, -1, 0)
        used = 0
        for passed, index in enumerate(order):
            ending = self.run_check(index, fuel, seconds)
            used += self.meter.used
            if ending != PASSED:
                return Judged(ending, passed, index, used)
        return Judged(PASSED, len(order), -1, used)

    def _promote(self, order: List[int], refuted: Dict[int, int], judged: Judged) -> None:
        """Move the check that refuted a candidate before those that refuted fewer, unless it is a slow one."""
        index = judged.stopper
        if judged.ending != FAILED or index in self.last or self.is_ordered:
            return
        refuted[index] = number = refuted.get(index, 0) + 1
        if index not in self.telling and not self._movable.get(index):
            return
        place = order.index(index)
        while place > 0 and refuted.get(order[place - 1], 0) < number:
            place -= 1
        order.remove(index)
        order.insert(place, index)

    def _signature(self, indices: Iterable[int]) -> List[Tuple[int, Seen]]:
        self.hot_swap.try_on(())
        return [(index, self._seen(index)) for index in indices]

    def _canary(self, indices: Iterable[int]) -> Tuple[List[str], List[Tuple[int, Seen]]]:
        """Run checks on the original code; return the names that changed in this process, and what was seen."""
        signature = self._signature(indices)
        return sorted(self._changed()), signature

    def _changed(self) -> Set[str]:
        """Return the names of the module with other values, or values of other parts, than before any candidate."""
        return set() if self._state is None else self._state.changed() - self._changing

    def _seen(self, index: int) -> Seen:
        return self.outcome(self.run_check(index, CANARY_FUEL, MAX_STEPLESS_SECONDS))

    def outcome(self, ending: str) -> Seen:
        """Return the behaviour of the check that ended last, in words that are the same in every process."""
        used, raised = self.meter.used, self._raised
        self._raised = None
        if isinstance(raised, RecursionError):
            # Its depth depends on the calls around it.
            return ending, "RecursionError", 0
        return ending, "" if raised is None else failure_in_words(raised), used

    def _learn(self, indices: Iterable[int]) -> None:
        """Learn how the original code behaves on some checks, once, in a child that has run no candidate."""
        unknown = [index for index in indices if index not in self._honest]
        stall = MAX_STEPLESS_SECONDS * 8 + 1.0
        for index, seen in each(lambda index: self._signature([index]), unknown, stall, self.allowance):
            self._honest[index] = None if seen is None else tuple(seen[0][1])

    def depends_on_order(self) -> bool:
        """True if a check has another result alone, or in our order, than in pytest's.

        So it is if tests share an object. Then all checks must run as pytest runs them, because the right code could
        fail otherwise. Only those that may come first are run alone, and those that are `last` are not asked. It is
        found out once.
        """
        if self.is_ordered is None:
            usual = [index for index in self.order if index not in self.last]
            first = [index for index in usual if index in self.telling]
            alone = self._seen_alone(first)
            stall = MAX_STEPLESS_SECONDS * (8 + len(usual)) + 1.0
            self._state = ModuleState(self.hot_swap.namespaces)
            [(_, told)] = each(lambda _: self._canary(usual), [0], stall, self.allowance)
            changed, together = told or ([], [])
            # Tests fill caches whatever the function does.
            self._changing = frozenset(changed)
            self.in_turn = self.in_turn or {index: tuple(seen) for index, seen in together}
            found = [*alone.items(), *together]
            self.is_ordered = any(_differ(seen, self.in_turn.get(index)) for index, seen in found)
        return self.is_ordered

    @property
    def leaves_state(self) -> bool:
        """True if the tests themselves change what is in the function's module, such as a cache.

        Then a test that fails for the function's sake may besides depend on those before it.
        """
        return bool(self._changing)

    def _seen_alone(self, indices: Sequence[int]) -> Dict[int, Any]:
        """Return the behaviour of the original code on each check, in a process of its own."""
        return dict(each(self._seen, indices, MAX_STEPLESS_SECONDS * 8 + 1.0, self.allowance, alone=True))

    def _front(self) -> Set[int]:
        """Return the checks that each candidate meets first: those that tell, and those that refuted others.

        One of the latter must behave alone as after those that pytest runs before it.
        """
        news = [index for index in self.refuted if index not in self.telling and index not in self._movable]
        for index, seen in self._seen_alone(news).items():
            self._movable[index] = seen is not None and not _differ(seen, self.in_turn.get(index))
        return self.telling.union(index for index, movable in self._movable.items() if movable)

    def _is_clean(self, canary: Any) -> bool:
        """True if the original code behaves in a child as it did before any candidate."""
        if canary is None or canary[0]:
            return False
        self._learn(index for index, _ in canary[1])
        return all(tuple(seen) == self._honest[index] for index, seen in canary[1])

    def _watchers(self) -> List[int]:
        """Return checks that are run again on the original code, spread over all that are not slow."""
        usual = sorted(index for index in self.order if index not in self.last)
        chosen = usual[:: max(1, len(usual) // CANARY_CHECKS)]
        self._learn(chosen)
        return [index for index in chosen if self._honest[index] is not None]

    def _refuted_together(
        self, candidates: Sequence[Sequence[Edit]], pieces: Sequence[int], fuel: int, seconds: float
    ) -> Dict[int, Judged]:
        """Return the results of the candidates that do not pass in a shared process; the others need one each."""
        results = self._together(candidates, pieces, fuel, seconds)
        if results is not None:
            self._size = min(2 * self._size, MAX_BATCH)
            return results
        found: Dict[int, Judged] = {}
        if len(pieces) > MIN_PART:
            size = -(-len(pieces) // PARTS)
            for start in range(0, len(pieces), size):
                found.update(self._refuted_together(candidates, pieces[start : start + size], fuel, seconds))
        self._size = BATCH
        return found

    def _together(
        self, candidates: Sequence[Sequence[Edit]], pieces: Sequence[int], fuel: int, seconds: float
    ) -> Optional[Dict[int, Judged]]:
        """Return the results of the candidates that do not pass in one process; None if one of them left state behind.

        The canary is the original code, run last in the same child: if it now behaves differently, some candidate left
        state behind that may have decided the results of those after it.
        """
        refuted = dict(self.refuted)
        front = self.order if self.is_ordered else self._front()
        order = [index for index in self.order if index in front]
        watchers = set(self._watchers())

        def work(piece: int) -> Any:
            if piece == CANARY:
                return self._canary(sorted(watchers))
            judged = self._judge(candidates[piece], order, fuel, seconds)
            self._promote(order, refuted, judged)
            if judged.ending == FAILED and judged.stopper not in self.last:
                watchers.add(judged.stopper)
            if gc.get_count()[0] > MAX_GARBAGE:
                gc.collect()
            return judged

        results: Dict[int, Any] = dict(each(work, [*pieces, CANARY], self._stall(seconds), self.allowance))
        if not self._is_clean(results.pop(CANARY)):
            return None
        told = {piece: Judged(*(result or (LOST, 0, -1, fuel))) for piece, result in results.items()}
        return {piece: judged for piece, judged in told.items() if judged.ending != PASSED}

    def _apart(self, edits: Sequence[Edit], fuel: int, seconds: float) -> Iterator[Judged]:
        """Yield the result of a candidate that meets every check in a process of its own."""
        stall = self._stall(seconds)
        for _, result in each(lambda _: self._judge(edits, self.order, fuel, seconds), [0], stall, self.allowance):
            yield Judged(*(result or (LOST, 0, -1, fuel)))

    def _stall(self, seconds: float) -> float:
        """Return the time after which a child that tells nothing new is taken for hung."""
        return seconds * 2 + 1.0 + SLUGGISH_TIME_FACTOR * sum(self.sluggish.values())

    def _most_together(self) -> int:
        """Return the maximum number of candidates in one batch, by the sluggish checks that each of them meets."""
        slow = sum(seconds for index, seconds in self.sluggish.items() if self.is_ordered or index in self.telling)
        return max(1, int(BATCH_SECONDS / slow)) if slow else MAX_BATCH

    def judge(
        self,
        candidates: Iterable[Sequence[Edit]],
        fuel: int,
        seconds: float = MAX_STEPLESS_SECONDS,
        *,
        alone: bool = False,
        wanted: Callable[[int], float] = lambda _: math.inf,
    ) -> Iterator[Tuple[int, Judged]]:
        """Try candidates in order, each with `fuel` steps per check; `seconds` is the clock's backstop.

        They are drawn batch by batch, so the first are tried before the last are known. `wanted` tells after so many
        trials how many more are wanted, so that no batch is larger in vain.
        A candidate that passes among others is tried once more in a process of its own before it is reported as passed;
        with `alone` each has one from the start. Each result is yielded before the next such process begins. Raises
        Spent if the allowance is used up.
        """
        gc.disable()
        gc.freeze()
        self.depends_on_order()
        # Frozen objects are not touched by the collector, so their pages stay shared with the forked children.
        most = self._most_together()
        source = iter(candidates)
        drawn: List[Sequence[Edit]] = []
        while True:
            size = int(max(1, min(self._size, most, wanted(self.tried))))
            begin = len(drawn)
            drawn += islice(source, size)
            pieces = range(begin, len(drawn))
            if not pieces:
                return
            refuted = {} if alone else self._refuted_together(drawn, pieces, fuel, seconds)
            for piece in pieces:
                for judged in [refuted[piece]] if piece in refuted else self._apart(drawn[piece], fuel, seconds):
                    self._promote(self.order, self.refuted, judged)
                    self.tried += 1
                    yield piece, judged
                    self.allowance.take_steps(CANDIDATE_STEPS + judged.used)


def _differ(one: Any, other: Any) -> bool:
    """True if a check ended differently twice, whatever the number of steps: the first call may fill a cache.

    One that did not end says nothing, for its time depends on the machine.
    """
    ends = one and other and {one[0], other[0]} <= {PASSED, FAILED}
    return bool(ends) and tuple(one[:2]) != tuple(other[:2])
