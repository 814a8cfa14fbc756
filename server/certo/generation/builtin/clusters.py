"""Clusters of candidates that behave alike, ranked by their probability of being right.

Correct programs behave alike, while wrong ones are mostly wrong in different ways. So of many that pass the same tests,
those that agree on inputs without a known answer are likelier right than those that agree with none. Sampled programs
are ranked by clusters in the same way (Li et al., "Competition-level code generation with AlphaCode", 2022; Chen et
al., "CodeT", 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from certo.behaviour.call import RecordedCall
from certo.behaviour.execution import ComparedCandidate, observe
from certo.behaviour.outcome import CallOutcome, differ, is_slight, told
from certo.behaviour.outcome import telling as how_telling
from certo.vocabulary.candidate import Difference
from certo.vocabulary.text import TextEdit

Outcomes = Sequence[CallOutcome | None]
"""The outcome of each call in one candidate, None if it was not made."""


def telling(versions: Sequence[Outcomes], again: Outcomes) -> tuple[int, ...]:
    """Return the numbers of the calls by which candidates can be compared.

    Calls with another outcome the second time are left out, and so are those on which most candidates raise: such an
    input is probably outside the function's domain.
    """
    if not versions:
        return ()
    return tuple(
        number
        for number, (first, second) in enumerate(zip(versions[0], again, strict=True))
        if first is not None and second is not None and not differ(first, second) and _is_answered(versions, number)
    )


def clusters(versions: Sequence[Outcomes], calls: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the candidates that behave alike on these calls, in their order.

    Slight differences, as in the last digit of a float, do not count. This is an equivalence relation, so the order of
    the candidates changes no group.
    """
    classes = [_classes([outcomes[call] for outcomes in versions]) for call in calls]
    found: dict[tuple[int, ...], list[int]] = {}
    for number in range(len(versions)):
        found.setdefault(tuple(each[number] for each in classes), []).append(number)
    return tuple(map(tuple, found.values()))


def _classes(outcomes: Sequence[CallOutcome | None]) -> list[int]:
    """Return a number for each outcome of one call, the same for those that nobody would tell apart."""
    kinds = dict.fromkeys(map(_kind, outcomes))
    classes = {kind: number for number, kind in enumerate(kinds)}
    # Slight differences are not transitive, so chains of them are followed to the end. Even one through all candidates
    # joins only values that are that many times the last digit apart.
    for one, other in combinations(kinds, 2):
        if classes[one] != classes[other] and _is_near(one, other):
            joined, into = classes[other], classes[one]
            classes = {kind: into if number == joined else number for kind, number in classes.items()}
    return [classes[_kind(outcome)] for outcome in outcomes]


def _is_near(one: CallOutcome | None, other: CallOutcome | None) -> bool:
    if one is None or other is None or (_is_exact(one.value) and _is_exact(other.value)):
        return False
    return is_slight(one, other)


def _is_exact(value: str) -> bool:
    """True for integers and texts, of which no two are equal if they are written differently."""
    return value.removeprefix("-").isdecimal() or value[:1] in ("'", '"')


def _kind(outcome: CallOutcome | None) -> CallOutcome | None:
    """Return what counts of an outcome: of an exception its type."""
    return CallOutcome("raises", outcome.error) if outcome is not None and outcome.kind == "raises" else outcome


def backing(
    versions: Sequence[Outcomes], calls: Sequence[int], groups: Sequence[Sequence[int]], masses: Sequence[float]
) -> list[float]:
    """Return each group's share of the total mass: its own, and that of the groups that it refines.

    A group refines another if it gives the same answers wherever the other answers, and answers more calls. A program
    that raises says nothing about the right answer; raising on a call like those of the tests is evidence against that
    program alone (an implicit oracle: Barr et al., "The oracle problem in software testing", 2015).
    """
    leaders = [versions[group[0]] for group in groups]
    return [
        sum(mass for other, mass in zip(leaders, masses, strict=True) if one is other or _refines(one, other, calls))
        for one in leaders
    ]


def _refines(ours: Outcomes, theirs: Outcomes, calls: Sequence[int]) -> bool:
    return all(
        not _tell_apart(ours[call], theirs[call]) or (_answers(ours[call]) and not _answers(theirs[call]))
        for call in calls
    )


def supports(theirs: Outcomes, ours: Outcomes, calls: Sequence[int]) -> bool:
    """True if two give the same wherever both answer, and ours answers as many calls at least.

    So a program that answers hardly anything is supported by none that answers more.
    """
    answered = [[call for call in calls if _answers(outcomes[call])] for outcomes in (ours, theirs)]
    both = [call for call in answered[0] if _answers(theirs[call])]
    if not both or len(answered[0]) < len(answered[1]):
        return False
    return not any(_tell_apart(ours[call], theirs[call]) for call in both)


