"""Tests that fail only sometimes: those of the baseline are run again, and what stands otherwise then is no judge.

A test that is red at first and green on the very same text would call any candidate a repair. What is run again is what
a candidate is judged by, so a test that is red only after others, which do not reach the target, is known by it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from certo.criteria.together import at_once
from certo.verification.hearing import Hearing, Told
from certo.verification.running import Ground, Selection, run_program
from certo.verification.warmth import files_of
from certo.vocabulary.verdict import Ruling

SECONDS = 5.0
"""How long the tests may have taken together to be run again: somebody waits."""

WAVERS = "fails in one run and passes in another, on the same text"
"""What is said of such a test."""


RUNS_IN_DOUBT = 2
"""How often green tests are run again, where nothing is red and somebody says that something is."""


def are_run_again(ground: Ground, known: Sequence[Told], killed: Sequence[str], *, doubted: bool = False) -> bool:
    """Whether tests that are `known` to stand as they do are run again, which they are all or none.

    Where nothing is red, they only are if that is `doubted`. Without those before it a test may stand otherwise every
    time: so none are where one was `killed`, or all of them take long. Doctests are not. The target of a hole has no
    tests that pass yet.
    """
    if ground.target.is_hole or not (_is_red(known) or doubted):
        return False
    again = {told.id for told in known if "::" in told.id}
    return bool(again) and again.isdisjoint(killed) and sum(told.seconds for told in known) <= SECONDS


async def wavering(ground: Ground, known: Sequence[Told], warm: Ground | None = None) -> frozenset[str]:
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
        once, twice = (await at_once([again, again], lambda _: False)).values()
        found = _differing(once, twice)
        if once.keys() == twice.keys() == first.keys() and _differing(first, once) <= found:
            return found
    for _ in range(1 if _is_red(known) else RUNS_IN_DOUBT):
        found |= _differing(first, await _rulings(ground, first))
    return found


def _is_red(known: Sequence[Told]) -> bool:
    return any(told.ruling is Ruling.FAILED for told in known)


async def _rulings(ground: Ground, tests: Mapping[str, Ruling]) -> dict[str, Ruling]:
    """How tests stand in another run, those that it tells of."""
    hearing = Hearing()
    selection = Selection(paths=files_of(tests), ids=tuple(tests))
    seconds = ground.options.total_seconds
    await run_program("suite", ground, ground.base, selection, hearing, seconds=seconds)
    return {name: hearing.tests[name].ruling for name in tests if name in hearing.tests}


def _differing(one: Mapping[str, Ruling], other: Mapping[str, Ruling]) -> frozenset[str]:
    both = {name: {one[name], other[name]} for name in one.keys() & other.keys()}
    return frozenset(name for name, rulings in both.items() if rulings == {Ruling.FAILED, Ruling.PASSED})
