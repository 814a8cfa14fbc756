"""The bench a strategy works at: one call makes one attempt through all stages, with budget, events and bookkeeping."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from certo.costs.model import CostModel
from certo.generation.generator import Ask, Attempt, Declined, Proposal, Proposer
from certo.search.advice import Advice
from certo.search.branches import TreeBuilder
from certo.search.budget import BudgetGuard
from certo.search.checkpoint import NO_RECORD, Checkpoint
from certo.search.emitter import EventEmitter
from certo.search.experiment import Experiment, SearchNode
from certo.search.judgement import JudgedCandidate
from certo.search.judging_stage import JudgingStage
from certo.search.leaderboard import Leaderboard, Place
from certo.search.near_misses import NearMisses
from certo.search.proposal_stage import ModelOutages, ProposalStage
from certo.search.proposals import candidate_of
from certo.search.scoring import GuardedEvaluator
from certo.search.tree import Tree
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate, Origin, Standing
from certo.vocabulary.cost import Cost
from certo.vocabulary.errors import BudgetExhausted
from certo.vocabulary.events import BestImproved, BudgetSpent, CandidateCompared, CandidateRanked, GeneratorReported
from certo.vocabulary.problem import Problem


class SearchBench:
    """Makes the attempts of one search: proposes a candidate, judges it, ranks it and puts it into the tree.

    The stages are a `ProposalStage`, a `JudgingStage` and a `Leaderboard`; each takes the result of the one before.
    Strategies see the members of `Bench`, the others are for the engine. What an earlier run judged is known from the
    start. `doubts` says whether a candidate that passed needs another answer beside it. `tries` are
    the `ProposalStage`'s. `near_misses` repairs those of the attempts, if any are repaired.
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
        doubts: Callable[[SearchBench, Attempt], Awaitable[bool]] | None = None,
        cost_first: bool = False,
        record: Checkpoint = NO_RECORD,
        tries: int = 0,
        near_misses: NearMisses | None = None,
    ) -> None:
        self._problem = problem
        self._generator = generator
        self._guard = guard
        self._emitter = emitter
        self._stop_at_score = stop_at_score
        self._doubts = doubts
        self._near_misses = near_misses
        self._proposals = ProposalStage(problem=problem, proposer=proposer, guard=guard, emitter=emitter, tries=tries)
        self._judging = JudgingStage(
            problem=problem,
            pipeline=pipeline,
            cost_model=cost_model,
            guard=guard,
            emitter=emitter,
            evaluator=evaluating,
            numbers=record.numbers,
        )
        self._leaderboard = Leaderboard(scores_count=evaluating is not None, cost_first=cost_first)
        self._builder = TreeBuilder(emitter)
        self._rivals: dict[str, tuple[Proposal, ...]] = {}
        self._progress = 0.0
        self.chance = random.Random(seed)
        self.advice = Advice(proposer, lambda message: emitter.emit(GeneratorReported(message=message)))
        self.concluded = ""
        for judged in record.judged:
            self._leaderboard.add(self._judging.restore(judged))
            if near_misses is not None:
                near_misses.restore(judged.attempt, self)

    async def attempt(self, ask: Ask, /, *, at: SearchNode | None = None) -> Attempt | None:
        """Propose and judge one candidate; None when the generator declines or the budget grants no more.

        A candidate whose judges could not all be paid is not judged at all. While the attempt is under way, its node or
        the one below which it will stand expects a result. If a near miss was repaired, the edit of it is the answer.
        """
        parent = at or self._builder.parent_of(ask)
        parent.expect()
        try:
            answer = await self._answer(replace(ask, progress=self.progress))
            if isinstance(answer, Declined):
                return None
            if isinstance(answer, Attempt):
                return answer
            candidate = self._candidate(answer, ask, at)
            self._rivals[candidate.id] = answer.rivals
            judged = await self._settle(candidate)
            if judged is None:
                return None
            judged = self._with_alike(judged, answer)
            near = self._judging.progress_of(judged.attempt.report).value
            self._builder.tried(judged.attempt, judged.score, near, below=parent, at=at, judged=len(self._judging))
            if self._near_misses is not None:
                self._near_misses.consider(judged.attempt, near, self)
            return judged.attempt
        except BudgetExhausted:
            # The guard knows it from the ledger, and the best candidate so far is the answer.
            return None
        finally:
            parent.expect(-1)

    async def _answer(self, ask: Ask) -> Proposal | Declined | Attempt:
        propose = partial(self._proposals.propose, ask)
        return await (propose() if self._near_misses is None else self._near_misses.unless_repaired(ask, propose))

    def _candidate(self, proposal: Proposal, ask: Ask, at: SearchNode | None) -> Candidate:
        idea = at.id if at is not None and at.data.idea else None
        origin = Origin(
            generator=self._generator,
            note=proposal.note,
            slot=ask.slot,
            attempt=ask.attempt,
            idea=idea,
            suspicion=proposal.suspicion,
        )
        return candidate_of(proposal, self._problem, origin, ask.past[-1].candidate.id if ask.past else None)

    def _with_alike(self, judged: JudgedCandidate, proposal: Proposal) -> JudgedCandidate:
        """Keep how many others its generator found that behave like a candidate that passed, if it knows."""
        if proposal.alike is None or judged.cost is None:
            return judged
        self.stand(judged.attempt, Standing(observations=proposal.observations, alike=proposal.alike))
        return self._leaderboard.find(judged.attempt.candidate.id) or judged

    async def _settle(self, candidate: Candidate) -> JudgedCandidate | None:
        """Judge a candidate and rank it if it is new; None if the task that judges it is stopped."""
        is_new = candidate not in self._judging
        judged = await self._judging.judge(candidate)
        if judged is None:
            return None
        if is_new:
            self._announce(self._leaderboard.add(judged))
            self._emitter.emit(BudgetSpent(spent=self._judging.spent, budget=self._guard.budget))
        return self._leaderboard.find(candidate.id)

    def _announce(self, place: Place | None) -> None:
        if place is None:
            return
        self._emitter.emit(CandidateRanked(candidate_id=place.candidate_id, place=place.place, of=place.of))
        if place.is_best:
            self._emitter.emit(BestImproved(candidate_id=place.candidate_id, cost=place.cost))

    @property
    def exhausted(self) -> bool:
        """True if nobody will get another candidate: the generator has no more, or the budget is used up."""
        return self._proposals.exhausted

    def affords(self) -> bool:
        """Return True if another attempt is possible; strategies check this before they ask for ideas."""
        return self._proposals.affords()

    @property
    def progress(self) -> float:
        """The percentage of the budget that is spent, by the part of it that is used up most; it never falls.

        It counts what was spent when the last candidate was judged, which the journal has too: a strategy that goes by
        it decides the same again when the search is resumed.
        """
        self._progress = max(self._progress, self._guard.progress(self._judging.spent))
        return self._progress

    @property
    def tree(self) -> Tree[Experiment]:
        """The attempts and ideas so far; the root is the problem's own text."""
        return self._builder.tree

    def add_idea(self, parent: SearchNode, idea: str, /) -> SearchNode:
        """Add an idea below a node."""
        return self._builder.add_idea(parent, idea, len(self._judging))

    def drop(self, node: SearchNode, reason: str, /) -> None:
        """Take note that nothing more will be tried at a node, and why."""
        self._builder.drop(node, reason, len(self._judging))

    def cost_of(self, attempt: Attempt, /) -> Cost | None:
        """Return the cost of an attempt that passed; None for one that did not pass."""
        return self._leaderboard.cost_of(attempt)

    def enough(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt ends the search: it passed, and reached the score that was asked for, if any."""
        if not attempt.report.passed or self._stop_at_score is None:
            return attempt.report.passed
        score = self._leaderboard.score_of(attempt)
        return score is not None and score.merit >= replace(score, value=self._stop_at_score).merit

    async def is_doubtful(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt that passed needs another answer beside it: few tests depend on its target."""
        return self._doubts is not None and not self.looks_further and await self._doubts(self, attempt)

    def conclude(self, reason: str, /) -> None:
        """Take note why the strategy stops, if it has not run out of attempts."""
        self.concluded = reason

    @property
    def declined(self) -> list[str]:
        """The generator's reasons for having no candidate, in the order they were given."""
        return self._proposals.declined

    @property
    def outages(self) -> ModelOutages:
        """The branches of attempts that ended because their language model failed."""
        return self._proposals.outages

    @property
    def looks_further(self) -> bool:
        """True if a candidate that passes must also reach a score."""
        return self._stop_at_score is not None

    @property
    def reached(self) -> str:
        """A sentence saying that the best candidate reached the score that was asked for; empty if it did not."""
        if self.best is None or self._stop_at_score is None or not self.enough(self.best):
            return ""
        score = self._leaderboard.score_of(self.best)
        value = score.value if score is not None else 0.0
        return f"its score is {value:g}, and search.stop_at_score is {self._stop_at_score:g}"

    @property
    def best(self) -> Attempt | None:
        """The best attempt that passed; None if none did."""
        return self._leaderboard.best

    @property
    def passed(self) -> tuple[Attempt, ...]:
        """The attempts that passed, whoever wrote them, the best first."""
        return self._leaderboard.ranked

    async def offer(self, candidate: Candidate, /) -> Attempt | None:
        """Judge a candidate that no strategy asked for, such as a smaller winner; None if the budget grants no more."""
        if not self._guard.grant():
            return None
        try:
            judged = await self._settle(candidate)
        except BudgetExhausted:
            return None
        return judged.attempt if judged is not None else None

    def covers(self) -> bool:
        """Return True if the budget covers another candidate, which may need no model."""
        return self._guard.covers()

    def number_of(self, attempt: Attempt, /) -> int:
        """Return the number of a judged candidate as users see it, from 1."""
        return self._judging.number_of(attempt.candidate)

    def has_judged(self, candidate: Candidate, /) -> bool:
        """Return True if a candidate was judged or is being judged."""
        return candidate in self._judging

    def adopt(self, attempt: Attempt, cost: Cost | None, /) -> None:
        """Take in a candidate that was judged elsewhere, such as one of the user's, and rank it like any other."""
        self._announce(self._leaderboard.add(self._judging.adopt(attempt, cost)))

    async def selection(self) -> Sequence[Proposal]:
        """Return the proposals as the generator has ordered them since; empty if it proposed them in order."""
        return await self._proposals.selection()

    def take_rivals(self, attempt: Attempt, rivals: tuple[Proposal, ...], /) -> None:
        """Keep the rivals of an attempt, which were found after it was proposed."""
        self._rivals[attempt.candidate.id] = rivals

    def rivals_of(self, attempt: Attempt, /) -> tuple[Proposal, ...]:
        """Return the proposals that the generator takes for as good as this attempt and that behave differently."""
        return self._rivals.get(attempt.candidate.id, ())

    def agree(self, groups: Mapping[str, int], /) -> None:
        """Rank again by groups that behave alike; `groups` has their numbers by candidate id, 1 for the likeliest."""
        self._announce(self._leaderboard.agree(groups))

    def votes_of(self, candidate: Candidate, /) -> int:
        """Return how often a candidate was proposed independently: in how many lanes."""
        return self._judging.votes_of(candidate)

    def stand(self, attempt: Attempt, standing: Standing, /) -> None:
        """Keep and emit how an attempt stands among the others that passed."""
        self._leaderboard.stand(attempt, standing)
        self._emitter.emit(CandidateCompared(candidate_id=attempt.candidate.id, standing=standing))

    def inherit(self, attempt: Attempt, parent: Attempt, /) -> None:
        """Let an attempt that behaves like another one stand as that one does."""
        standing = self._leaderboard.standing_of(parent)
        if standing.group or standing.alike is not None:
            self.stand(attempt, standing)
        if standing.group:
            self.agree({attempt.candidate.id: standing.group})

    def standing_of(self, attempt: Attempt, /) -> Standing:
        """Return how an attempt stands among the others that passed; an empty standing if it was not compared."""
        return self._leaderboard.standing_of(attempt)

    @property
    def has_others(self) -> bool:
        """True if more than one answer was judged."""
        return len(self._judging) > 1

    def is_grouped(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt was compared with others."""
        return self._leaderboard.standing_of(attempt).group > 0

    def prefer(self, attempt: Attempt, /) -> None:
        """Make a verified attempt the best one if it costs no more and scores no less, though it came later."""
        self._announce(self._leaderboard.prefer(attempt))
