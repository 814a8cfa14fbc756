"""Checkpoints: the judged candidates of an earlier run, which a resumed search does not judge again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from certo.edits.patch import apply_edits
from certo.generation.generator import Attempt
from certo.search.board import SearchState
from certo.search.judgement import JudgedCandidate
from certo.vocabulary.candidate import Candidate, Standing
from certo.vocabulary.cost import Spent
from certo.vocabulary.events import BudgetSpent, CandidateScored, Event
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The candidates that were judged, in the order in which they were proposed.

    `numbers` has all that were proposed, by id: how many were proposed before each.
    """

    judged: tuple[JudgedCandidate, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def candidates(self) -> int:
        """The number of them that the budget has granted."""
        return sum(each.spent is not None for each in self.judged)


NO_RECORD = Checkpoint()


def checkpoint_from(board: SearchState, events: Sequence[Event], base: str) -> Checkpoint:
    """Return the candidates for the text `base` whose reports are complete in these events.

    `board` is the state of the search; it may have more candidates, and it has their order.
    """
    scored = {event.candidate_id for event in events if isinstance(event, CandidateScored)}
    spent = dict(_spent(events))
    judged: list[JudgedCandidate] = []
    for row in board.rows.values():
        if not row.scored or row.candidate_id not in scored:
            continue
        text = apply_edits(base, row.edits)
        candidate = Candidate(
            id=row.candidate_id,
            edits=row.edits,
            text=text,
            origin=row.origin,
            parent=row.parent,
            elsewhere=row.elsewhere,
        )
        # Candidates that were compared when that run ended are compared again with those that this run finds.
        if not row.agreeing and not row.uncompared:
            standing = Standing(rival_of=row.rival_of, difference=row.difference, observations=row.observations)
            candidate = standing.taken_by(candidate)
        attempt = Attempt(candidate=candidate, report=row.report)
        judged.append(
            JudgedCandidate(
                number=row.number - 1,
                attempt=attempt,
                cost=row.cost,
                score=row.score,
                spent=spent.get(row.candidate_id),
            )
        )
    return Checkpoint(judged=tuple(judged), numbers=numbers_of(board))


def numbers_of(board: SearchState) -> dict[str, int]:
    """Return for each candidate, by its id, how many were proposed before it."""
    return {row.candidate_id: row.number - 1 for row in board.rows.values()}


def _spent(events: Iterable[Event]) -> Iterable[tuple[str, Spent]]:
    """Yield each candidate that the search judged itself, with what was spent then: the event right after its score."""
    scored = ""
    for event in events:
        match event:
            case CandidateScored():
                scored = event.candidate_id
            case BudgetSpent() if scored:
                yield scored, event.spent
                scored = ""
            case _:
                pass
