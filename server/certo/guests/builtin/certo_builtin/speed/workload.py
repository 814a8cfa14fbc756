"""Guest program that finds the calls for a measurement, and tries versions on them roughly.

The calls are those that the tests make, and generated ones where these are few. Each grows until it takes long enough
to be timed. Versions are timed on them once, which tells what is worth measuring.
"""

from __future__ import annotations

import gc
import tracemalloc
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Sequence

from certo_builtin.differential.calls import call_of, distinct
from certo_builtin.differential.generated_calls import Generator
from certo_builtin.differential.observed_calls import observed
from certo_builtin.differential.versions import Call, Loaded, LocalVersion, Place, Unrunnable
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fork_pool import Emit, streamed
from certo_builtin.execution.suite import with_checks
from certo_builtin.speed import timer
from certo_builtin.speed.larger_calls import Growing, factors
from certo_builtin.speed.versions import TimedVersion, outcome, prepared, quiet, sizes_below

MAX_CALLS = 6
"""Number of calls that grow."""

MAX_DRAWN = 120
"""Number of generated calls among which the longest are taken."""

ENOUGH_SECONDS = 0.003
"""Duration of a call that has grown enough."""

LIMIT_SECONDS = 0.02
"""Longest duration of a call that is measured."""

STALL_SECONDS = 1.0
"""Duration after which a growing call is given up."""

SEED = 1_000_003

