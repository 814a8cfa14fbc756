"""History of a search: its tree and all candidates, with times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

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
    StrengthMeasured,
    StrengthProgressed,
    VoteCast,
)
from certo.vocabulary.records import dataclass


@dataclass(slots=True, kw_only=True)
class SearchHistory:
    """History of a search from its events; times are seconds since its start.

    `improvements` are the best candidates so far with their costs, `spending` the totals so far, each with its time.
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
        """The candidates, and the end of the search."""
        return self.retracing.board

    def apply(self, event: Event) -> None:
        """Add one event; events come in order, each once."""
        self.retracing.apply(event)
        if not isinstance(event, StrengthProgressed | StrengthMeasured):
            # Those come after the search, when nobody waits.
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
    """Return the history in the events of one search."""
    course = SearchHistory()
    for event in events:
        course.apply(event)
    return course


def kept_course(lines: Iterable[str]) -> SearchHistory:
    """Return the history of a search from its events as lines.

    Raises:
        BadRequest: Another version of certo wrote them.
    """
    try:
        return course_of(map(event_of, lines))
    except (Unreadable, KeyError) as error:
        raise BadRequest("another version of certo wrote this search; --json prints what it wrote") from error


def board_of(lines: Iterable[str]) -> SearchState:
    """Return the state of a search from its events as lines.

    Raises:
        BadRequest: Another version of certo wrote them.
    """
    return kept_course(lines).board
