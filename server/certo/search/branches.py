"""Growing the tree of a search: every idea and every attempt gets a node, and new ideas are emitted."""

from __future__ import annotations

from certo.generation.generator import Ask, Attempt
from certo.search.emitter import EventEmitter
from certo.search.experiment import Experiment, SearchNode
from certo.search.tree import Tree, before
from certo.vocabulary.events import IdeaAdded, IdeaDropped
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score, merit_of


class TreeBuilder:
    """Builds the tree of one search. Ideas without words have nodes too, but are not emitted."""

    def __init__(self, emitter: EventEmitter) -> None:
        self._emitter = emitter
        self._nodes: dict[str, SearchNode] = {}
        self.tree: Tree[Experiment] = Tree(Experiment())

    def parent_of(self, ask: Ask) -> SearchNode:
        """Return the node that an attempt goes on from: that of the last attempt of its past, or the root."""
        above = self._nodes.get(ask.past[-1].candidate.id) if ask.past else None
        return above or self.tree.root

    def add_idea(self, parent: SearchNode, idea: str, judged: int) -> SearchNode:
        """Add an idea below a node, after so many candidates were judged."""
        node = self.tree.expand(parent, Experiment(idea=idea))
        node.data.history.append((judged, "create"))
        parent.data.history.append((judged, "expand"))
        if idea:
            above = parent.id if parent.data.idea else None
            self._emitter.emit(IdeaAdded(idea=node.id, parent=above, text=idea))
        return node

    def drop(self, node: SearchNode, reason: str, judged: int) -> None:
        """Take note that nothing more will be tried at a node, and why."""
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
        """Add an attempt, at the node `at` or as a new one below its parent; `near` is its progress score, from 0 to 1.

        Of several attempts at one node the best counts.
        """
        if at is not None:
            at.data.history.append((judged, "experiment"))
            if at.data.attempt is None or merit_of(score) >= at.data.merit:
                at.data.attempt, at.data.score = attempt, score
        if attempt.candidate.id in self._nodes:
            # A repeated answer counts as a visit without a win, so UCT and Thompson sampling turn to other nodes.
            below.backpropagate(0.0)
            return
        node = at or self.tree.expand(below, Experiment(attempt=attempt, score=score, history=[(judged, "experiment")]))
        node.success, node.feedback = attempt.report.passed, node.data.feedback
        self._nodes[attempt.candidate.id] = node
        node.backpropagate(near)


PATIENCE = 4
"""The number of attempts in a row that may fail to improve on a branch before it is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """An attempt from the problem's own text and those that went on from it, in the order they were added.

    `stale` counts the attempts at its end, repeated answers among them, that did no better than the best one before
    them. The branch is `spent` once they are too many: where feedback misleads, a branch that looks promising stays
    where it is however often it is told what is wrong.
    """

    nodes: tuple[SearchNode, ...]
    stale: int
    spent: bool

    @property
    def beginning(self) -> SearchNode:
        """The first attempt."""
        return self.nodes[0]

    @property
    def last(self) -> SearchNode:
        """The latest attempt."""
        return self.nodes[-1]


def branches_of(tree: Tree[Experiment]) -> tuple[Branch, ...]:
    """Return the branches of a tree, the oldest first; each begins with an attempt that has none above it."""
    beginnings: list[SearchNode] = []
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.data.attempt is None:
            waiting.extend(node.children)
        else:
            beginnings.append(node)
    beginnings.sort(key=lambda node: node.id)
    # If even a fresh start only repeats an answer, another one would hardly help, so every branch gets one attempt
    # more.
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