Tell = Callable[[Dict[str, Any]], None]


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Report the workload, and what each version takes of it."""

    def find(checks: Sequence[Check]) -> None:
        try:
            _Workload(request, tell).run(checks)
        except Unrunnable as trouble:
            tell({"kind": "trouble", "text": str(trouble)})
        except Spent:
            tell({"kind": "trouble", "text": "its calls take too long to be measured"})

    with_checks(request, find)


class _Workload:
    """Calls of the text on disk that grow."""

    def __init__(self, request: Dict[str, Any], tell: Tell) -> None:
        self._request = request
        self._tell = tell
        self._allowance = Allowance(request["seconds"])
        place = Place(*(request[name] for name in ("root", "path", "text", "line", "name")))
        self._loaded = Loaded(place, self._allowance)
        if not self._loaded.hot_swap.live:
            raise Unrunnable("{} cannot be called here".format(place.name))
        self._base = LocalVersion(self._loaded)

    def run(self, checks: Sequence[Check]) -> None:
        """Find the workload, report it, and try the versions on it."""
        gc.disable()
        gc.freeze()
        grown: List[Dict[str, Any]] = []
        for call in self._calls(checks):
            sizes = list(self._grow(call))
            if sizes:
                grown.append({"call": call, "sizes": sizes})
        grown.sort(key=lambda one: -one["sizes"][-1][1])
        # Calls that take a small part of the longest would not be noticed beside it.
        longest = grown[0]["sizes"][-1][1] if grown else 0.0
        grown = [one for one in grown if one["sizes"][-1][1] >= 0.1 * longest][:3]
        self._tell({"kind": "workload", "calls": grown})
        if grown:
            for number, edits in enumerate(self._request["versions"]):
                self._try(number, [tuple(edit) for edit in edits], grown)

    def _calls(self, checks: Sequence[Check]) -> List[Call]:
        """Return the calls that grow: those with the most steps of the observed ones, else of generated ones."""
        callee = self._request["callee"]
        said = [call_of(message, callee) for message in observed(self._loaded, checks, [])]
        known = [call for call in said if call is not None]
        asked: Dict[str, Any] = {}
        found = self._longest(list(distinct(known, asked))[:200])
        if not found:
            trees = [self._loaded.target]
            generator = Generator(self._loaded, self._request["callee"], trees, known, [], self._request["seed"])
            drawn: List[Call] = []
            for call in distinct(_either(generator.small(), generator.drawn()), asked):
                drawn.append(call)
                if len(drawn) >= MAX_DRAWN:
                    break
            found += self._longest(drawn)
        return found[:MAX_CALLS]

    def _longest(self, calls: Sequence[Call]) -> List[Call]:
        """Return the calls that return, those with the most steps first; different in steps as far as possible."""
        outcomes = self._base.outcomes(calls) if calls else []
        ended = [
            (one["steps"], call)
            for call, one in zip(calls, outcomes)
            if one is not None and one["kind"] in ("returns", "yields") and _may_grow(call, self._loaded.names)
        ]
        ended.sort(key=lambda one: -one[0])
        return [call for _, call in ended][:MAX_CALLS]

    def _grow(self, call: Call) -> Iterator[List[float]]:
        """Yield the sizes at which the call returns, with its seconds there."""

        def work(emit: Emit) -> None:
            timer.block([], 1)
            growing = Growing(call, self._loaded.names)
            TimedVersion(self._loaded).put()
            with quiet():
                for factor in factors(growing):
                    try:
                        ready = prepared(call, growing, self._loaded.names, factor, SEED if factor > 1 else 0)
                        took = timer.block([ready], 1) / 1e9
                    except Exception:  # what the call raises at this size; smaller ones are kept
                        return
                    if took > LIMIT_SECONDS and factor > 1:
                        return
                    emit([factor, took])
                    if took > ENOUGH_SECONDS:
                        return

        yield from streamed(work, STALL_SECONDS, self._allowance)

    def _try(self, number: int, edits: List[Any], grown: Sequence[Dict[str, Any]]) -> None:
        for said in streamed(partial(self._compare, edits, grown), 20 * STALL_SECONDS, self._allowance):
            self._tell({"kind": "rough", "version": number, **said})

    def _compare(self, edits: List[Any], grown: Sequence[Dict[str, Any]], emit: Emit) -> None:
        """Report the rough ratio of the original to a version at the largest size, and if it can be measured at all."""
        names = self._loaded.names
        base, version = TimedVersion(self._loaded), TimedVersion(self._loaded, edits)
        with quiet():
            base.put()
            ready = [
                prepared(one["call"], Growing(one["call"], names), names, one["sizes"][-1][0], SEED) for one in grown
            ]
            before = [outcome(call) for call in ready]
            version.put()
            try:
                is_same = [outcome(call) for call in ready] == before
            except Exception:  # what the version raises where the original does not
                is_same = False
            base.put()
            repeats = timer.repeats_for(ready, 400_000)
            one, other = timer.in_turn([base.put, version.put], ready, repeats, 1)[0]
            peaks = [_peak(each, ready[:1]) for each in (base, version)]
            keeps = not _keeps_results(self._loaded, (), grown[0]) and _keeps_results(self._loaded, edits, grown[0])
        emit({"ratio": one / max(other, 1), "is_same": is_same, "peaks": peaks, "keeps": keeps})


def _either(small: Iterator[Call], drawn: Iterator[Call]) -> Iterator[Call]:
    """Yield a third of small calls, and random ones."""
    for number, call in enumerate(small):
        yield call
        if number > MAX_DRAWN // 3:
            break
    yield from drawn


def _may_grow(call: Call, names: Dict[str, Any]) -> bool:
    try:
        return Growing(call, names).can_grow
    except SyntaxError:
        return False


def _peak(version: TimedVersion, calls: Sequence[Any]) -> int:
    """Return the bytes that a call takes at most."""
    version.put()
    tracemalloc.start()
    try:
        timer.block(calls, 1)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _keeps_results(loaded: Loaded, edits: Sequence[Any], grown: Dict[str, Any]) -> bool:
    """True if the same call takes less than half the steps the second time: its result was kept from the first."""
    version = LocalVersion(loaded, edits)
    version.put_in_place()
    meter, names = loaded.runner.meter, loaded.names
    sizes = sizes_below(grown["sizes"], grown["sizes"][-1][0])
    steps = []
    for _ in range(2):
        try:
            call = grown["call"]
            arguments, named, receiver = Growing(call, names).values(sizes[-1], SEED + 1)
            ready = (call["callee"], arguments, named, receiver)
        except Exception:  # the project's constructors may refuse
            return False
        loaded.runner.run_limited(partial(_made, ready, names), 2_000_000, 2.0)
        steps.append(meter.used)
    return steps[1] < 0.5 * steps[0]


def _made(ready: Any, names: Dict[str, Any]) -> None:
    callee, arguments, named, receiver = ready
    function = eval(callee, dict(names)) if receiver is None else getattr(receiver, callee)
    result = function(*arguments, **named) if callable(function) else function
    if hasattr(result, "__next__"):
        for _ in result:
            pass
