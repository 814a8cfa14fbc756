"""The course of a search: its tree and all candidates, with when each thing happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from certo.search.board import SearchState
from certo.search.replay import TreeReplay
from certo.storage.serialization import Unreadable, event_of
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import (
    BestImproved,
    BudgetSpent,
    CandidateDeclined,
    CandidateProposed,
    CandidateScored,
    Event,
    SearchStopped,
    VoteCast,
)


@dataclass(slots=True, kw_only=True)
class SearchHistory:
    """What a search's events say, for whoever looks back at it; times are seconds since it started.

    `improvements` are the best candidates so far with their costs, `spending` what was spent so far, each at its time.
    """

    retracing: TreeReplay = field(default_factory=TreeReplay)
    proposed: dict[str, float] = field(default_factory=dict)
    scored: dict[str, float] = field(default_factory=dict)
    votes: dict[str, list[VoteCast]] = field(default_factory=dict)
    declined: list[CandidateDeclined] = field(default_factory=list)
    improvements: list[tuple[float, str, Cost]] = field(default_factory=list)
    spending: list[tuple[float, Spent]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def board(self) -> SearchState:
        """The candidates, and how it ended."""
        return self.retracing.board

    def apply(self, event: Event) -> None:
        """Take one event into account; events come in order, each once."""
        self.retracing.apply(event)
        self.seconds = max(self.seconds, event.at)
        match event:
            case CandidateProposed():
                self.proposed[event.candidate_id] = event.at
            case CandidateScored():
                self.scored[event.candidate_id] = event.at
            case VoteCast():
                self.votes.setdefault(event.candidate_id, []).append(event)
            case CandidateDeclined():
                self.declined.append(event)
            case BestImproved():
                self.improvements.append((event.at, event.candidate_id, event.cost))
            case BudgetSpent() | SearchStopped():
                self.spending.append((event.at, event.spent))


def course_of(events: Iterable[Event]) -> SearchHistory:
    """All that the events of one search say."""
    course = SearchHistory()
    for event in events:
        course.apply(event)
    return course


def kept_course(lines: Iterable[str]) -> SearchHistory:
    """The course of a search, by its events as lines.

    Raises:
        BadRequest: another version of certo wrote them.
    """
    try:
        return course_of(map(event_of, lines))
    except (Unreadable, KeyError) as error:
        raise BadRequest("another version of certo wrote this search; --json prints what it wrote") from error


def board_of(lines: Iterable[str]) -> SearchState:
    """What is known of a search, by its events as lines.

    Raises:
        BadRequest: another version of certo wrote them.
    """
    return kept_course(lines).board
