"""Candidates that a user makes of others, by an edit or a choice of hunks; judged and ranked like any other."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from certo.costs.model import priced
from certo.edits.diff import with_hunks
from certo.generation.generator import Attempt
from certo.search.board import CandidateState
from certo.search.judgement import emit_judged
from certo.search.scoring import progress_score
from certo.sessions.acceptance.carry_over import edits_of_target
from certo.sessions.acceptance.recheck import judge, problem_of
from certo.sessions.assembly.costs import cost_model
from certo.sessions.assembly.criteria import gauges
from certo.sessions.live import LiveSearch, Searching
from certo.vocabulary.candidate import USER, Candidate, Origin, candidate_id
from certo.vocabulary.cost import Cost
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import BestImproved, CandidateRanked
from certo.vocabulary.problem import Problem


async def edited(live: LiveSearch, row: CandidateState, text: str) -> CandidateState:
    """Judge a text that the user made of a candidate, over the text the search began with.

    What is known already, such as the candidate as it was, is not judged again. What the candidate changes in other
    files stays. Nothing is told of a text that could not be judged.

    Raises:
        BadRequest: more than the target is changed, or nothing is; or the very same is being judged now.
    """
    return await _judged(live, row, text, note=f"edited from #{row.number}")


async def mixed(live: LiveSearch, parts: Sequence[tuple[CandidateState, Collection[int]]]) -> CandidateState:
    """Judge the text that has these hunks of several candidates, over the text the search began with.

    Raises:
        BadRequest: a candidate changes other files too, the hunks make up none, or the very same is being judged now.
        BadSetting: a candidate has no such hunk, or two hunks change the same lines.
    """
    for row, _ in parts:
        if row.elsewhere:
            raise BadRequest(
                f"candidate #{row.number} changes other files too, and its parts do not stand alone; accept it whole"
            )
    text = with_hunks(live.base, *((live.text_with(row), hunks) for row, hunks in parts))
    first = parts[0][0]
    names = " and ".join(f"#{number}" for number in sorted({row.number for row, _ in parts}))
    return await _judged(live, first, text, note=f"hunks of {names}")


async def _judged(live: LiveSearch, row: CandidateState, text: str, *, note: str) -> CandidateState:
    """Judge a text that was made of the candidate `row`; see `edited`."""
    problem, context = await problem_of(live)
    edits = edits_of_target(problem.text, text, problem.target)
    if edits is None:
        raise BadRequest(
            f"only {problem.target.qualname} is verified here: leave the rest of {problem.path} as it is, and change "
            "that in the document itself"
        )
    if not edits:
        raise BadRequest(f"this is the text of {problem.path} that the search began with; there is nothing to verify")
    candidate = Candidate(
        id=candidate_id(problem.text, text, row.elsewhere),
        edits=edits,
        text=text,
        origin=Origin(generator=USER, note=note),
        parent=row.candidate_id,
        elsewhere=row.elsewhere,
    )
    known = _known(live, candidate.id)
    if known is not None:
        return known
    report = await judge(live, context, problem, candidate)
    settings = live.resolved.settings
    model = cost_model(
        settings.cost, context.toolbox(settings.verify), judged=gauges(settings.criteria, live.run.models)
    )
    cost = await priced(model, candidate, report, problem) if report.passed else None
    # The search may have found the same while this one was judged.
    return _known(live, candidate.id) or _adopted(live, problem, Attempt(candidate=candidate, report=report), cost)


def _known(live: LiveSearch, candidate: str) -> CandidateState | None:
    """Return a candidate that is known; None if it is new, or was left unjudged when its search ended."""
    row = live.state.rows.get(candidate)
    if row is None or row.scored:
        return row
    if live.state.stopped is None:
        raise BadRequest(f"candidate #{row.number} is the same, and is being judged now; wait for what comes of it")
    return None


def _adopted(live: LiveSearch, problem: Problem, attempt: Attempt, cost: Cost | None) -> CandidateState:
    """Emit the candidate's events: at the bench of a search that runs, or behind the end of one that has ended."""
    candidate = attempt.candidate.id
    if live.state.stopped is None and isinstance(live.phase, Searching):
        live.phase.bench.adopt(attempt, cost)
        return live.row(candidate)
    emitter, best = live.run.emitter, live.state.best_row
    # Where an evaluator scores candidates, it was not asked about this one.
    verifiers = live.state.started.verifiers if live.state.started is not None else ()
    scored = not live.resolved.settings.search.evaluator
    score = progress_score(attempt.report, verifiers, problem.baseline) if scored else None
    emit_judged(emitter, problem, attempt, cost, score)
    row = live.row(candidate)
    if cost is not None:
        order = live.state.ranked()
        if best is None or row.worth < best.worth:
            emitter.emit(CandidateRanked(candidate_id=candidate, place=1, of=len(order)))
            emitter.emit(BestImproved(candidate_id=candidate, cost=cost))
        else:
            emitter.emit(CandidateRanked(candidate_id=candidate, place=order.index(row) + 1, of=len(order)))
    return row
