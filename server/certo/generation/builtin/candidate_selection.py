"""Selection of plausible candidates: a few that behave differently, best first, each with a distinguishing input.

A candidate that passes the tests may still be wrong. If several pass and behave differently on other inputs, those with
the most agreement come first, and the user is shown an input on which they differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

from certo.behaviour.call import RecordedCall, callee_of
from certo.behaviour.call_pool import CallPool, plainer, pool_of, required_number
from certo.behaviour.execution import (
    ObservedOutcomes,
    Outcomes,
    compared_candidate,
    observe,
)
from certo.behaviour.outcome import CallOutcome, differ, told
from certo.behaviour.typicality import is_typical
from certo.generation.builtin.clusters import (
    backing,
    clusters,
    confirmed,
    deciding_calls,
    difference,
    separating,
    telling,
)
from certo.generation.builtin.promise_checks import BROKEN_FACTOR, Breach, Promises
from certo.generation.builtin.search_program import MAX_CALLS, PlausibleCandidate, PlausibleCandidates
from certo.generation.generator import Proposal
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.process.starvation import patient_limit
from certo.vocabulary.candidate import Difference, Observation
from certo.vocabulary.open_question import question_about
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

MAX_SHOWN = 5

MIN_ALONE = 1.4
"""Required evidence for synthesised code if all candidates behave alike, in bits per part of the code.

This threshold and the next two were fitted on stubs of MBPP+: 16 % of the candidates shown are wrong, where it would be
36 % without them; of 24 shown for HumanEval one is wrong. Logistic regressions on up to six features of examples, words
and rivals, leave-one-out features included, were no better on the set that they were not fitted on.
"""

MIN_CONTESTED = 3.5
"""Required evidence if the maximum number of candidates behave differently, or they could not be compared."""

MIN_SHARE = 0.6
"""Minimum share of the total weight for the candidates that behave like the one shown."""

MIN_BESIDE = 1.8
"""Evidence of a synthesised expression in bits per part, below which it is ranked after edits of existing code."""

BROKEN_CONFIDENCE = 0.5
"""Factor on the evidence for synthesised code for each promise of the docstring that it breaks."""

MAX_FAITH = 2.0
"""Exponent of the share of answers that a candidate keeps, if all tests but a few pass."""

MAX_CONFIRMED = 24
"""Maximum number of calls repeated in a fresh process after their outcome changed."""

_FEW = 8
"""Number of the checks' calls that are simplified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSelection:
    """Candidates to propose, best first; if there are none, the question to the user that would help."""

    proposals: tuple[Proposal, ...] = ()
    question: str = ""


