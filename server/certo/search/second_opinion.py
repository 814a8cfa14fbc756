"""Second opinions: a candidate that few tests depend on is not the answer before another one behaves like it.

A language model that misreads a task often passes three tests all the same, and the smallest candidate wins. Another
answer, which was written without knowing the first, costs a call and shows it.
"""

from __future__ import annotations

from certo.generation.builtin.agreement import Comparer
from certo.generation.generator import Attempt
from certo.search.agreement import answers_of, compare_passed
from certo.search.bench import SearchBench
from certo.vocabulary.candidate import Standing
from certo.vocabulary.display import amount
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.verdict import Report

FEW_TESTS = 5
"""Tests are weak if fewer than so many depend on what the target does. The number is a judgement, not a measurement."""


def is_weakly_tested(report: Report) -> bool:
    """Return True if few tests depend on what a candidate's target does, as far as that is known."""
    return tests_on(report) < FEW_TESTS


def tests_on(report: Report) -> int:
    """Return how many tests depend on a target: those that noticed a wrong version of it, or else all that passed."""
    if not report.verified:
        return 0
    noticed = [verdict.dependence.noticed for verdict in report.verdicts if verdict.dependence is not None]
    return max(noticed, default=max((one.tests.passed for one in report.verdicts if one.tests is not None), default=0))


class SecondOpinion:
    """Says whether a candidate that passed needs another answer beside it."""

    def __init__(self, comparer: Comparer, problem: Problem) -> None:
        self._comparer = comparer
        self._problem = problem

    async def is_needed(self, bench: SearchBench, attempt: Attempt) -> bool:
        """Return True if few tests depend on the target, and no two answers that passed behave alike.

        It is not needed if answers cannot be compared, or if what a candidate does is compared with the text.
        """
        problem = self._problem
        if problem.preserves or problem.goal is Goal.FASTER or not is_weakly_tested(attempt.report):
            return False
        if problem.target.second is not None or any(each.candidate.elsewhere for each in bench.passed):
            return False
        answers = answers_of(bench)
        if len(answers) == 1:
            return bench.votes_of(answers[0].candidate) < 2
        await compare_passed(bench, self._comparer, problem)
        standings = [bench.standing_of(each) for each in answers]
        return any(standing.group for standing in standings) and all(standing.agreeing < 2 for standing in standings)


def note_alone(bench: SearchBench) -> None:
    """Say of a winner that was compared with no other answer why, or how often the same answer was given."""
    best, answers = bench.best, answers_of(bench)
    if best is None or len(answers) != 1 or bench.standing_of(best) != Standing():
        return
    if best.candidate.rival_of is not None or bench.rivals_of(best):
        return  # Its generator has compared it.
    votes = bench.votes_of(answers[0].candidate)
    if votes > 1:
        bench.stand(best, Standing(agreeing=votes, backed=votes, compared=votes, group=1))
    else:
        bench.stand(best, Standing(uncompared=_why_alone(bench, best)))


def _why_alone(bench: SearchBench, best: Attempt) -> str:
    if not is_weakly_tested(best.report):
        return f"{amount(tests_on(best.report), 'test')} depend on what it does, so one answer was enough"
    if bench.exhausted:
        return "the budget covers no other answer" if not bench.declined else f"no other answer: {bench.declined[-1]}"
    return "no other answer passed" if bench.has_others else "no other answer was asked for"
