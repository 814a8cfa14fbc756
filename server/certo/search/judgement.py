"""What is told of every candidate, whoever proposed it and whenever it was judged, and who waits for that."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from certo.edits.diff import hunks_of, whole_diff
from certo.generation.generator import Attempt
from certo.search.emitter import EventEmitter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.events import CandidateProposed, CandidateScored, VerdictReached
from certo.vocabulary.problem import Problem
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report


@dataclass(slots=True)
class Judging:
    """One candidate being judged, or judged already; whoever proposes it again waits here for the same report.

    `number` says how many were proposed before it.
    """

    number: int
    done: anyio.Event = field(default_factory=anyio.Event)
    attempt: Attempt | None = None


def tell_proposed(emitter: EventEmitter, problem: Problem, candidate: Candidate) -> None:
    """Tell of a new candidate, and of all that it would change."""
    emitter.emit(
        CandidateProposed(
            candidate_id=candidate.id,
            parent=candidate.parent,
            origin=candidate.origin,
            edits=candidate.edits,
            diff=whole_diff(candidate, problem),
            hunks=hunks_of(problem.text, candidate.text),
            elsewhere=candidate.elsewhere,
            rival_of=candidate.rival_of,
            difference=candidate.difference,
            observations=candidate.observations,
        )
    )


def tell_scored(emitter: EventEmitter, report: Report, cost: Cost | None, score: Score | None = None) -> None:
    """Tell that the report of a candidate is complete."""
    emitter.emit(
        CandidateScored(
            candidate_id=report.candidate_id,
            passed=report.passed,
            verified=report.verified,
            cost=cost,
            score=score,
            caveat=report.caveat,
        )
    )


def tell_judged(
    emitter: EventEmitter, problem: Problem, attempt: Attempt, cost: Cost | None, score: Score | None = None
) -> None:
    """Tell of a candidate whose report is complete already."""
    tell_proposed(emitter, problem, attempt.candidate)
    for verdict in attempt.report.verdicts:
        emitter.emit(VerdictReached(candidate_id=attempt.candidate.id, verdict=verdict))
    tell_scored(emitter, attempt.report, cost, score)