def difference(
    ours: Outcomes, theirs: Outcomes, numbers: Sequence[int], calls: Sequence[RecordedCall]
) -> Difference | None:
    """Return the most telling call on which two candidates differ, the simplest of equals, and both answers."""
    number = most_telling(ours, theirs, numbers, calls)
    if number is None:
        return None
    one, other = ours[number], theirs[number]
    assert one is not None  # a call that was not made tells nothing
    assert other is not None
    here, there = told(one, other)
    return Difference(call=calls[number].text, ours=here, theirs=there)


def most_telling(ours: Outcomes, theirs: Outcomes, numbers: Sequence[int], calls: Sequence[RecordedCall]) -> int | None:
    """Return the number of the most telling call on which two candidates differ; None if they differ on none."""
    found = [
        (_plainness(calls[number], one, other), number)
        for number in numbers
        if (one := ours[number]) is not None and (other := theirs[number]) is not None and _tell_apart(one, other)
    ]
    return min(found)[1] if found else None


def separating(versions: Sequence[Outcomes], numbers: Sequence[int], calls: Sequence[RecordedCall]) -> tuple[int, ...]:
    """Return few calls that distinguish each of some candidates from each other, the most telling and simplest first.

    Greedy set cover needs hardly more calls than the minimum (V. Chvátal, "A greedy heuristic for the set-covering
    problem", 1979): repeatedly the call that separates most of the unseparated pairs, then the most telling, then the
    simplest.
    """
    # `max` below takes the first of equals, so this order decides between calls that separate as many pairs.
    plainest = sorted(numbers, key=lambda number: _best(versions, number, calls[number]))
    place = {number: place for place, number in enumerate(plainest)}
    told = {number: _pairs(versions, number) for number in plainest}
    left: set[tuple[int, int]] = set().union(*told.values())
    chosen = []
    while left:
        most = max(plainest, key=lambda number: len(told[number] & left))
        chosen.append(most)
        left -= told[most]
    return tuple(sorted(chosen, key=place.__getitem__))


def _plainness(call: RecordedCall, ours: CallOutcome, theirs: CallOutcome) -> tuple[int, int, int, str]:
    """Return a sort key by which more telling differences come first, then those that are read sooner."""
    return how_telling(ours, theirs), call.strange, len(call.text) + len(ours.words) + len(theirs.words), call.text


def _best(versions: Sequence[Outcomes], number: int, call: RecordedCall) -> tuple[int, int, int, str]:
    """Return a sort key of how much a call tells a user, best first, by the two candidates that it tells apart best."""
    seen = [outcome for version in versions if (outcome := version[number]) is not None]
    pairs = (pair for pair in combinations(seen, 2) if _tell_apart(*pair))
    return min((_plainness(call, *pair) for pair in pairs), default=(len(seen), *call.weight))


def _pairs(versions: Sequence[Outcomes], number: int) -> set[tuple[int, int]]:
    """Return the pairs of candidates on which a call differs, by number, among those that ran."""
    seen = [(place, outcome) for place, version in enumerate(versions) if (outcome := version[number]) is not None]
    return {(one, other) for (one, ours), (other, theirs) in combinations(seen, 2) if _tell_apart(ours, theirs)}


def _tell_apart(one: CallOutcome | None, other: CallOutcome | None) -> bool:
    if one is None or other is None:
        return one is not other
    return differ(one, other) and not is_slight(one, other)


def _is_answered(versions: Sequence[Outcomes], number: int) -> bool:
    """True if at least half of the candidates give an answer."""
    return 2 * sum(_answers(outcomes[number]) for outcomes in versions) >= len(versions)


def _answers(outcome: CallOutcome | None) -> bool:
    return outcome is not None and outcome.is_answer


def deciding_calls(
    versions: Sequence[Outcomes], numbers: Sequence[int], calls: Sequence[RecordedCall], most: int
) -> tuple[int, ...]:
    """Return the numbers of the calls that distinguish versions: all of them, the first `most`, and the first two."""
    found = {
        number
        for several in (versions, versions[:most], versions[:2])
        for number in separating(several, numbers, calls)
    }
    return tuple(sorted(found, key=lambda number: calls[number].weight))


async def confirmed(
    side: ComparedCandidate,
    versions: Sequence[tuple[Sequence[TextEdit], Outcomes]],
    numbers: Sequence[int],
    calls: Sequence[RecordedCall],
) -> tuple[int, ...]:
    """Return the calls that every version answers the same in a fresh process.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    if not numbers:
        return ()
    alone = await observe(side, [edits for edits, _ in versions], [calls[number] for number in numbers], alone=True)
    if len(alone.versions) < len(versions):
        return ()

    def is_same(place: int, number: int) -> bool:
        for (_, outcomes), again in zip(versions, alone.versions, strict=True):
            first, second = outcomes[number], again[place]
            # A call that was not made at first has told nothing.
            if first is not None and (second is None or differ(first, second)):
                return False
        return True

    return tuple(number for place, number in enumerate(numbers) if is_same(place, number))
