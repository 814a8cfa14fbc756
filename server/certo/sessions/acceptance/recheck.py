"""Judging one candidate beside its search, by every verifier that the search has: what is accepted, what is edited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from certo.behaviour.comparison import Comparison, find_difference
from certo.search.board import CandidateState
from certo.sessions.assembly.parts import pipeline
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.live import LiveSearch, Preparing, Restored, Resumed, Stated
from certo.sessions.persistence.verdict_cache import memory_of
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.results import was_cut_short
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report, Ruling, Verdict

_MORE_TIME = 3.0
"""The factor for the time of tests when a candidate that passed before is judged a second time."""


async def problem_of(live: LiveSearch) -> tuple[Problem, ExecutionContext]:
    """Return the problem of a search that has candidates, and where its code runs.

    The problem of a restored search is stated once, when it is first needed.

    Raises:
        CertoError: it cannot be stated again.
    """
    match live.phase:
        case Stated() as stated:
            return stated.problem, stated.context
        case Preparing():
            stated = await _restated(live)
            # The run of a resumed search may have stated it meanwhile, and that one stays.
            if isinstance(live.phase, Preparing):
                live.phase = stated
            return stated.problem, stated.context


async def _restated(live: LiveSearch) -> Stated:
    match live.origin:
        case Restored(restate=restate) | Resumed(first=Restored(restate=restate)):
            return await restate(live)
        case _:
            raise RuntimeError("there is a candidate of a search whose problem was never stated")


async def judge_patiently(
    live: LiveSearch, context: ExecutionContext, problem: Problem, candidate: Candidate, say: Callable[[str], None]
) -> Report:
    """Judge a candidate that passed before, and once more with more time if that leaves it open.

    On a busy machine its tests may not end in the time that sufficed before. `say` hears that it is judged again.
    """
    report = await judge(live, context, problem, candidate)
    if report.failure is None or not is_open(report.failure):
        return report
    seconds = _MORE_TIME * live.resolved.settings.tests.seconds
    say(f"not decided by {report.failure.verifier}; trying again with {seconds:g} s for each test")
    return await judge(live, context, problem, candidate, more_time=_MORE_TIME)


def is_open(verdict: Verdict) -> bool:
    """True if a verifier that runs code decided nothing, or stopped a run that took too long.

    Votes that decide nothing are an answer, and asking for others costs money.
    """
    if verdict.cheated or verdict.votes is not None:
        return False
    return verdict.ruling is Ruling.UNDECIDED or any(was_cut_short(each.message) for each in verdict.findings)


async def judge(
    live: LiveSearch, context: ExecutionContext, problem: Problem, candidate: Candidate, *, more_time: float = 1.0
) -> Report:
    """Let every verifier judge a candidate of a problem, or remember what it has said of the very same.

    `more_time` is the factor by which tests may take longer than the settings say.
    """
    settings, best = live.resolved.settings, live.state.best_row
    tests = replace(
        settings.tests,
        seconds=more_time * settings.tests.seconds,
        total_seconds=more_time * settings.tests.total_seconds,
    )
    # Only a search of an earlier process may have been told the very same already, before anything was looked at now.
    # With more time for the tests a verdict may be another.
    memory = memory_of(live, context) if live.needs_rejudging and more_time == 1.0 else None
    if memory is not None:
        await memory.look()
    # A verifier may run the tests ten times, and whoever accepts a candidate waits for it.
    async with warm_harnesses(context.harnesses(tests), problem) as harnesses:
        verifiers = pipeline(
            settings,
            problem=problem,
            harnesses=harnesses,
            toolbox=context.toolbox(settings.verify),
            models=live.run.models,
            memory=memory,
            # When a candidate first passed its tests it was looked into; and the text may be another one since.
            steady=best is not None and any(verdict.verifier == "tests" for verdict in best.verdicts),
        )
        return await verifiers.judge(candidate, problem, started=lambda _: None, reached=lambda _: None)


async def compare(live: LiveSearch, ours: CandidateState, theirs: CandidateState) -> Comparison:
    """Look for a call that two candidates answer differently, on the text that the search began with.

    Raises:
        BrokenWorld: nothing can be run here.
    """
    if ours.elsewhere or theirs.elsewhere:
        return Comparison(reason="one of them changes other files too, and only single functions are compared")
    if live.target.second is not None:
        return Comparison(reason="they change two functions, and only single functions are compared")
    problem, context = await problem_of(live)
    return await find_difference(
        problem,
        live.text_with(ours),
        live.text_with(theirs),
        executor=context.executor,
        interpreter=context.interpreter,
        seed=live.resolved.settings.search.seed,
        base=live.base,
    )
