"""Agreement among the candidates that passed: the likeliest group that behaves alike wins, the others are its rivals.

Weak tests let wrong candidates pass. Independent candidates that are right behave alike, while wrong ones differ, so
the behaviour of most is the likelier one (CodeT, Chen and others 2022; AlphaCode, Li and others 2022). Only the user
knows which is right, so the calls that tell them apart are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from certo.generation.builtin.agreement import Agreement, Comparer
from certo.generation.builtin.votes import Ballot
from certo.generation.generator import Attempt
from certo.search.bench import SearchBench
from certo.vocabulary.candidate import MADE, USER, Candidate, Standing
from certo.vocabulary.errors import CertoError
from certo.vocabulary.problem import Problem

MAX_ITEMS = 12
"""The most candidates that are compared; each takes a second or two."""


def answers_of(bench: SearchBench) -> tuple[Attempt, ...]:
    """Return the candidates that passed, without those that were made of another one."""
    return tuple(each for each in bench.passed if each.candidate.origin.generator != MADE)


def are_open(bench: SearchBench) -> bool:
    """Return True if several candidates passed and have not all been compared; rivals known as such have been."""
    answers = answers_of(bench)
    standings = [bench.standing_of(each) for each in answers]
    if any(standing.group or standing.uncompared for standing in standings):
        return not all(_is_settled(bench, each) for each in answers)
    return len(answers) > 1 and not all(
        each.candidate.observations or each.candidate.rival_of or bench.rivals_of(each) for each in answers
    )


def _is_settled(bench: SearchBench, attempt: Attempt) -> bool:
    """Return True if it is known how a candidate stands among the others, or why it is not."""
    standing = bench.standing_of(attempt)
    return bool(standing.group or standing.uncompared or attempt.candidate.rival_of)


async def compare_passed(bench: SearchBench, comparer: Comparer, problem: Problem) -> None:
    """Compare the candidates that passed: the cheapest of the likeliest group becomes the best, others its rivals."""
    if are_open(bench):
        await _compare(bench, comparer, problem)


async def compare_adopted(bench: SearchBench, comparer: Comparer, problem: Problem) -> None:
    """Compare candidates of the user, such as edited ones, with those that their generator has compared."""
    if len(bench.passed) > 1 and any(each.candidate.origin.generator == USER for each in bench.passed):
        await _compare(bench, comparer, problem)


async def keep_behaviour(
    bench: SearchBench, comparer: Comparer | None, problem: Problem, parent: Attempt, made: Attempt
) -> None:
    """Let a candidate made of another one stand in its group if it behaves alike; otherwise it stays behind."""
    if comparer is None or not bench.is_grouped(parent):
        return
    ballots = [Ballot(text=attempt.candidate.text) for attempt in (parent, made)]
    try:
        agreement = await comparer.agreement(problem, ballots)
    except CertoError:
        return
    if [len(group.members) for group in agreement.groups] == [2]:
        bench.inherit(made, parent)


async def _compare(bench: SearchBench, comparer: Comparer, problem: Problem) -> None:
    passed = bench.passed
    is_of_one = problem.target.second is None
    comparable = [each for each in passed if is_of_one and not each.candidate.elsewhere][:MAX_ITEMS]
    reason = f"only the first {MAX_ITEMS} that change one file were compared"
    if len(comparable) == len(passed):
        reason = "it gives another answer each time, or could not be run"
    more = "other files" if is_of_one else "a second function"
    agreement = Agreement(reason=f"they change {more} too, and only single functions are compared")
    if len(comparable) > 1:
        try:
            agreement = await comparer.agreement(problem, _ballots(bench, comparable))
        except CertoError as error:
            agreement = Agreement(reason=str(error))
    if not agreement.groups:
        leave_uncompared(bench, agreement.reason)
        return
    places = {comparable[number].candidate.id: number for group in agreement.groups for number in group.members}
    numbers = _numbered(agreement)
    bench.agree({comparable[number].candidate.id: numbers[number] for number in numbers})
    best = bench.best
    for attempt in bench.passed:
        standing = Standing(uncompared=reason)
        if attempt.candidate.id in places:
            place = places[attempt.candidate.id]
            standing = replace(_standing(agreement, place, places.get(_id_of(best), -1)), group=numbers[place])
        is_rival = standing.difference is not None or standing.uncompared
        bench.stand(attempt, replace(standing, rival_of=_id_of(best) if is_rival and attempt is not best else None))


def _ballots(bench: SearchBench, attempts: Sequence[Attempt]) -> list[Ballot]:
    """Return the attempts as they vote, each with the earlier ones that it was made of."""
    numbers = {attempt.candidate.id: number for number, attempt in enumerate(attempts)}
    parents = {attempt.candidate.id: attempt.candidate.parent for attempt in bench.passed}

    def ancestors(candidate: Candidate) -> Iterator[str]:
        parent = candidate.parent
        while parent is not None:
            yield parent
            parent = parents.get(parent)

    return [
        Ballot(
            text=attempt.candidate.text,
            votes=bench.votes_of(attempt.candidate),
            made_of=frozenset(numbers[known] for known in ancestors(attempt.candidate) if known in numbers),
        )
        for attempt in attempts
    ]


def _numbered(agreement: Agreement) -> dict[int, int]:
    """Return the number of the group of each candidate; candidates are numbered by rank, so equal groups go by cost."""
    ordered = sorted(agreement.groups, key=lambda group: (group.rank, min(group.members)))
    return {member: number for number, group in enumerate(ordered, start=1) for member in group.members}


def leave_uncompared(bench: SearchBench, reason: str) -> None:
    """Mark the candidates that passed and were not compared, with the reason; all but the best are its rivals."""
    if not are_open(bench):
        return
    best = bench.best
    for attempt in answers_of(bench):
        if not _is_settled(bench, attempt):
            rival_of = _id_of(best) if attempt is not best else None
            seen = attempt.candidate.observations
            bench.stand(attempt, Standing(rival_of=rival_of, uncompared=reason, observations=seen))


def _standing(agreement: Agreement, number: int, best: int) -> Standing:
    group = agreement.group_of(number)
    return Standing(
        agreeing=group.votes,
        backed=group.backed,
        compared=agreement.votes,
        difference=agreement.difference(number, best) if best not in (-1, *group.members) else None,
        observations=agreement.observations(number) if len(agreement.groups) > 1 else (),
        unusual=agreement.unusual,
    )


def _id_of(best: Attempt | None) -> str:
    return best.candidate.id if best is not None else ""
