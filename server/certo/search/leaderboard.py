"""The leaderboard: the third stage of an attempt, which ranks the candidates that passed."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from dataclasses import replace

from certo.generation.generator import Attempt
from certo.search.judgement import JudgedCandidate
from certo.vocabulary.candidate import Standing
from certo.vocabulary.cost import Cost
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score, merit_of

UNGROUPED = 1_000_000
"""The place of a candidate that was not compared, behind all groups."""

Rank = tuple[bool, float, bool, float, float, int]
"""The sort key of a candidate that passed; no two are equal, and the least is the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a candidate among the `of` that passed, counted from 1; `is_best` if it became the best one."""

    candidate_id: str
    cost: Cost
    place: int
    of: int
    is_best: bool


class Leaderboard:
    """Keeps every judged candidate of one search, and ranks those that passed.

    The best one is verified rather than merely passed, then has the best score if an evaluator gives scores, then is no
    rival of another, then is in the likeliest group of those that behave alike, then is the cheapest, then was proposed
    first, whichever was judged sooner. With `cost_first`, the cheapest comes before the likeliest group: a caller's
    own cost says what to choose.
    """

    def __init__(self, *, scores_count: bool, cost_first: bool = False) -> None:
        """Rank candidates; `scores_count` if an evaluator gives scores."""
        self._scores_count = scores_count
        self._cost_first = cost_first
        self._judged: dict[str, JudgedCandidate] = {}
        self._groups: dict[str, int] = {}
        self._standings: dict[str, Standing] = {}
        self._ranks: list[Rank] = []
        self.best: Attempt | None = None

    def add(self, judged: JudgedCandidate) -> Place | None:
        """Rank a candidate and return its place; None if it did not pass."""
        attempt, candidate_id = judged.attempt, judged.attempt.candidate.id
        self._judged[candidate_id] = judged
        if judged.cost is None:
            return None
        rank = self._rank(attempt)
        insort(self._ranks, rank)
        is_best = self.best is None or rank < self._rank(self.best)
        if is_best:
            self.best = attempt
        place = bisect_left(self._ranks, rank) + 1
        return Place(candidate_id=candidate_id, cost=judged.cost, place=place, of=self._passed, is_best=is_best)

    def find(self, candidate_id: str) -> JudgedCandidate | None:
        """Return a candidate by its id, with the standing it has by now; None if it was not judged."""
        return self._judged.get(candidate_id)

    def cost_of(self, attempt: Attempt) -> Cost | None:
        """Return the cost of an attempt that passed; None for one that did not pass."""
        judged = self._judged.get(attempt.candidate.id)
        return judged.cost if judged is not None else None

    def score_of(self, attempt: Attempt) -> Score | None:
        """Return the score of an attempt; None if it has none."""
        judged = self._judged.get(attempt.candidate.id)
        return judged.score if judged is not None else None

    @property
    def ranked(self) -> tuple[Attempt, ...]:
        """The attempts that passed, whoever wrote them, the best first."""
        return tuple(sorted((each.attempt for each in self._judged.values() if each.cost is not None), key=self._rank))

    def agree(self, groups: Mapping[str, int]) -> Place | None:
        """Rank again by the number of each candidate's group, from 1 for the likeliest; others come after all of them.

        Return the place of the best one if it changed.
        """
        self._groups.update(groups)
        ranked = self.ranked
        self._ranks = [self._rank(attempt) for attempt in ranked]
        best = next(iter(ranked), None)
        return None if best is None or best is self.best else self._take(best)

    def stand(self, attempt: Attempt, standing: Standing) -> None:
        """Keep how an attempt stands among the others that passed."""
        self._standings[attempt.candidate.id] = standing
        judged = self._judged[attempt.candidate.id]
        changed = replace(attempt, candidate=standing.taken_by(attempt.candidate))
        self._judged[attempt.candidate.id] = replace(judged, attempt=changed)
        self.best = changed if self.best is attempt else self.best

    def standing_of(self, attempt: Attempt) -> Standing:
        """Return how an attempt stands among the others that passed; an empty standing if it was not compared."""
        return self._standings.get(attempt.candidate.id, Standing())

    def prefer(self, attempt: Attempt) -> Place | None:
        """Make a verified attempt the best if it costs no more and scores no less than that one; None if it does not.

        By rank alone it would lose to an equal one that was proposed earlier.
        """
        cost = self.cost_of(attempt)
        if cost is None or not attempt.report.verified or self.best is None or self.best is attempt:
            return None
        best = self.cost_of(self.best)
        if best is None or cost.value > best.value or self._merit(attempt) < self._merit(self.best):
            return None
        return self._take(attempt)

    @property
    def _passed(self) -> int:
        return sum(each.cost is not None for each in self._judged.values())

    def _take(self, attempt: Attempt) -> Place:
        self.best = attempt
        judged = self._judged[attempt.candidate.id]
        assert judged.cost is not None  # only what passed is ranked
        return Place(candidate_id=attempt.candidate.id, cost=judged.cost, place=1, of=self._passed, is_best=True)

    def _rank(self, attempt: Attempt) -> Rank:
        judged = self._judged[attempt.candidate.id]
        assert judged.cost is not None  # only what passed is ranked
        group, cost = self._groups.get(attempt.candidate.id, UNGROUPED), judged.cost.value
        first, second = (cost, group) if self._cost_first else (group, cost)
        # Candidates may be compared again with later ones, so their groups count and not whose rivals they were.
        is_rival = attempt.candidate.rival_of is not None and group == UNGROUPED
        return not attempt.report.verified, -self._merit(attempt), is_rival, first, second, judged.number

    def _merit(self, attempt: Attempt) -> float:
        # certo's own progress score tells failing candidates apart. All that pass have the same share of their checks,
        # so it must not come before their cost.
        return merit_of(self.score_of(attempt)) if self._scores_count else 0.0
