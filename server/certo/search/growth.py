"""How a search's tree grows: every idea and every try finds its place in it, and what is new is told."""

from __future__ import annotations

from certo.generation.generator import Ask, Attempt
from certo.search.experiment import Experiment, Spot
from certo.search.telling import Telling
from certo.search.tree import Tree
from certo.vocabulary.events import IdeaAdded, IdeaDropped
from certo.vocabulary.score import Score, merit_of


class Growth:
    """Keeps the tree of one search. Ideas without words are in it, but nobody is told of them."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._spots: dict[str, Spot] = {}
        self.tree: Tree[Experiment] = Tree(Experiment())

    def parent_of(self, ask: Ask) -> Spot:
        """Below which node a try will stand: that of the last attempt of its past, or the root."""
        above = self._spots.get(ask.past[-1].candidate.id) if ask.past else None
        return above or self.tree.root

    def add_idea(self, parent: Spot, idea: str, judged: int) -> Spot:
        """Add something to try below a node, when so many candidates were judged."""
        node = self.tree.expand(parent, Experiment(idea=idea))
        node.data.history.append((judged, "create"))
        parent.data.history.append((judged, "expand"))
        if idea:
            above = parent.id if parent.data.idea else None
            self._telling.tell(IdeaAdded, idea=node.id, parent=above, text=idea)
        return node

    def drop(self, node: Spot, reason: str, judged: int) -> None:
        """Say that nothing more is to come of a node, and why."""
        node.data.dropped = reason
        node.data.history.append((judged, "terminate"))
        if node.data.idea:
            self._telling.tell(IdeaDropped, idea=node.id, reason=reason)

    def tried(
        self, attempt: Attempt, score: Score | None, near: float, *, below: Spot, at: Spot | None, judged: int
    ) -> None:
        """Take in a try: of the node `at`, or as a new one below its parent; `near` is its share of success.

        Of several tries of one node the best counts. What is no news is a visit that came to nothing, so that a search
        that goes by visits looks there less.
        """
        if at is not None:
            at.data.history.append((judged, "experiment"))
            if at.data.attempt is None or merit_of(score) >= at.data.merit:
                at.data.attempt, at.data.score = attempt, score
        if attempt.candidate.id in self._spots:
            below.backpropagate(0.0)
            return
        node = at or self.tree.expand(below, Experiment(attempt=attempt, score=score, history=[(judged, "experiment")]))
        node.success, node.feedback = attempt.report.passed, node.data.feedback
        self._spots[attempt.candidate.id] = node
        node.backpropagate(near)
