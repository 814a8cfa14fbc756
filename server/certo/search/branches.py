"""How a search's tree grows: every idea and every try finds its place in it, and what is new is told."""

from __future__ import annotations

from dataclasses import dataclass

from certo.generation.generator import Ask, Attempt
from certo.search.emitter import EventEmitter
from certo.search.experiment import Experiment, SearchNode
from certo.search.tree import Tree, before
from certo.vocabulary.events import IdeaAdded, IdeaDropped
from certo.vocabulary.score import Score, merit_of


class TreeBuilder:
    """Keeps the tree of one search. Ideas without words are in it, but nobody is told of them."""

    def __init__(self, emitter: EventEmitter) -> None:
        self._emitter = emitter
        self._nodes: dict[str, SearchNode] = {}
        self.tree: Tree[Experiment] = Tree(Experiment())

    def parent_of(self, ask: Ask) -> SearchNode:
        """Below which node a try will stand: that of the last attempt of its past, or the root."""
        above = self._nodes.get(ask.past[-1].candidate.id) if ask.past else None
        return above or self.tree.root

    def add_idea(self, parent: SearchNode, idea: str, judged: int) -> SearchNode:
        """Add something to try below a node, when so many candidates were judged."""
        node = self.tree.expand(parent, Experiment(idea=idea))
        node.data.history.append((judged, "create"))
        parent.data.history.append((judged, "expand"))
        if idea:
            above = parent.id if parent.data.idea else None
            self._emitter.emit(IdeaAdded(idea=node.id, parent=above, text=idea))
        return node

    def drop(self, node: SearchNode, reason: str, judged: int) -> None:
        """Say that nothing more is to come of a node, and why."""
        node.data.dropped = reason
        node.data.history.append((judged, "terminate"))
        if node.data.idea:
            self._emitter.emit(IdeaDropped(idea=node.id, reason=reason))

    def tried(
        self,
        attempt: Attempt,
        score: Score | None,
        near: float,
        *,
        below: SearchNode,
        at: SearchNode | None,
        judged: int,
    ) -> None:
        """Take in a try: of the node `at`, or as a new one below its parent; `near` is its share of success.

        Of several tries of one node the best counts. What is no news is a visit that came to nothing, so that a search
        that goes by visits looks there less.
        """
        if at is not None:
            at.data.history.append((judged, "experiment"))
            if at.data.attempt is None or merit_of(score) >= at.data.merit:
                at.data.attempt, at.data.score = attempt, score
        if attempt.candidate.id in self._nodes:
            below.backpropagate(0.0)
            return
        node = at or self.tree.expand(below, Experiment(attempt=attempt, score=score, history=[(judged, "experiment")]))
        node.success, node.feedback = attempt.report.passed, node.data.feedback
        self._nodes[attempt.candidate.id] = node
        node.backpropagate(near)


PATIENCE = 4
"""How many tries in a row may bring a line no further before it is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A try from the problem's own text, and those that went on from it, in the order in which they were added.

    `stale` says how many tries at its end, answers that were given before among them, did no better than the best one
    before them. It is `spent` when they are as many as it may have: feedback may mislead, and then a line that looks
    promising stays where it is however often it hears what is wrong. Each beginning that only repeated an answer lets
    all of them have one more.
    """

    nodes: tuple[SearchNode, ...]
    stale: int
    spent: bool

    @property
    def beginning(self) -> SearchNode:
        """Its first try."""
        return self.nodes[0]

    @property
    def last(self) -> SearchNode:
        """Its latest try."""
        return self.nodes[-1]


def branches_of(tree: Tree[Experiment]) -> tuple[Branch, ...]:
    """The lines of a tree, the oldest first: what was tried, with nothing tried above it, begins one."""
    beginnings: list[SearchNode] = []
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.data.attempt is None:
            waiting.extend(node.children)
        else:
            beginnings.append(node)
    beginnings.sort(key=lambda node: node.id)
    patience = PATIENCE + tree.root.repeats
    return tuple(_branch(beginning, patience) for beginning in beginnings)


def _branch(beginning: SearchNode, patience: int) -> Branch:
    nodes = sorted((node for node in before(beginning) if node.data.attempt is not None), key=lambda node: node.id)
    best, stale = nodes[0].data.merit, 0
    for node in nodes[1:]:
        stale = 0 if node.data.merit > best else stale + 1
        best = max(best, node.data.merit)
    stale += nodes[-1].repeats
    return Branch(nodes=tuple(nodes), stale=stale, spent=stale >= patience)
