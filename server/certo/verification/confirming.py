"""Whether what passed passes too where others run it: after the tests before it, with sets in another order, elsewhere.

A candidate is judged by the tests that reach the target, and by those alone, and all its runs have one seed of hashes,
one time zone and one locale. What leans on any of these is green here and red in another's run. So it runs once more as
the baseline did, under another seed and in another place; in a fresh process, for it has its seed from its start.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from certo.criteria.together import at_once
from certo.verification.hearing import Hearing
from certo.verification.running import Ground, Selection, run_program
from certo.verification.warmth import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Finding, Ruling

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


async def unconfirmed(ground: Ground, candidate: Candidate, problem: Problem) -> list[Finding]:
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
    before, alone, *elsewhere = (await at_once(asked, lambda _: False)).values()
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


async def _red(ground: Ground, text: str, ids: Sequence[str]) -> Mapping[str, str]:
    """What the tests that are not green say, by their ids."""
    suite = [name for name in ids if "::" in name]
    examples = [name for name in ids if "::" not in name]
    asked = [
        partial(_red_of, program, ground, text, chosen)
        for program, chosen in (("suite", suite), ("doctest_run", examples))
        if chosen
    ]
    told = await at_once(asked, lambda _: False)
    return {name: said for each in told.values() for name, said in each.items()}


async def _red_of(program: str, ground: Ground, text: str, ids: Sequence[str]) -> Mapping[str, str]:
    hearing = Hearing()
    selection = Selection(paths=files_of(ids), ids=ids)
    finished = await run_program(program, ground, text, selection, hearing, seconds=ground.options.total_seconds)
    red = {name: told.message for name, told in hearing.tests.items() if told.ruling is Ruling.FAILED}
    if hearing.running is not None:
        red[hearing.running] = hearing.how_it_was_killed(finished)
    unread = {name: hearing.uncollected.get(name.partition("::")[0]) for name in ids}
    return {**red, **{name: said for name, said in unread.items() if said is not None}}
