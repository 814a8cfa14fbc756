"""Agreement among the candidates that passed: the largest group that behaves alike wins, the others are its rivals.

Weak tests let wrong candidates pass. Independent candidates that are right behave alike, while wrong ones differ, so
the behaviour of most is the likelier one (CodeT, Chen and others 2022; AlphaCode, Li and others 2022). Only the user
knows which is right, so the calls that tell them apart are shown.
"""

from __future__ import annotations

from dataclasses import replace

from certo.generation.builtin.agreement import Agreement, Comparer
from certo.generation.generator import Attempt
from certo.search.bench import SearchBench
from certo.vocabulary.candidate import Standing
from certo.vocabulary.errors import CertoError
from certo.vocabulary.problem import Problem

MAX_ITEMS = 12
"""The most candidates that are compared; each takes a second or two."""

OWN = "builtin"
"""The generator that compares what it finds before it proposes any of it."""


def are_open(bench: SearchBench) -> bool:
    """Return True if several candidates passed and have not been compared."""
    passed = bench.passed
    return len(passed) > 1 and not any(
        each.candidate.observations or each.candidate.rival_of or bench.rivals_of(each) for each in passed
    )


async def compare_passed(bench: SearchBench, comparer: Comparer, problem: Problem) -> None:
    """Compare the candidates that passed: the cheapest of those that agree most becomes the best, others its rivals."""
    if not are_open(bench):
        return
    passed = bench.passed
    comparable = [each for each in passed if not each.candidate.elsewhere][:MAX_ITEMS]
    reason = f"only the first {MAX_ITEMS} that change one file were compared"
    if len(comparable) == len(passed):
        reason = "it gives another answer each time, or could not be run"
    agreement = Agreement(reason="they change other files too, and only functions are compared")
    if len(comparable) > 1:
        try:
            agreement = await comparer.agreement(problem, [each.candidate.text for each in comparable])
        except CertoError as error:
            agreement = Agreement(reason=str(error))
    if not agreement.groups:
        leave_uncompared(bench, agreement.reason)
        return
    bench.agree({comparable[number].candidate.id: len(group) for group in agreement.groups for number in group})
    places = {comparable[number].candidate.id: number for group in agreement.groups for number in group}
    best = bench.best
    for attempt in bench.passed:
        standing = Standing(uncompared=reason)
        if attempt.candidate.id in places:
            standing = _standing(agreement, places[attempt.candidate.id], places.get(_id_of(best), -1))
        is_rival = standing.difference is not None or standing.uncompared
        bench.stand(attempt, replace(standing, rival_of=_id_of(best) if is_rival and attempt is not best else None))


def leave_uncompared(bench: SearchBench, reason: str) -> None:
    """Mark all candidates that passed as not compared, with the reason; all but the best are its rivals."""
    if not are_open(bench):
        return
    best = bench.best
    for attempt in bench.passed:
        rival_of = _id_of(best) if attempt is not best else None
        bench.stand(attempt, Standing(rival_of=rival_of, uncompared=reason))


def _standing(agreement: Agreement, number: int, best: int) -> Standing:
    [group] = [group for group in agreement.groups if number in group]
    return Standing(
        agreeing=len(group),
        difference=agreement.difference(number, best) if best not in (-1, *group) else None,
        observations=agreement.observations(number) if len(agreement.groups) > 1 else (),
    )


def _id_of(best: Attempt | None) -> str:
    return best.candidate.id if best is not None else ""
