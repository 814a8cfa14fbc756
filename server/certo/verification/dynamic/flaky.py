"""Tests that fail only sometimes: those of the baseline are run again, and what stands otherwise then is no judge.

A test that is red at first and green on the very same text would call any candidate a repair. What is run again is what
a candidate is judged by, so a test that is red only after others, which do not reach the target, is known by it too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import anyio

from certo.concurrency import gather_until
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import CaseResult, RunResults, was_cut_short
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Finding, Ruling

SECONDS = 5.0
"""How long the tests may have taken together to be run again: somebody waits."""


RUNS_IN_DOUBT = 2
"""How often green tests are run again, where nothing is red and somebody says that something is."""


def should_rerun(ground: Harness, known: Sequence[CaseResult], killed: Sequence[str], *, doubted: bool = False) -> bool:
    """Whether tests that are `known` to stand as they do are run again, which they are all or none.

    Where nothing is red, they only are if that is `doubted`. Without those before it a test may stand otherwise every
    time: so none are where one was `killed`, or all of them take long. Doctests are not. The target of a hole has no
    tests that pass yet.
    """
    if ground.target.is_hole or not (_is_red(known) or doubted):
        return False
    again = {told.id for told in known if "::" in told.id}
    return bool(again) and again.isdisjoint(killed) and sum(told.seconds for told in known) <= SECONDS


async def flaky_tests(ground: Harness, known: Sequence[CaseResult], warm: Harness | None = None) -> frozenset[str]:
    """The ids of those tests among the `known` that stand otherwise in another run.

    Where the same ground can be had `warm`, they are run twice there, at once: less than one run in a fresh process. A
    test that stands otherwise there each time may do so because of what was prepared; then a fresh process decides.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    first = {told.id: told.ruling for told in known if "::" in told.id}
    found: frozenset[str] = frozenset()
    if warm is not None:
        again = partial(_rulings, warm, first)
        once, twice = (await gather_until([again, again], lambda _: False)).values()
        found = _differing(once, twice)
        if once.keys() == twice.keys() == first.keys() and _differing(first, once) <= found:
            return found
    for _ in range(1 if _is_red(known) else RUNS_IN_DOUBT):
        found |= _differing(first, await _rulings(ground, first))
    return found


def _is_red(known: Sequence[CaseResult]) -> bool:
    return any(told.ruling is Ruling.FAILED for told in known)


async def _rulings(ground: Harness, tests: Mapping[str, Ruling]) -> dict[str, Ruling]:
    """How tests stand in another run, those that it tells of."""
    hearing = RunResults()
    selection = Selection(paths=files_of(tests), ids=tuple(tests))
    seconds = ground.options.total_seconds
    await run_program("suite", ground, ground.base, selection, hearing, seconds=seconds)
    return {name: hearing.tests[name].ruling for name in tests if name in hearing.tests}


def _differing(one: Mapping[str, Ruling], other: Mapping[str, Ruling]) -> frozenset[str]:
    both = {name: {one[name], other[name]} for name in one.keys() & other.keys()}
    return frozenset(name for name, rulings in both.items() if rulings == {Ruling.FAILED, Ruling.PASSED})


RUNS_BEFORE = 4
"""How often the text as it is has to fail its red tests, once in a search."""

RUNS_WITH = 2
"""How often each candidate has to pass them besides."""


class FlakinessCheck:
    """What is known of the red tests of one problem after another; each is asked for its own text once."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._problem: Problem | None = None
        self._before: frozenset[str] = frozenset()

    async def wavering(self, ground: Harness, candidate: Candidate, problem: Problem, seconds: float) -> frozenset[str]:
        """The ids of pytest's tests, red at first, that stand otherwise in another run on the same text.

        `seconds` is how long all tests of the baseline take. Where that is long they run again once on the text as it
        is, and of these only the files with red ones.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        known = [test for test in problem.baseline.tests if not test.is_doctest and not was_cut_short(test.message)]
        red = frozenset(test.id for test in known if test.ruling is Ruling.FAILED)
        if not red:
            return red
        often = int(SECONDS / max(seconds, 0.001))
        again = _again(known, red, whole=often > 0)
        async with self._lock:
            if self._problem is not problem:
                self._before = await self._unlike_before(ground, problem, again, red, min(RUNS_BEFORE, max(1, often)))
                self._problem = problem
        if self._before:
            return self._before
        runs = min(RUNS_WITH, often)
        return await _standing(ground.under(candidate), candidate.text, again, red, Ruling.FAILED, runs)

    async def _unlike_before(
        self, ground: Harness, problem: Problem, again: tuple[str, ...], red: frozenset[str], runs: int
    ) -> frozenset[str]:
        """The red tests that pass on the text as it is, in one of so many runs; a hole is expected to pass nothing."""
        if problem.target.is_hole:
            return frozenset()
        return await _standing(ground, problem.text, again, red, Ruling.PASSED, runs)


