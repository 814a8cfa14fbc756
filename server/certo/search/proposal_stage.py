"""Proposing: the first stage of an attempt, from a request to a proposal, as far as the budget grants one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel

from certo.concurrency import most_serious
from certo.edits.diff import unified
from certo.edits.patch import apply_edits, fit_newlines
from certo.generation.generator import Ask, Attempt, Declined, Draft, LookUp, Proposal, Proposer, Selecting, TextChunk
from certo.search.budget import BudgetGuard
from certo.search.emitter import EventEmitter
from certo.search.experiment import caught
from certo.search.proposals import why_unfit
from certo.vocabulary.errors import BadSetting, BudgetExhausted, CertoError, ModelFailed
from certo.vocabulary.events import BudgetSpent, CandidateDeclined, CandidateDrafted, CandidateWritten, ModelLooked
from certo.vocabulary.problem import Problem

MAX_OUTAGES = 3
"""The number of attempts in a row that may end because a model failed, before no more are made."""

_SHOWN_CHARACTERS = 400
"""Maximum length of a look-up's arguments and of its result in an event."""

_TOLD_FAILURES = 3
"""The number of its last failures that a generator is told of, and that are the reason why it has no candidate."""

NOT_ASKED = Declined(reason="the generator was not asked", for_all=False)
"""The answer if the budget grants no more candidates, or a candidate of this branch of attempts was forged."""