async def choose(
    finds: PlausibleCandidates, *, executor: Executor, interpreter: Interpreter, patience: float = math.inf
) -> CandidateSelection:
    """Compare the plausible candidates and choose from them, deterministically.

    If comparing takes longer than `patience` seconds, without those in which no processor was free, they are proposed
    in the order of their discovery.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    if not finds.found:
        return CandidateSelection()
    groups, seen = [list(range(len(finds.found)))], _SeenCandidate()
    async with patient_limit(patience):
        groups, seen = await _grouped(finds, executor, interpreter)
    leader = groups[0][0]
    confidence = finds.found[leader].confidence if _is_made_up(finds.found) else None
    if confidence is not None and seen.broken[leader:]:
        confidence *= BROKEN_CONFIDENCE ** len(seen.broken[leader])
    if not is_sure(confidence, seen.share, compared=seen.compared or len(finds.found) == 1):
        return CandidateSelection(question=_question(finds, seen, groups[0][0], [group[0] for group in groups[1:]]))
    shown = _shown([group[0] for group in groups], seen)
    others = [number for number in [*chain(*groups), *range(len(finds.found))] if number not in shown]
    led = _contending(finds, shown, seen.among(shown))
    rest = (finds.found[number].proposal for number in dict.fromkeys(others))
    return CandidateSelection(proposals=(*_with_alike(led, groups, seen), *rest))


def _with_alike(led: Sequence[Proposal], groups: Sequence[Sequence[int]], seen: _SeenCandidate) -> Iterator[Proposal]:
    """Yield the first of a selection with the number of others that behave like it, if that is known, then the rest."""
    group = groups[0]
    known = len(group) == 1 or seen.is_visible(group[0])
    yield replace(led[0], alike=len(group) - 1) if known else led[0]
    yield from led[1:]


def is_sure(confidence: float | None, share: float, *, compared: bool) -> bool:
    """True if the examples are enough evidence for the first candidate.

    Edits of existing code, which have no `confidence`, need none. `share` is the weight of all candidates that behave
    like it, relative to the total. Less evidence is enough if all were `compared` and behave alike; none is enough
    below MIN_SHARE.
    """
    if confidence is None:
        return True
    if share < MIN_SHARE:
        return False
    # From 0, where all behave alike, to 1, where as many as allowed do not.
    contested = (1 - share) / (1 - MIN_SHARE) if compared else 1.0
    return confidence >= MIN_ALONE + (MIN_CONTESTED - MIN_ALONE) * contested


def _is_made_up(found: Sequence[PlausibleCandidate]) -> bool:
    """True if all candidates were synthesised from examples, and none is an edit of existing code."""
    return all(find.confidence is not None for find in found)


def by_likelihood(
    found: Sequence[PlausibleCandidate], groups: Sequence[Sequence[int]], kept: Sequence[float] = ()
) -> list[list[int]]:
    """Return the groups of like behaviour, the likeliest first, and in each the smallest edit first.

    Of edits as small, the likeliest leads: it names what the evidence of the run named. A likelier one of a kind that
    the failing tests ask for leads smaller ones: where they want a refusal, the smallest edit fails by chance.

    `kept` is a factor for each candidate by what it keeps of the original's behaviour; none stands for no difference. A
    synthesised expression with little evidence comes after every edit of existing code: of two explanations the one
    with the shorter description is preferred (Rissanen, "Modeling by shortest data description", 1978).
    """
    repairs = any(find.confidence is None for find in found)

    def is_made_up(group: Sequence[int]) -> bool:
        told = [found[number].confidence for number in group]
        return repairs and all(confidence is not None and confidence < MIN_BESIDE for confidence in told)

    def size(number: int) -> tuple[bool, int, float, int, int]:
        one = found[number]
        return is_made_up([number]), one.tokens, -one.weight, _growth(one), number

    def mass(group: Sequence[int]) -> float:
        return math.fsum(found[number].weight for number in group) * (kept[group[0]] if kept else 1.0)

    def in_order(group: Sequence[int]) -> list[int]:
        by_size = sorted(group, key=size)
        asked = [
            number for number in by_size if found[number].asked and found[number].weight > found[by_size[0]].weight
        ]
        return [*asked[:1], *(number for number in by_size if number not in asked[:1])]

    ordered = list(map(in_order, groups))
    return sorted(ordered, key=lambda group: (is_made_up(group), -mass(group)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contender:
    """One candidate among its rivals: its results for the shared calls, and its difference from each rival."""

    observations: tuple[Observation, ...] = ()
    differences: Mapping[int, Difference | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeenCandidate:
    """Observed behaviour of the candidates: the calls, their outcomes, and the calls of checks.

    `telling` are the calls that distinguish candidates. They were `compared` if all outcomes of the likeliest one could
    be inspected; `share` is the weight of the first group. `broken` are the docstring's promises that each breaks.
    """

    calls: tuple[RecordedCall, ...] = ()
    known: frozenset[str] = frozenset()
    acted: ObservedOutcomes | None = None
    telling: tuple[int, ...] = ()
    compared: bool = False
    share: float = 1.0
    broken: Sequence[tuple[Breach, ...]] = ()

    def difference(self, one: int, other: int) -> Difference | None:
        """Return a call on which two candidates differ."""
        return self._difference(one, other, self.telling)

    def is_visible(self, find: int) -> bool:
        """True if a candidate gives an answer that can be inspected for some call."""
        outcomes = self.acted.versions[find] if self.acted is not None else ()
        return any(outcome is not None and outcome.is_answer and not outcome.is_opaque for outcome in outcomes)

    def among(self, finds: Sequence[int]) -> tuple[_Contender, ...]:
        """Return the rivals of each candidate, using few calls that distinguish all of them."""
        if self.acted is None:
            return tuple(_Contender() for _ in finds)
        numbers = separating([self.acted.versions[find] for find in finds], self.telling, self.calls)
        observations = [self._observations(finds, number) for number in numbers]
        return tuple(
            _Contender(
                observations=tuple(each[find] for each in observations if find in each),
                differences={other: self._difference(find, other, numbers) for other in finds if other != find},
            )
            for find in finds
        )

    def _observations(self, finds: Sequence[int], number: int) -> dict[int, Observation]:
        """Return the results of some candidates for one call, by their numbers."""
        versions = self.acted.versions if self.acted is not None else ()
        outcomes = {find: outcome for find in finds if (outcome := versions[find][number]) is not None}
        return {
            find: Observation(call=self.calls[number].text, result=words)
            for find, words in zip(outcomes, told(*outcomes.values()), strict=True)
        }

    def _difference(self, one: int, other: int, numbers: Sequence[int]) -> Difference | None:
        if self.acted is None:
            return None
        return difference(self.acted.versions[one], self.acted.versions[other], numbers, self.calls)


async def _grouped(
    finds: PlausibleCandidates, executor: Executor, interpreter: Interpreter
) -> tuple[list[list[int]], _SeenCandidate]:
    """Return the candidates' numbers in groups of like behaviour, likeliest first, with their smallest edits first."""
    alone = [list(range(len(finds.found)))]
    if finds.problem.target.second is not None:
        return by_likelihood(finds.found, alone), _SeenCandidate()
    promises = Promises.of(finds.problem.target.docstring)
    if len(finds.found) < 2 and not (promises and _is_made_up(finds.found)):
        return alone, _SeenCandidate()
    problem, beginning = finds.problem, finds.beginning
    side = compared_candidate(problem, beginning.text, executor, interpreter)
    callee = callee_of(side.definition, problem.target.qualname) if side is not None else None
    if side is None or callee is None:
        return alone, _SeenCandidate()
    pool = pool_of(callee, finds.calls)
    is_typical_call = is_typical(pool.known)
    required = required_number(callee, side.definition)
    typical = [call for call in comparable_calls(pool, required) if is_typical_call(call)]
    calls = tuple({call.text: call for call in (*typical, *promises.partners(pool.known))}.values())
    if not calls:
        return alone, _SeenCandidate()
    seen = await observe(side, [find.edits for find in finds.found], calls)
    numbers = telling(seen.versions, seen.again)
    texts = frozenset(call.text for call in pool.known)
    kept = faithfulness(seen, passing_share(problem))
    broken = promises.broken(calls, seen.versions, texts)
    promised = [BROKEN_FACTOR ** len(each) for each in broken]
    groups, share = _in_order(finds.found, seen.versions, numbers, kept, promised)
    if not groups:
        return alone, _SeenCandidate()
    leaders = [(finds.found[group[0]].edits, seen.versions[group[0]]) for group in groups]
    wanted = deciding_calls([outcomes for _, outcomes in leaders], numbers, calls, MAX_SHOWN)
    held = await confirmed(side, leaders, wanted, calls)
    if len(held) < len(wanted):
        # A candidate that answers one call by what was called before may answer any call so: then only confirmed calls
        # count.
        others = sorted({*numbers} - {*wanted}, key=lambda number: calls[number].weight)
        held += await confirmed(side, leaders, others[:MAX_CONFIRMED], calls)
        numbers = held
        groups, share = _in_order(finds.found, seen.versions, numbers, kept, promised)
    compared = bool(numbers) and not any(_is_opaque(seen.versions[groups[0][0]][number]) for number in numbers)
    return groups, _SeenCandidate(
        calls=calls, known=texts, acted=seen, telling=held, compared=compared, share=share, broken=broken
    )


