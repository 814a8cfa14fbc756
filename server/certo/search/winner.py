"""After a winner is found: its edit is minimised and formatted, and its rivals are judged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from certo.concurrency import gather_until
from certo.edits.patch import edits_between
from certo.edits.target import ByName, find_target
from certo.generation.builtin.agreement import Comparer
from certo.generation.generator import Attempt, Proposal
from certo.search.agreement import keep_behaviour
from certo.search.bench import SearchBench
from certo.search.proposals import candidate_of
from certo.vocabulary.candidate import MADE, Candidate, Standing
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit

Formatter: TypeAlias = Callable[[Candidate, Problem], Awaitable[str | None]]
"""Returns a candidate's whole text as the project's formatter writes it, or None if the formatter does not apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimizer:
    """Makes the best candidate of a search smaller, as far as the budget reaches; the bench keeps the better one.

    A candidate that no test exercised is left alone. So is one that was asked for in words, because changes that its
    tests do not notice may be what the user wanted; and one that was measured, because it would have to be measured
    again. `formatter` is None if the project has none.
    """

    formatter: Formatter | None = None

    async def pursue(self, bench: SearchBench, problem: Problem, comparer: Comparer | None) -> None:
        """Make the best candidate smaller, then format it.

        If it was compared with others, a smaller one takes its place only if the `comparer` sees it behave alike.
        """
        best = bench.best
        if best is None or not best.report.verified or problem.goal in (Goal.REWRITE, Goal.FASTER):
            return
        reduced = await _reduce(bench, problem, best)
        if reduced is not best:
            await keep_behaviour(bench, comparer, problem, best, reduced)
        if self.formatter is not None and bench.best is not None:
            await _format(bench, problem, bench.best, self.formatter)


async def _reduce(bench: SearchBench, problem: Problem, best: Attempt) -> Attempt:
    """Leave out changes by delta debugging (ddmin, Zeller and Hildebrandt 2002), until each one left is needed.

    Return the smallest one that is verified.
    """
    # Leave out one of `parts` stretches of changes at a time. If the rest is still verified, go on with it and
    # stretches of about the same length; if no rest is, halve the stretches, until each is a single change. ddmin also
    # tries each stretch alone, which pays for long inputs only; a winner's edit has few changes.
    kept = edits_between(problem.text, best.candidate.text)
    parts = 2
    while len(kept) > 1:
        for rest in _without_a_part(kept, parts):
            note = f"{len(rest)} of {len(kept)} changes of {best.candidate.id}"
            attempt = await bench.offer(_made_of(best, problem, rest, note))
            if attempt is None:
                return best
            if attempt.report.verified:
                kept, best, parts = rest, attempt, max(2, parts - 1)
                break
        else:
            if parts >= len(kept):
                return best
            parts = min(len(kept), 2 * parts)
    return best


def _made_of(attempt: Attempt, problem: Problem, edits: tuple[TextEdit, ...], note: str) -> Candidate:
    """Return a candidate made from another one, with other edits to the target and the same changes to other files."""
    before = attempt.candidate
    origin = replace(before.origin, generator=MADE, note=note)
    elsewhere = {change.path: change.after for change in before.elsewhere}
    return candidate_of(Proposal(edits=edits, note=note, elsewhere=elsewhere), problem, origin, before.id)


def _without_a_part(edits: Sequence[TextEdit], parts: int) -> tuple[tuple[TextEdit, ...], ...]:
    """Return the edits without each of so many stretches of them, one tuple for each stretch."""
    bounds = [round(len(edits) * number / parts) for number in range(parts + 1)]
    return tuple((*edits[:start], *edits[end:]) for start, end in pairwise(bounds))


async def _format(bench: SearchBench, problem: Problem, best: Attempt, formatter: Formatter) -> None:
    """Format the target as the project does; the result is preferred if it costs no more."""
    formatted = await formatter(best.candidate, problem)
    if formatted is None:
        return
    where = ByName.of(problem.target)
    old = find_target(best.candidate.text, where, path=problem.path).span
    new = find_target(formatted, where, path=problem.path).span
    text = best.candidate.text[: old.start] + formatted[new.start : new.end] + best.candidate.text[old.end :]
    if text == best.candidate.text:
        return
    made = _made_of(best, problem, edits_between(problem.text, text), f"{best.candidate.id}, formatted")
    attempt = await bench.offer(replace(made, observations=best.candidate.observations))
    if attempt is not None and attempt.report.verified:
        bench.inherit(attempt, best)
        bench.prefer(attempt)


async def follow_selection(bench: SearchBench, problem: Problem) -> None:
    """Let the generator's own choice lead, if it proposed its first find before it had compared all of them.

    The first of its choice that passes becomes the best, as if it had been proposed first. The candidate that was
    judged early then is one of its rivals, or an edit that is no smaller.
    """
    early = bench.best
    if early is None:
        return
    for proposal in await bench.selection():
        origin = replace(early.candidate.origin, note=proposal.note, suspicion=proposal.suspicion)
        made = candidate_of(proposal, problem, origin, None)
        if made.id == early.candidate.id:
            bench.take_rivals(early, proposal.rivals)
            if proposal.observations or proposal.alike is not None:
                bench.stand(early, Standing(observations=proposal.observations, alike=proposal.alike))
            return
        if bench.has_judged(made):
            continue  # The strategy has asked for it, so it is ranked beside the first.
        attempt = await bench.offer(made)
        if attempt is None:
            return
        if attempt.report.passed:
            bench.take_rivals(attempt, proposal.rivals)
            bench.prefer(attempt)
            if bench.best is early:
                bench.stand(early, _beside(early, attempt, proposal.rivals, problem))
                bench.agree({})
            if proposal.alike is not None:
                bench.stand(attempt, Standing(observations=proposal.observations, alike=proposal.alike))
            return


def _beside(early: Attempt, best: Attempt, rivals: Sequence[Proposal], problem: Problem) -> Standing:
    """Return how a candidate stands beside a better one that was judged later."""
    for proposal in rivals:
        if candidate_of(proposal, problem, early.candidate.origin, None).id == early.candidate.id:
            return Standing(
                rival_of=best.candidate.id, difference=proposal.difference, observations=proposal.observations
            )
    return Standing(rival_of=best.candidate.id)


async def judge_rivals(bench: SearchBench, problem: Problem) -> None:
    """Judge the rivals of the best candidate, as far as the budget reaches; none of them takes its place.

    No check can say which of them the user meant, so they are shown with an input that tells them apart.
    """
    best = bench.best
    if best is None or not best.report.passed:
        return
    made = [_rival_of(best.candidate, proposal, problem) for proposal in bench.rivals_of(best)]
    # Side by side, since the runs of one candidate do not keep all processors busy; they are numbered in this order.
    await gather_until([partial(bench.offer, rival) for rival in made], lambda _: False)


def _rival_of(winner: Candidate, proposal: Proposal, problem: Problem) -> Candidate:
    origin = replace(winner.origin, note=proposal.note, suspicion=proposal.suspicion)
    made = candidate_of(proposal, problem, origin, winner.parent)
    return replace(made, rival_of=winner.id, difference=proposal.difference)
