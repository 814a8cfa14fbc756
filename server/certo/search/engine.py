"""The engine: one run from a stated problem to an outcome."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import anyio

from certo.costs.model import CostModel
from certo.edits.diff import whole_diff
from certo.generation.builtin.agreement import Comparer
from certo.generation.generator import Generator, Proposer
from certo.llm.ledger import Ledger
from certo.sandbox.process.starvation import PatientLimit, patient_limit
from certo.search.agreement import compare_adopted, compare_passed, leave_uncompared
from certo.search.bench import SearchBench
from certo.search.budget import BudgetGuard
from certo.search.checkpoint import NO_RECORD, Checkpoint
from certo.search.emitter import EventEmitter
from certo.search.near_misses import NearMisses, Repairer, is_repairable
from certo.search.scoring import GuardedEvaluator
from certo.search.second_opinion import SecondOpinion, note_alone
from certo.search.strategy import Strategy, compares_answers
from certo.search.winner import Minimizer, follow_selection, judge_rivals
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import OWN
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import GeneratorReported, SearchStarted, SearchStopped, Winner
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import FLAKY, Goal, Problem
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one search.

    `compaction` makes its winner smaller, if that is wanted. `comparer` compares the candidates that passed, if their
    generator has not compared them. `evaluating` gives the scores, if an evaluator is set; with a `stop_at_score` a
    strategy that grows a tree goes on until a candidate that passes has this score. `seed` makes the strategy's random
    choices. With `cost_first`, the cost is the caller's own, and ranks before what most candidates agree on.
    `tries` are those of a lane in which a generator of others may fail; 0 for certo's own. `repairer` edits those that
    fail tests, beside the strategy.
    """

    generator: Generator
    strategy: Strategy
    pipeline: Pipeline
    cost_model: CostModel
    compaction: Minimizer | None = None
    comparer: Comparer | None = None
    stop_at_score: float | None = None
    evaluating: GuardedEvaluator | None = None
    seed: int = 0
    cost_first: bool = False
    tries: int = 0
    repairer: Repairer | None = None

    @property
    def comparing(self) -> Comparer | None:
        """The comparer of the candidates that passed; None if their generator has compared them."""
        return None if self.generator.name == OWN else self.comparer


def unattended(bench: SearchBench, /) -> None:
    """Do nothing; the default for `attend`."""


async def search(
    problem: Problem,
    *,
    parts: Parts,
    budget: Budget,
    emitter: EventEmitter,
    ledger: Ledger | None = None,
    attend: Callable[[SearchBench], None] = unattended,
    record: Checkpoint = NO_RECORD,
) -> None:
    """Search for a candidate that passes, emitting an event for every step.

    The last event is SearchStopped, unless it raises; then the caller emits that event.

    The strategy picks, the generator proposes, the verifiers judge, the cost model prices. The budget's seconds count
    from the beginning of the `emitter`, so preparation is part of them, and leave out time in which no processor was
    free; when they are used up, everything still running
    is cancelled and the best candidate so far is the answer. The same holds when the budget for language models is used
    up, which `ledger` counts: it is the one that they are asked through, and may be left out if none is. `attend` gets
    the bench, at which candidates from elsewhere may be adopted until the last event. When cancelled, it emits
    CANCELLED and lets the cancellation go on. Candidates in the `record` of an earlier run are neither judged nor
    emitted again. A broken environment and bugs of certo's own are raised, for the caller to report.
    """
    guard = BudgetGuard(budget, ledger, candidates=record.candidates)
    _start(problem, parts, budget, emitter)
    wants_test = problem.goal is Goal.REPAIR or (problem.tests_first and not problem.baseline.passing)
    if wants_test and not problem.baseline.failing:
        outcome = Outcome.NOTHING_TO_FIX if problem.baseline.passing else Outcome.NOTHING_TO_GO_BY
        _stop(problem, emitter, guard, bench=None, outcome=outcome, rule=_why_nothing_red(problem))
        return
    bench: SearchBench | None = None
    try:
        async with patient_limit(budget.seconds - emitter.charged) as clock:
            if parts.evaluating is not None:
                await parts.evaluating.begin()
            async with parts.generator.open(problem, partial(_report, emitter)) as proposer:
                near_misses = _near_misses(problem, parts, emitter)
                bench = _bench(problem, proposer, parts, guard, emitter, record, near_misses)
                attend(bench)
                async with nullcontext() if near_misses is None else near_misses.beside(bench):
                    await parts.strategy.pursue(bench)
                if parts.comparing is not None:
                    await compare_passed(bench, parts.comparing, problem)
                await follow_selection(bench, problem)
                await judge_rivals(bench, problem)
                if parts.comparing is None and parts.comparer is not None:
                    await compare_adopted(bench, parts.comparer, problem)
                if parts.compaction is not None:
                    await parts.compaction.pursue(bench, problem, parts.comparer)
    except anyio.get_cancelled_exc_class():
        _leave_uncompared(bench, parts)
        _stop(problem, emitter, guard, bench=bench, outcome=Outcome.CANCELLED)
        raise
    _leave_uncompared(bench, parts)
    spent = clock.ended or guard.exhausted
    outcome = _outcome(bench, budget_spent=spent)
    rule = _rule(bench, guard, clock)
    _stop(problem, emitter, guard, bench=bench, outcome=outcome, rule=rule)