def _again(known: list[KnownTest], red: frozenset[str], *, whole: bool) -> tuple[str, ...]:
    """What is run again: all tests, for one may stand otherwise without those before it, or the files with red ones."""
    files = {name.partition("::")[0] for name in red}
    return tuple(test.id for test in known if whole or test.id.partition("::")[0] in files)


async def _standing(
    ground: Harness, text: str, ids: tuple[str, ...], red: frozenset[str], ruling: Ruling, runs: int
) -> frozenset[str]:
    """The `red` tests that stand so in one of so many runs, which go on side by side until one says so."""

    async def once() -> frozenset[str]:
        hearing = RunResults()
        selection = Selection(paths=files_of(ids), ids=ids)
        await run_program("suite", ground, text, selection, hearing, seconds=ground.options.total_seconds)
        return red.intersection(name for name, told in hearing.tests.items() if told.ruling is ruling)

    heard = await gather_until([once] * runs, lambda heard: any(heard.values()))
    return frozenset().union(*heard.values())


HASH_SEED = 1
"""The seed of that run; all others have 0."""

OTHER_ZONE = {"TZ": "CRT-5:45"}
"""A time zone that needs no table and that nobody lives in by accident: a quarter of an hour off all usual ones."""

_LOCALE = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "C").partition(".")[0]
_OTHER = "C" if _LOCALE not in ("C", "POSIX") else "C.UTF-8"
OTHER_LOCALE = {"LC_ALL": _OTHER, "LANG": _OTHER, "LANGUAGE": _OTHER}
"""A locale that there is everywhere, and not the one that runs have from certo; files are read as they always are."""

OTHER_ORDER = f"red under another order of sets (PYTHONHASHSEED={HASH_SEED})"
ELSEWHERE = {
    f"red in another time zone (TZ={OTHER_ZONE['TZ']})": OTHER_ZONE,
    f"red under another locale (LC_ALL={OTHER_LOCALE['LC_ALL']})": OTHER_LOCALE,
}
AFTER_OTHERS = "green alone, red after the tests that run before it"


async def order_dependent_failures(ground: Harness, candidate: Candidate, problem: Problem) -> list[Finding]:
    """What is red there of the tests that a candidate has passed, and why; not what would be so without it.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    known = {test.id: test for test in problem.baseline.tests if test.ruling is not Ruling.UNDECIDED}
    cold = replace(ground, preparation=None, hash_seed=HASH_SEED, environment={**OTHER_ZONE, **OTHER_LOCALE})
    theirs = cold.under(candidate)
    ran = tuple(dict.fromkeys((*problem.baseline.ran, *known)))
    red = await _red(theirs, candidate.text, ran)
    if red.keys().isdisjoint(known):
        return []
    asked = [partial(_red, cold, cold.base, ran), partial(_red, theirs, candidate.text, tuple(known))]
    for environment in ELSEWHERE.values():
        there = replace(theirs, hash_seed=ground.hash_seed, environment=environment)
        asked.append(partial(_red, there, candidate.text, tuple(known)))
    before, alone, *elsewhere = (await gather_until(asked, lambda _: False)).values()
    return [
        Finding(message=f"{name}: {_why(name, alone, elsewhere)}: {red[name]}")
        for name, test in known.items()
        if name in red and not _is_so_anyway(test, before.get(name), red[name])
    ]


def _why(name: str, alone: Mapping[str, str], elsewhere: Sequence[Mapping[str, str]]) -> str:
    """What a test is red for that is green at home, judged by where else it is red."""
    if name not in alone:
        return AFTER_OTHERS
    return next((why for why, red in zip(ELSEWHERE, elsewhere, strict=True) if name in red), OTHER_ORDER)


def _is_so_anyway(test: KnownTest, before: str | None, now: str) -> bool:
    """Whether a test is red there on the text as it is for no fault of the target's.

    Of one that was red at first its words tell: those that it has for the candidate there, and had not at first.
    """
    return before is not None and (test.ruling is Ruling.PASSED or before == now != test.message)


async def _red(ground: Harness, text: str, ids: Sequence[str]) -> Mapping[str, str]:
    """What the tests that are not green say, by their ids."""
    suite = [name for name in ids if "::" in name]
    examples = [name for name in ids if "::" not in name]
    asked = [
        partial(_red_of, program, ground, text, chosen)
        for program, chosen in (("suite", suite), ("doctest_run", examples))
        if chosen
    ]
    told = await gather_until(asked, lambda _: False)
    return {name: said for each in told.values() for name, said in each.items()}


async def _red_of(program: str, ground: Harness, text: str, ids: Sequence[str]) -> Mapping[str, str]:
    hearing = RunResults()
    selection = Selection(paths=files_of(ids), ids=ids)
    finished = await run_program(program, ground, text, selection, hearing, seconds=ground.options.total_seconds)
    red = {name: told.message for name, told in hearing.tests.items() if told.ruling is Ruling.FAILED}
    if hearing.running is not None:
        red[hearing.running] = hearing.how_it_was_killed(finished)
    unread = {name: hearing.uncollected.get(name.partition("::")[0]) for name in ids}
    return {**red, **{name: said for name, said in unread.items() if said is not None}}