def _in_order(
    found: Sequence[PlausibleCandidate],
    versions: Sequence[Outcomes],
    numbers: Sequence[int],
    kept: Sequence[float],
    promised: Sequence[float],
) -> tuple[list[list[int]], float]:
    """Return the groups of like behaviour on these calls, the likeliest first, and the share of the first.

    `kept` and `promised` are factors for each candidate: by what it keeps of the original, and of the docstring's word.
    """
    together = [one * other for one, other in zip(kept, promised, strict=True)]
    groups = by_likelihood(found, clusters(versions, numbers), together)
    # Existing code may raise on purpose; synthesised expressions never do.
    if not groups or not _is_made_up(found):
        return groups, 1.0
    masses = [math.fsum(found[number].weight for number in group) * promised[group[0]] for group in groups]
    behind = backing(versions, numbers, groups, masses)
    order = sorted(range(len(groups)), key=lambda place: -behind[place])
    share = behind[order[0]] / sum(masses) if sum(masses) > 0 else 0.0
    return [groups[place] for place in order], share


def passing_share(problem: Problem) -> float:
    """Return the share of the known tests that pass before any edit."""
    passing, failing = len(problem.baseline.passing), len(problem.baseline.failing)
    return passing / (passing + failing) if passing + failing else 0.0