def _leave_uncompared(bench: SearchBench | None, parts: Parts) -> None:
    """Mark the candidates that passed as not compared, if the search ended before they were or there is but one."""
    if bench is not None and parts.comparing is not None:
        leave_uncompared(bench, "the search ended before they were compared")
        note_alone(bench)


def _near_misses(problem: Problem, parts: Parts, emitter: EventEmitter) -> NearMisses | None:
    """Return what repairs the near misses of a search; None if nothing does."""
    if parts.repairer is None or not is_repairable(problem):
        return None
    return NearMisses(
        repairer=parts.repairer, problem=problem, emitter=emitter, compares=compares_answers(parts.strategy)
    )


def _bench(
    problem: Problem,
    proposer: Proposer,
    parts: Parts,
    guard: BudgetGuard,
    emitter: EventEmitter,
    record: Checkpoint,
    near_misses: NearMisses | None,
) -> SearchBench:
    """Make the bench of a search from its parts."""
    return SearchBench(
        problem=problem,
        generator=parts.generator.name,
        proposer=proposer,
        pipeline=parts.pipeline,
        cost_model=parts.cost_model,
        guard=guard,
        emitter=emitter,
        stop_at_score=parts.stop_at_score,
        evaluating=parts.evaluating,
        doubts=SecondOpinion(parts.comparing, problem).is_needed if parts.comparing is not None else None,
        cost_first=parts.cost_first,
        seed=parts.seed,
        record=record,
        tries=parts.tries,
        near_misses=near_misses,
    )


def _start(problem: Problem, parts: Parts, budget: Budget, emitter: EventEmitter) -> None:
    """Emit the beginning of the search, with its target and its parts."""
    emitter.emit(
        SearchStarted(
            root=str(problem.root),
            path=problem.path,
            qualname=problem.target.qualname,
            line=problem.target.line,
            goal=problem.goal,
            generator=parts.generator.name,
            strategy=parts.strategy.name,
            verifiers=parts.pipeline.names,
            budget=budget,
            baseline=problem.baseline,
            second="" if problem.target.second is None else problem.target.second.named,
        )
    )


def _report(emitter: EventEmitter, message: str) -> None:
    """Emit a progress sentence of the generator."""
    emitter.emit(GeneratorReported(message=message))


def _outcome(bench: SearchBench | None, *, budget_spent: bool) -> Outcome:
    """Return the outcome of a search that was not cancelled."""
    if bench is not None and bench.best is not None:
        return Outcome.SOLVED if bench.best.report.verified else Outcome.UNVERIFIED
    if budget_spent:
        return Outcome.BUDGET_SPENT
    if bench is not None and bench.outages.everywhere:
        asked_wrongly = all(isinstance(error, BadRequest) for error in bench.outages.by_branch.values())
        return Outcome.REFUSED if asked_wrongly else Outcome.WORLD_BROKEN
    return Outcome.EXHAUSTED if bench is None or bench.declined else Outcome.ATTEMPTS_SPENT


def _rule(bench: SearchBench | None, guard: BudgetGuard, clock: PatientLimit) -> str:
    """Return the rule that ended a search, if its outcome does not say it: a score, a part of the budget, or no hope.

    If a candidate passed and no score was asked for, the search reached its goal, and the rule is empty.
    """
    if bench is not None and bench.reached:
        return bench.reached
    if bench is not None and bench.best is not None and not bench.looks_further:
        return ""
    if clock.ended:
        return "; ".join(filter(None, [f"search.{guard.budget.said('seconds')} have passed", clock.complaint]))
    if guard.exhausted:
        return f"search.{guard.budget.said('candidates')} does not cover one more candidate"
    return bench.concluded if bench is not None else ""


def _stop(
    problem: Problem,
    emitter: EventEmitter,
    guard: BudgetGuard,
    *,
    bench: SearchBench | None,
    outcome: Outcome,
    rule: str = "",
) -> None:
    """Emit the end of the search, with the best candidate if there is one."""
    best = bench.best if bench is not None else None
    cost = bench.cost_of(best) if bench is not None and best is not None else None
    winner = None
    if outcome is Outcome.UNVERIFIED and best is not None:
        rule = "; ".join(filter(None, [best.report.caveat, rule]))
    if best is not None and cost is not None:
        winner = Winner(
            candidate_id=best.candidate.id,
            diff=whole_diff(best.candidate, problem),
            source=best.candidate.text,
            elsewhere=best.candidate.elsewhere,
            evidence=best.report,
            cost=cost,
        )
    emitter.emit(
        SearchStopped(
            outcome=outcome,
            reason=guard.reason or rule or ("" if winner or bench is None else _why_nothing(bench)),
            verified=best is not None and best.report.verified,
            winner=winner,
            spent=guard.spent(emitter.charged),
        )
    )


def _why_nothing_red(problem: Problem) -> str:
    """Return why there is nothing to repair, if a flaky test may be the one the user meant; otherwise nothing."""
    flaky = [test.id for test in problem.baseline.set_aside if test.is_flaky]
    if not flaky:
        return ""
    others = f" (and {len(flaky) - 1} more)" if len(flaky) > 1 else ""
    return f"{flaky[0]}{others} {FLAKY}, so any candidate would look like a repair"


def _why_nothing(bench: SearchBench) -> str:
    """Return why there are no more candidates: the generator's last reason, and the failures of language models."""
    return "; ".join(dict.fromkeys([*bench.declined[-1:], *map(str, bench.outages.by_branch.values())]))
