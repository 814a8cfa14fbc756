"""Lines of a search's tree: a beginning and all that grew from it, and whether going on with it still brings more."""

from __future__ import annotations

from dataclasses import dataclass

from certo.search.experiment import Experiment, Spot
from certo.search.tree import Tree, before

PATIENCE = 4
"""How many tries in a row may bring a line no further before it is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A try from the problem's own text, and those that went on from it, in the order in which they were added.

    `stale` says how many tries at its end, answers that were given before among them, did no better than the best one
    before them. It is `spent` when they are as many as it may have: feedback may mislead, and then a line that looks
    promising stays where it is however often it hears what is wrong. Each beginning that only repeated an answer lets
    all of them have one more.
    """

    spots: tuple[Spot, ...]
    stale: int
    spent: bool

    @property
    def beginning(self) -> Spot:
        """Its first try."""
        return self.spots[0]

    @property
    def last(self) -> Spot:
        """Its latest try."""
        return self.spots[-1]


def lines_of(tree: Tree[Experiment]) -> tuple[Line, ...]:
    """The lines of a tree, the oldest first: what was tried, with nothing tried above it, begins one."""
    beginnings: list[Spot] = []
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.data.attempt is None:
            waiting.extend(node.children)
        else:
            beginnings.append(node)
    beginnings.sort(key=lambda node: node.id)
    patience = PATIENCE + tree.root.repeats
    return tuple(_line(beginning, patience) for beginning in beginnings)


def _line(beginning: Spot, patience: int) -> Line:
    spots = sorted((node for node in before(beginning) if node.data.attempt is not None), key=lambda node: node.id)
    best, stale = spots[0].data.merit, 0
    for spot in spots[1:]:
        stale = 0 if spot.data.merit > best else stale + 1
        best = max(best, spot.data.merit)
    stale += spots[-1].repeats
    return Line(spots=tuple(spots), stale=stale, spent=stale >= patience)
