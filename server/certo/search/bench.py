"""The bench a strategy works at: one call makes one try, with budget, events and bookkeeping seen to."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel

from certo.costs.model import CostModel, priced
from certo.criteria.sampling import Sample, overheard
from certo.generation.generator import Ask, Attempt, Declined, Proposal, Proposer
from certo.search.advice import Advice
from certo.search.branches import TreeBuilder
from certo.search.budget import BudgetGuard
from certo.search.checkpoint import NO_RECORD, Checkpoint, JudgedCandidate
from certo.search.emitter import EventEmitter
from certo.search.experiment import Experiment, SearchNode, caught
from certo.search.judgement import Judging, tell_judged, tell_proposed, tell_scored
from certo.search.proposals import ModelOutages, candidate_of, tell_drafted, tell_written, why_unfit
from certo.search.scoring import GuardedEvaluator, progress_score
from certo.search.tree import Tree
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate, Origin, Standing
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from certo.vocabulary.events import (
    BestImproved,
    BudgetSpent,
    CandidateCompared,
    CandidateDeclined,
    CandidateRanked,
    CandidateRepeated,
    GeneratorReported,
    VerdictReached,
    VerifierStarted,
    VoteCast,
)
from certo.vocabulary.problem import Problem
from certo.vocabulary.score import Score, merit_of
from certo.vocabulary.verdict import Report


class SearchBench:
    """Makes the tries of one search and keeps what is known of each.

    Equal candidates are judged once, whoever proposes them and however often. The best attempt is the one that is
    verified rather than merely passed, then the one with the best score, where somebody scores them, then one that is
    no rival of another, then one as which more others act, then the cheapest, then the one that was proposed first,
    whichever of them was judged sooner.
    What an earlier run has judged is known from the beginning. `declined` are the generator's reasons for having no
    candidate, `unanswered` has those for which language models did not answer.
    """

    def __init__(
        self,
        *,
        problem: Problem,
        generator: str,
        proposer: Proposer,
        pipeline: Pipeline,
        cost_model: CostModel,
        guard: BudgetGuard,
        emitter: EventEmitter,
        stop_at_score: float | None = None,
        seed: int = 0,
        evaluating: GuardedEvaluator | None = None,
        record: Checkpoint = NO_RECORD,
    ) -> None:
        self._problem = problem
        self._generator = generator
        self._proposer = proposer
        self._pipeline = pipeline
        self._cost_model = cost_model
        self._guard = guard
        self._emitter = emitter
        self._judged: dict[str, Judging] = {}
        self._costs: dict[str, Cost] = {}
        self._rivals: dict[str, tuple[Proposal, ...]] = {}
        self._ranks: list[tuple[bool, float, bool, int, float, int]] = []
        self._agreeing: dict[str, int] = {}
        self._stop_at_score = stop_at_score
        self._evaluating = evaluating
        self._scores: dict[str, Score | None] = {}
        self._growth = TreeBuilder(emitter)
        self.chance = random.Random(seed)
        self.advice = Advice(proposer, self._say)
        self.best: Attempt | None = None
        self._closed = False
        self._spent = Spent()
        self._progress = 0.0
        self.concluded = ""
        self.declined: list[str] = []
        self.unanswered = ModelOutages()
        self._before = {each.attempt.candidate.id: each.spent for each in record.judged}
        for each in record.judged:
            self._know(each)

    async def attempt(self, ask: Ask, /, *, at: SearchNode | None = None) -> Attempt | None:
        """Propose and judge one candidate; None when the generator declines or the budget grants no more.

        A candidate whose judges could not all be paid is not judged at all. As long as the try is under way its node,
        or the one below which it will stand, expects a result.
        """
        parent = at or self._growth.parent_of(ask)
        parent.expect()
        try:
            return await self._attempt(ask, parent, at)
        except BudgetExhausted:
            # The guard has it from the ledger, and what has passed so far is the answer.
            return None
        finally:
            parent.expect(-1)

    async def _attempt(self, ask: Ask, parent: SearchNode, at: SearchNode | None) -> Attempt | None:
        if caught(ask.past) or not self._guard.grant():
            # Whoever asks on and on for what nobody grants can be cancelled at least.
            await anyio.lowlevel.checkpoint()
            return None
        answer = await self._propose(ask)
        if isinstance(answer, Declined):
            self._guard.give_back()
            self._emitter.emit(CandidateDeclined(slot=ask.slot, attempt=ask.attempt, reason=answer.reason))
            if self._guard.asked_models:
                self._tell_spent()
            return None
        idea = at.id if at is not None and at.data.idea else None
        origin = Origin(generator=self._generator, note=answer.note, slot=ask.slot, attempt=ask.attempt, idea=idea)
        before = ask.past[-1].candidate.id if ask.past else None
        candidate = candidate_of(answer, self._problem, origin, before)
        self._rivals[candidate.id] = answer.rivals
        attempt = await self._settle(candidate)
        if attempt is not None:
            known, near = attempt.candidate.id, self._headway(attempt.report).value
            self._growth.tried(attempt, self._scores[known], near, below=parent, at=at, judged=len(self._judged))
        return attempt

    @property
    def tree(self) -> Tree[Experiment]:
        """What was tried so far and what may be; the root is the problem's own text."""
        return self._growth.tree

    def add_idea(self, parent: SearchNode, idea: str, /) -> SearchNode:
        """Add something to try below a node."""
        return self._growth.add_idea(parent, idea, len(self._judged))

    def drop(self, node: SearchNode, reason: str, /) -> None:
        """Say that nothing more is to come of a node, and why."""
        self._growth.drop(node, reason, len(self._judged))

    @property
    def progress(self) -> float:
        """How much of the budget is spent, in percent, by the part of it of which most is; it never goes back.

        It stands as it was told last, after a try, so that who goes by it decides the same when the search is resumed.
        """
        self._progress = max(self._progress, self._guard.progress(self._spent))
        return self._progress

    def enough(self, attempt: Attempt, /) -> bool:
        """Whether an attempt is all that was wanted of the search: it passed, and scores as much as it is to."""
        if not attempt.report.passed or self._stop_at_score is None:
            return attempt.report.passed
        score = self._scores.get(attempt.candidate.id)
        return score is not None and score.merit >= replace(score, value=self._stop_at_score).merit

    async def offer(self, candidate: Candidate, /) -> Attempt | None:
        """Judge what no strategy asked for, as what was made of a winner; None when the budget grants no more."""
        if not self._guard.grant():
            return None
        try:
            return await self._settle(candidate)
        except BudgetExhausted:
            return None

    def rivals_of(self, attempt: Attempt, /) -> tuple[Proposal, ...]:
        """What the generator takes for as good as this one, and what acts otherwise."""
        return self._rivals.get(attempt.candidate.id, ())

    @property
    def passed(self) -> tuple[Attempt, ...]:
        """The attempts of the generator's own that passed, the best first."""
        made = [each.attempt for each in self._judged.values() if each.attempt is not None]
        own = [each for each in made if each.candidate.origin.generator == self._generator]
        return tuple(sorted((each for each in own if each.candidate.id in self._costs), key=self._rank))

    def agree(self, agreeing: Mapping[str, int], /) -> None:
        """Take for the best the cheapest of those as which most others act; `agreeing` is how many, by candidate."""
        self._agreeing.update(agreeing)
        self._ranks = sorted(self._rank(each) for each in self.passed)
        best = min([*self.passed, *([self.best] if self.best is not None else [])], key=self._rank, default=None)
        if best is not None and best is not self.best:
            self._tell_place(best.candidate.id, 1)
            self._take(best, self._costs[best.candidate.id])

    def stand(self, attempt: Attempt, standing: Standing, /) -> None:
        """Say how an attempt stands among the others that passed."""
        known = attempt.candidate.id
        standing_so = self._judged[known].attempt = replace(attempt, candidate=standing.taken_by(attempt.candidate))
        self.best = standing_so if self.best is attempt else self.best
        self._emitter.emit(CandidateCompared(candidate_id=known, standing=standing))

    def prefer(self, attempt: Attempt, /) -> None:
        """Take a verified attempt for the best one that costs and scores no worse than that, though it came later."""
        cost = self._costs.get(attempt.candidate.id)
        if cost is None or not attempt.report.verified or self.best is None or self.best is attempt:
            return
        if self._merit(attempt) < self._merit(self.best):
            return
        if cost.value <= self._costs[self.best.candidate.id].value:
            self._tell_place(attempt.candidate.id, 1)
            self._take(attempt, cost)

    async def _settle(self, candidate: Candidate) -> Attempt | None:
        """Judge a candidate, or wait for what is said of the same one already."""
        known = self._judged.get(candidate.id)
        if known is not None:
            self._guard.give_back()
            if candidate.id in self._before:
                self._spent = self._before.pop(candidate.id) or self._spent
            else:
                self._emitter.emit(
                    CandidateRepeated(candidate_id=candidate.id, origin=candidate.origin, parent=candidate.parent)
                )
            await known.done.wait()
            return known.attempt
        judging = self._judged[candidate.id] = Judging(number=len(self._judged))
        try:
            judging.attempt = await self._judge(candidate)
        finally:
            judging.done.set()
        return judging.attempt

    async def _propose(self, ask: Ask) -> Proposal | Declined:
        """Have a candidate proposed; a model that fails is a reason why this line of tries has none, and no more."""
        try:
            told = replace(
                ask,
                progress=self.progress,
                drafting=partial(tell_drafted, self._emitter, self._problem, ask),
                hearing=partial(tell_written, self._emitter, ask),
            )
            answer = await self._proposer.propose(told)
            if isinstance(answer, Proposal) and (unfit := why_unfit(answer, self._problem)):
                answer = Declined(reason=unfit, for_all=False)
        except (BudgetExhausted, anyio.get_cancelled_exc_class()):
            # Who is stopped while looking has proposed nothing.
            self._guard.give_back()
            raise
        except (ModelFailed, BadSetting) as failure:
            # A setting is found to be wrong as late as this when it is about a key, which only its own line needs.
            self.unanswered.failed(ask.slot, failure)
            return Declined(reason=str(failure), for_all=False)
        if isinstance(answer, Proposal) or not answer.for_all:
            self.unanswered.answered(ask.slot)
        if isinstance(answer, Declined):
            self.declined.append(answer.reason)
            self._closed = self._closed or answer.for_all
        return answer

    @property
    def exhausted(self) -> bool:
        """Whether nobody will get another candidate: the generator has no more, or the budget."""
        return self._closed or self._guard.exhausted

    def affords(self) -> bool:
        """Whether there is something to be had for more work: for whoever thinks about what to try before it is."""
        return not (self._closed or self.unanswered.hopeless) and self._guard.affords()

    @property
    def looks_further(self) -> bool:
        """Whether passing alone is not all that is wanted of a candidate."""
        return self._stop_at_score is not None

    def conclude(self, reason: str, /) -> None:
        """Say why the strategy leaves it at that, where it has not run out of what it may try."""
        self.concluded = reason

    @property
    def reached(self) -> str:
        """That the best candidate has the score that was looked for, in words; nothing where it has not."""
        if self.best is None or self._stop_at_score is None or not self.enough(self.best):
            return ""
        score = self._scores[self.best.candidate.id]
        value = score.value if score is not None else 0.0
        return f"its score is {value:g}, and search.stop_at_score is {self._stop_at_score:g}"

    def _say(self, message: str) -> None:
        self._emitter.emit(GeneratorReported(message=message))

    def _headway(self, report: Report) -> Score:
        return progress_score(report, self._pipeline.names, self._problem.baseline)

    def cost_of(self, attempt: Attempt, /) -> Cost | None:
        """What an attempt that passed costs; None for one that did not pass."""
        return self._costs.get(attempt.candidate.id)

    async def _judge(self, candidate: Candidate) -> Attempt:
        tell_proposed(self._emitter, self._problem, candidate)
        with overheard(partial(self._tell_vote, candidate)):
            report = await self._pipeline.judge(
                candidate,
                self._problem,
                started=lambda name: self._emitter.emit(VerifierStarted(candidate_id=candidate.id, verifier=name)),
                reached=lambda verdict: self._emitter.emit(VerdictReached(candidate_id=candidate.id, verdict=verdict)),
            )
            cost = await priced(self._cost_model, candidate, report, self._problem) if report.passed else None
        attempt = Attempt(candidate=candidate, report=report)
        score = self._scores[candidate.id] = await self._score(attempt)
        tell_scored(self._emitter, report, cost, score)
        self._place(attempt, cost)
        self._spent = self._guard.spent(self._emitter.elapsed)
        self._tell_spent()
        return attempt

    async def _score(self, attempt: Attempt) -> Score | None:
        """What an attempt is worth by whoever scores candidates, or else how far it got."""
        if self._evaluating is None:
            return self._headway(attempt.report)
        return await self._evaluating.score(attempt, self._problem, self._say)

    def _know(self, judged: JudgedCandidate) -> None:
        """Take in what an earlier run has judged, and told."""
        attempt, known = judged.attempt, judged.attempt.candidate.id
        judging = self._judged[known] = Judging(number=len(self._judged), attempt=attempt)
        judging.done.set()
        self._scores[known] = self._headway(attempt.report) if self._evaluating is None else judged.score
        if judged.cost is None:
            return
        self._costs[known] = judged.cost
        self._ranks.append(self._rank(attempt))
        if self.best is None or self._rank(attempt) < self._rank(self.best):
            self.best = attempt

    def adopt(self, attempt: Attempt, cost: Cost | None, /) -> None:
        """Take in a candidate that was judged elsewhere, such as one of the user's; it is ranked like any other."""
        judging = self._judged[attempt.candidate.id] = Judging(number=len(self._judged), attempt=attempt)
        judging.done.set()
        score = self._headway(attempt.report) if self._evaluating is None else None
        tell_judged(self._emitter, self._problem, attempt, cost, score)
        self._place(attempt, cost)

    def _place(self, attempt: Attempt, cost: Cost | None) -> None:
        """Rank an attempt that passed among the others."""
        if cost is None:
            return
        candidate = attempt.candidate.id
        self._costs[candidate] = cost
        self._ranks.append(self._rank(attempt))
        self._ranks.sort()
        self._tell_place(candidate, self._ranks.index(self._rank(attempt)) + 1)
        self._crown(attempt, cost)

    def _tell_vote(self, candidate: Candidate, criterion: str, vote: Sample[bool] | Sample[float]) -> None:
        self._emitter.emit(
            VoteCast(
                candidate_id=candidate.id,
                criterion=criterion,
                number=vote.number,
                value=vote.value,
                reason=vote.error or vote.reason,
            )
        )

    def _tell_place(self, candidate: str, place: int) -> None:
        self._emitter.emit(CandidateRanked(candidate_id=candidate, place=place, of=len(self._costs)))

    def _tell_spent(self) -> None:
        self._emitter.emit(BudgetSpent(spent=self._guard.spent(self._emitter.elapsed), budget=self._guard.budget))

    def _crown(self, attempt: Attempt, cost: Cost) -> None:
        """Make an attempt the best one when it is."""
        if self.best is not None and self._rank(attempt) >= self._rank(self.best):
            return
        self._take(attempt, cost)

    def _take(self, attempt: Attempt, cost: Cost) -> None:
        self.best = attempt
        self._emitter.emit(BestImproved(candidate_id=attempt.candidate.id, cost=cost))

    def _rank(self, attempt: Attempt) -> tuple[bool, float, bool, int, float, int]:
        """Where an attempt that passed stands among the others; no two are equal, and the least is the best."""
        known, is_rival = attempt.candidate.id, attempt.candidate.rival_of is not None
        cost, number = self._costs[known].value, self._judged[known].number
        agreeing = self._agreeing.get(known, 0)
        return not attempt.report.verified, -self._merit(attempt), is_rival, -agreeing, cost, number

    def _merit(self, attempt: Attempt) -> float:
        """What its score counts for among those that passed: nothing where nobody but certo gives scores."""
        return 0.0 if self._evaluating is None else merit_of(self._scores.get(attempt.candidate.id))
