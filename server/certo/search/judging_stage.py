"""Judging: the second stage of an attempt, from a candidate to its report, its cost and its score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial

import anyio

from certo.costs.model import CostModel, priced
from certo.criteria.sampling import Sample, overheard
from certo.generation.generator import Attempt
from certo.sandbox.process.slots import own_place
from certo.search.budget import BudgetGuard
from certo.search.emitter import EventEmitter
from certo.search.judgement import JudgedCandidate, emit_judged, emit_proposed, emit_scored
from certo.search.scoring import GuardedEvaluator, progress_score
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.events import (
    CandidateRepeated,
    GeneratorReported,
    SpeedMeasured,
    VerdictReached,
    VerifierStarted,
    VoteCast,
)
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Verdict


@dataclass(slots=True)
class Judging:
    """One candidate that is being judged or was judged; an equal one that is proposed meanwhile waits for `done`.

    `judged` stays None if it could not be paid for. `lanes` are the slots in which it was proposed.
    """

    done: anyio.Event = field(default_factory=anyio.Event)
    judged: JudgedCandidate | None = None
    lanes: set[int] = field(default_factory=set)


class JudgingStage:
    """Judges each candidate once, however often it is proposed.

    `numbers` are those of all candidates of an earlier run: how many were proposed before each.
    `spent` is what the search had spent when the last candidate was judged. `_restored_unseen` are the candidates of an
    earlier run that this run has not proposed yet, each with the amount spent when it was judged.
    """

    def __init__(
        self,
        *,
        problem: Problem,
        pipeline: Pipeline,
        cost_model: CostModel,
        guard: BudgetGuard,
        emitter: EventEmitter,
        evaluator: GuardedEvaluator | None,
        numbers: Mapping[str, int],
    ) -> None:
        self._problem = problem
        self._pipeline = pipeline
        self._cost_model = cost_model
        self._guard = guard
        self._emitter = emitter
        self._evaluator = evaluator
        self._judgings: dict[str, Judging] = {}
        self._numbers = dict(numbers)
        self._restored_unseen: dict[str, Spent | None] = {}
        self.spent = Spent()

    def __len__(self) -> int:
        """Return the number of different candidates so far, those being judged among them."""
        return len(self._judgings)

    def __contains__(self, candidate: Candidate) -> bool:
        """Return True if a candidate was judged or is being judged."""
        return candidate.id in self._judgings

    async def judge(self, candidate: Candidate) -> JudgedCandidate | None:
        """Judge a candidate, or wait for the judgement of an equal one; None if that was stopped.

        Raises:
            BudgetExhausted: a language model that is to judge it cannot be paid.
            EvaluationFailed: the evaluator failed, and the settings want the search to end then.
        """
        known = self._judgings.get(candidate.id)
        if known is not None:
            known.lanes.add(candidate.origin.slot)
            self._repeat(candidate)
            await known.done.wait()
            return known.judged
        judging = self._judgings[candidate.id] = Judging(lanes={candidate.origin.slot})
        try:
            judging.judged = await self._judge(candidate, self._numbered(candidate.id))
        except anyio.get_cancelled_exc_class():
            # If it is proposed again, it is judged after all.
            del self._judgings[candidate.id]
            raise
        finally:
            judging.done.set()
        return judging.judged

    def number_of(self, candidate: Candidate) -> int:
        """Return the number of a candidate that was proposed as users see it, from 1."""
        return self._numbers[candidate.id] + 1

    def votes_of(self, candidate: Candidate) -> int:
        """Return in how many lanes a candidate was proposed.

        A lane that repeats itself has read its own answer, so that is no second opinion.
        """
        judging = self._judgings.get(candidate.id)
        return max(1, len(judging.lanes)) if judging is not None else 1

    def restore(self, judged: JudgedCandidate) -> JudgedCandidate:
        """Take in what an earlier run of the search judged and emitted; return it with the score it has in this run."""
        score = self.progress_of(judged.attempt.report) if self._evaluator is None else judged.score
        self._restored_unseen[judged.attempt.candidate.id] = judged.spent
        return self._keep(replace(judged, score=score))

    def adopt(self, attempt: Attempt, cost: Cost | None) -> JudgedCandidate:
        """Take in and emit a candidate that was judged elsewhere, such as one that the user edited."""
        score = self.progress_of(attempt.report) if self._evaluator is None else None
        number = self._numbered(attempt.candidate.id)
        judged = self._keep(JudgedCandidate(number=number, attempt=attempt, cost=cost, score=score, spent=None))
        emit_judged(self._emitter, self._problem, attempt, cost, score)
        return judged

    def progress_of(self, report: Report) -> Score:
        """Return the weighted share of its checks that a candidate passed."""
        return progress_score(report, self._pipeline.names, self._problem.baseline)

    def _keep(self, judged: JudgedCandidate) -> JudgedCandidate:
        judging = self._judgings[judged.attempt.candidate.id] = Judging(judged=judged)
        judging.done.set()
        return judged

    def _numbered(self, candidate_id: str) -> int:
        """Return how many candidates were proposed before one; it keeps its number if it is judged again."""
        return self._numbers.setdefault(candidate_id, len(self._numbers))

    def _repeat(self, candidate: Candidate) -> None:
        """Take note that a candidate was proposed again, which costs nothing of the budget."""
        self._guard.give_back()
        if candidate.id not in self._restored_unseen:
            self._emitter.emit(
                CandidateRepeated(candidate_id=candidate.id, origin=candidate.origin, parent=candidate.parent)
            )
            return
        # A resumed search replays its earlier run: its strategy asks the same questions again and must decide the same.
        # So the first proposal of a restored candidate is no repetition, so restore the amount spent at that time.
        self.spent = self._restored_unseen.pop(candidate.id) or self.spent

    async def _judge(self, candidate: Candidate, number: int) -> JudgedCandidate:
        emit_proposed(self._emitter, self._problem, candidate)
        # Those that are judged already are nearest to their verdicts, so their runs go before those of this one.
        with own_place(), overheard(partial(self._emit_vote, candidate)):
            report = await self._pipeline.judge(
                candidate,
                self._problem,
                started=lambda name: self._emitter.emit(VerifierStarted(candidate_id=candidate.id, verifier=name)),
                reached=partial(self._emit_verdict, candidate),
            )
            cost = await priced(self._cost_model, candidate, report, self._problem) if report.passed else None
        attempt = Attempt(candidate=candidate, report=report)
        score = await self._score(attempt)
        if score is not None and score.remark:
            attempt = replace(attempt, remark=score.remark)
        emit_scored(self._emitter, report, cost, score)
        self.spent = self._guard.spent(self._emitter.charged)
        return JudgedCandidate(number=number, attempt=attempt, cost=cost, score=score, spent=self.spent)

    async def _score(self, attempt: Attempt) -> Score | None:
        if self._evaluator is None:
            return self.progress_of(attempt.report)
        return await self._evaluator.score(attempt, self._problem, self._say)

    def _emit_verdict(self, candidate: Candidate, verdict: Verdict) -> None:
        if verdict.speed is not None:
            self._emitter.emit(SpeedMeasured(candidate_id=candidate.id, speed=verdict.speed))
        self._emitter.emit(VerdictReached(candidate_id=candidate.id, verdict=verdict))

    def _say(self, message: str) -> None:
        self._emitter.emit(GeneratorReported(message=message))

    def _emit_vote(self, candidate: Candidate, criterion: str, vote: Sample[bool] | Sample[float]) -> None:
        self._emitter.emit(
            VoteCast(
                candidate_id=candidate.id,
                criterion=criterion,
                number=vote.number,
                value=vote.value,
                reason=vote.error or vote.reason,
            )
        )