class ProposalStage:
    """Asks one generator for candidates, each of which the budget grants before the generator starts.

    A generator of others may fail: its lane is one of its `tries` the shorter then, and it is asked again. With 0
    `tries` a failure is a bug of certo's own, and raised. `declined` are the generator's reasons for having no
    candidate, `outages` those of language models that failed.
    """

    def __init__(
        self, *, problem: Problem, proposer: Proposer, guard: BudgetGuard, emitter: EventEmitter, tries: int = 0
    ) -> None:
        self._problem = problem
        self._proposer = proposer
        self._guard = guard
        self._emitter = emitter
        self._tries = tries
        self._failures: dict[int, tuple[tuple[Attempt, ...], list[str]]] = {}
        self._closed = False
        self.declined: list[str] = []
        self.outages = ModelOutages()

    @property
    def exhausted(self) -> bool:
        """True if nobody will get another candidate: the generator has no more, or the budget is used up."""
        return self._closed or self._guard.exhausted

    async def selection(self) -> Sequence[Proposal]:
        """Return the proposals as the generator has ordered them since; empty if it proposed them in order."""
        return await self._proposer.selection() if isinstance(self._proposer, Selecting) else ()

    def affords(self) -> bool:
        """Return True if another attempt is possible."""
        return not (self._closed or self.outages.is_hopeless) and self._guard.affords()

    async def propose(self, ask: Ask) -> Proposal | Declined:
        """Have a candidate proposed; a declined request returns its share of the budget.

        Raises:
            BudgetExhausted: a language model that is to propose it cannot be paid.
        """
        if caught(ask.past) or not self._guard.grant():
            # A strategy that keeps asking in vain must reach a point at which it can be cancelled.
            await anyio.lowlevel.checkpoint()
            return NOT_ASKED
        answer = await self._answer(ask)
        if isinstance(answer, Declined):
            self._guard.give_back()
            self._emitter.emit(CandidateDeclined(slot=ask.slot, attempt=ask.attempt, reason=answer.reason))
            if self._guard.asked_models:
                spent = self._guard.spent(self._emitter.charged)
                self._emitter.emit(BudgetSpent(spent=spent, budget=self._guard.budget))
        return answer

    async def _answer(self, ask: Ask) -> Proposal | Declined:
        """Ask the generator; if its model fails, this branch has no candidate, but others may."""
        heard = replace(
            ask,
            drafting=partial(self._emit_draft, ask),
            hearing=partial(self._emit_text, ask),
            looking=partial(self._emit_look_up, ask),
        )
        try:
            answer = await (self._patiently(heard) if self._tries else self._proposer.propose(heard))
            if isinstance(answer, Proposal) and (unfit := why_unfit(answer, self._problem)):
                answer = Declined(reason=unfit, for_all=False)
        except (BudgetExhausted, anyio.get_cancelled_exc_class()):
            # The guard granted a candidate before the generator ran, and none was proposed.
            self._guard.give_back()
            raise
        except (ModelFailed, BadSetting) as failure:
            # A wrong key is found as late as this, and only the branch whose model needs it ends.
            self.outages.failed(ask.slot, failure)
            return Declined(reason=str(failure), for_all=False)
        if isinstance(answer, Proposal) or not answer.for_all:
            self.outages.answered(ask.slot)
        if isinstance(answer, Declined):
            self.declined.append(answer.reason)
            self._closed = self._closed or answer.for_all
        return answer

    async def _patiently(self, ask: Ask) -> Proposal | Declined:
        """Ask a generator of others until it answers, as often as its lane has tries left; it is told its failures."""
        failures = self._failures_before(ask)
        # Without a failure, how long a lane may get is for the strategy to say.
        while not failures or len(ask.past) + len(failures) < self._tries:
            told = (*ask.errors, *failures[-_TOLD_FAILURES:])
            answer = await self._asked(replace(ask, attempt=ask.attempt + len(failures), errors=told))
            if not isinstance(answer, str):
                return answer
            failures.append(answer)
            # A generator that fails at once must reach a point at which it can be cancelled.
            await anyio.lowlevel.checkpoint()
        return Declined(reason="; ".join(dict.fromkeys(failures[-_TOLD_FAILURES:])), for_all=False)

    async def _asked(self, ask: Ask) -> Proposal | Declined | str:
        """Ask a generator of others once; if it fails, return how."""
        try:
            answer: object = await self._proposer.propose(ask)
        except Exception as error:  # noqa: BLE001 - it is foreign code; what it raised is told as the reason
            raised = most_serious(error)
        else:
            if isinstance(answer, Proposal | Declined):
                return answer
            return f"the generator gave no Proposal and no Declined, but {answer!r:.200}"
        # Raised outside of the handler, it keeps its own cause.
        if isinstance(raised, CertoError):
            raise raised
        return f"the generator raised {type(raised).__name__}: {raised}"

    def _failures_before(self, ask: Ask) -> list[str]:
        """Return how the generator failed so far in the line that a request goes on with; none if it begins another."""
        past, failures = self._failures.get(ask.slot, ((), []))
        if len(ask.past) != len(past) + 1 or ask.past[:-1] != past:
            failures = []
        self._failures[ask.slot] = ask.past, failures
        return failures

    def _emit_draft(self, ask: Ask, draft: Draft) -> None:
        """Emit the change of a candidate that is still being written."""
        problem, span = self._problem, self._problem.target.span
        text = apply_edits(problem.text, fit_newlines(draft.edits, problem.text))
        end = len(text) - (len(problem.text) - span.end)
        self._emitter.emit(
            CandidateDrafted(
                slot=ask.slot,
                attempt=ask.attempt,
                model=draft.model,
                lines=len(text[span.start : end].splitlines()),
                diff=unified(problem.text, text, problem.path),
            )
        )

    def _emit_text(self, ask: Ask, piece: TextChunk) -> None:
        """Emit the text that a language model has added to its answer."""
        self._emitter.emit(
            CandidateWritten(
                slot=ask.slot, attempt=ask.attempt, model=piece.model, at_character=piece.at, text=piece.text
            )
        )

    def _emit_look_up(self, ask: Ask, seen: LookUp) -> None:
        """Emit what a language model has looked up."""
        self._emitter.emit(
            ModelLooked(
                slot=ask.slot,
                attempt=ask.attempt,
                model=seen.model,
                number=seen.number,
                tool=seen.tool,
                arguments=seen.arguments[:_SHOWN_CHARACTERS],
                result=seen.result[:_SHOWN_CHARACTERS],
                characters=len(seen.result),
            )
        )


class ModelOutages:
    """Counts the branches of attempts that ended because their model failed; `by_branch` has each failure."""

    def __init__(self) -> None:
        self.by_branch: dict[int, CertoError] = {}
        self._answered: set[int] = set()
        self._in_a_row = 0

    def failed(self, branch: int, failure: CertoError) -> None:
        """Count a failure of the model that a branch asks."""
        self.by_branch[branch] = failure
        self._in_a_row += 1

    def answered(self, branch: int) -> None:
        """Count an answer, though it may have been no candidate."""
        self._answered.add(branch)
        self.by_branch.pop(branch, None)
        self._in_a_row = 0

    @property
    def is_hopeless(self) -> bool:
        """True if so many attempts in a row failed that the next one would fail too."""
        return self._in_a_row >= MAX_OUTAGES

    @property
    def everywhere(self) -> bool:
        """True if every branch ended with a failure of its model."""
        return bool(self.by_branch) and self._answered <= set(self.by_branch)
