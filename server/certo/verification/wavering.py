"""Tests that fail only sometimes: those of the baseline are run once more, and what stands otherwise then is no judge.

A test that is red at first and green on the very same text would call any candidate a repair. What is run again is what
a candidate is judged by, so a test that is red only after others, which do not reach the target, is known by it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from certo.verification.hearing import Hearing, Told
from certo.verification.running import Ground, Selection, run_program
from certo.vocabulary.verdict import Ruling

SECONDS = 5.0
"""How long the tests may have taken together to be run again: somebody waits."""

WAVERS = "fails in one run and passes in another, on the same text"
"""What is said of such a test."""


RUNS_IN_DOUBT = 2
"""How often green tests are run again, where nothing is red and somebody says that something is."""


async def wavering(
    ground: Ground, known: Sequence[Told], killed: Sequence[str], *, doubted: bool = False
) -> frozenset[str]:
    """The ids of those tests among the `known` that stand otherwise in another run.

    Where nothing is red, they are only run again if that is `doubted`.

    They are run again all or none: without those before it a test may stand otherwise every time. So none are where one
    was `killed`, or all of them take long. Doctests are not. The target of a hole has no tests that pass yet.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    is_red = any(told.ruling is Ruling.FAILED for told in known)
    if ground.target.is_hole or not (is_red or doubted):
        return frozenset()
    again = {told.id: told.ruling for told in known if "::" in told.id}
    if not again or not again.keys().isdisjoint(killed) or sum(told.seconds for told in known) > SECONDS:
        return frozenset()
    for _ in range(1 if is_red else RUNS_IN_DOUBT):
        if otherwise := await _otherwise(ground, again):
            return otherwise
    return frozenset()


async def _otherwise(ground: Ground, again: Mapping[str, Ruling]) -> frozenset[str]:
    """Those of some tests that stand otherwise in another run."""
    hearing = Hearing()
    await run_program(
        "suite",
        ground,
        ground.base,
        Selection(paths=tuple(dict.fromkeys(name.partition("::")[0] for name in again)), ids=tuple(again)),
        hearing,
        seconds=ground.options.total_seconds,
    )
    told = {name: hearing.tests[name].ruling for name in again if name in hearing.tests}
    return frozenset(name for name, ruling in told.items() if {ruling, again[name]} == {Ruling.FAILED, Ruling.PASSED})
