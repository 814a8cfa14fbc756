"""The rivals of a winner: what its generator takes for as good and what acts otherwise, judged as the winner was."""

from __future__ import annotations

from dataclasses import replace

from certo.search.bench import SearchBench
from certo.search.proposed import candidate_of
from certo.vocabulary.problem import Problem


async def judge_rivals(bench: SearchBench, problem: Problem) -> None:
    """Judge the rivals of the best candidate, as far as the budget reaches; none of them takes its place.

    Which of them does what the user meant no check can say, so they are shown with an input that tells them apart.
    """
    best = bench.best
    if best is None or not best.report.passed:
        return
    winner = best.candidate
    for proposal in bench.rivals_of(best):
        origin = replace(winner.origin, note=proposal.note)
        made = candidate_of(proposal, problem, origin, winner.parent)
        await bench.offer(replace(made, rival_of=winner.id, difference=proposal.difference))