def faithfulness(seen: ObservedOutcomes, share: float) -> list[float]:
    """Return a factor for each candidate: what it keeps of the original's answers, to the power of twice the `share`.

    Where most tests pass, most of the behaviour is right, and of two repairs the one that changes less is likelier
    (D'Antoni, Samanta, Singh, "Qlose: program repair with quantitative objectives", 2016).
    """
    answers = [number for number, one in enumerate(seen.before) if one is not None and one.is_answer]
    factors = []
    for version in seen.versions:
        kept = sum(_is_kept(seen.before[number], version[number]) for number in answers)
        factors.append(((kept + 1) / (len(answers) + 1)) ** (MAX_FAITH * share))
    return factors


def _is_kept(before: CallOutcome | None, after: CallOutcome | None) -> bool:
    return before is not None and after is not None and not differ(before, after)


def _is_opaque(outcome: CallOutcome | None) -> bool:
    return outcome is not None and outcome.is_opaque


def _growth(find: PlausibleCandidate) -> int:
    """Return the number of characters added; it orders edits with equal token counts."""
    return sum(len(edit.replacement) - len(edit.span) for edit in find.edits)


def comparable_calls(pool: CallPool, required: int) -> tuple[RecordedCall, ...]:
    """Return the calls for comparing candidates: those of the checks, simpler ones, and usual ones made up.

    The first `required` arguments of a call are not left out.
    """
    plain = [call for each in pool.known[:_FEW] for call in plainer(each, required)][: MAX_CALLS // 4]
    others = [call for call in pool.calls if not call.strange][:MAX_CALLS]
    return tuple({call.text: call for call in (*plain, *others)}.values())


def _shown(leaders: Sequence[int], seen: _SeenCandidate) -> list[int]:
    """Return the candidates to show: at most so many, each with calls that distinguish it from the others."""
    shown = [*leaders[:1]]
    for number in leaders[1:]:
        if len(shown) < MAX_SHOWN and all(seen.difference(number, other) is not None for other in shown):
            shown.append(number)
    return shown


def _contending(finds: PlausibleCandidates, shown: Sequence[int], contenders: Sequence[_Contender]) -> list[Proposal]:
    """Return the candidates to show, each with the later ones as rivals."""
    proposals = {
        number: replace(finds.found[number].proposal, observations=each.observations)
        for number, each in zip(shown, contenders, strict=True)
    }
    stands = dict(zip(shown, contenders, strict=True))
    return [
        replace(
            proposals[number],
            rivals=tuple(
                replace(proposals[other], difference=stands[other].differences[number]) for other in shown[place + 1 :]
            ),
        )
        for place, number in enumerate(shown)
    ]


def _question(finds: PlausibleCandidates, seen: _SeenCandidate, leader: int, others: Sequence[int]) -> str:
    """Return the question to the user if the examples are too few to choose by."""
    for other in others:
        found = seen.difference(leader, other)
        if found is not None:
            return question_about(found.call, found.ours, found.theirs)
    fresh = next((call.text for call in seen.calls if call.text not in seen.known), "")
    if fresh:
        return question_about(fresh)
    return f"your examples of {finds.problem.target.name} are too few to be sure of what was found; give one more"
