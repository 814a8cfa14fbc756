"""A candidate whose report is complete, and the events that all such candidates have in common."""

from __future__ import annotations

from certo.edits.diff import hunks_of, whole_diff
from certo.generation.generator import Attempt
from certo.search.emitter import EventEmitter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.events import CandidateProposed, CandidateScored, VerdictReached
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCandidate:
    """A candidate whose report is complete, with its score, and its cost if it passed.

    `number` is how many candidates were proposed before it. `spent` is what the search had spent once this one was
    judged; None for a candidate that the search did not judge itself.
    """

    number: int
    attempt: Attempt
    cost: Cost | None
    score: Score | None
    spent: Spent | None


def emit_proposed(emitter: EventEmitter, problem: Problem, candidate: Candidate) -> None:
    """Emit a new candidate with all that it would change."""
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


def emit_scored(emitter: EventEmitter, report: Report, cost: Cost | None, score: Score | None = None) -> None:
    """Emit that the report of a candidate is complete."""
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


def emit_judged(
    emitter: EventEmitter, problem: Problem, attempt: Attempt, cost: Cost | None, score: Score | None = None
) -> None:
    """Emit all events of a candidate that was judged outside the search."""
    emit_proposed(emitter, problem, attempt.candidate)
    for verdict in attempt.report.verdicts:
        emitter.emit(VerdictReached(candidate_id=attempt.candidate.id, verdict=verdict))
    emit_scored(emitter, attempt.report, cost, score)
