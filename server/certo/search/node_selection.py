"""Selecting the node of a tree to go on from: UCT, Thompson sampling, and an order for ties."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, Literal, Protocol, TypeVar

from certo.search.tree import Node, after, before
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

T = TypeVar("T")

Ordering = Literal["PostOrderDFS", "PreOrderDFS"]
"""The order in which nodes are compared. Of equal ones the first is taken, so PostOrderDFS favours leaves."""

_ORDERINGS: dict[str, Callable[[Node[Any]], Iterator[Node[Any]]]] = {"PostOrderDFS": after, "PreOrderDFS": before}


class Scoring(Protocol):
    """A function from a node to a number: the higher, the more promising it is to go on from there."""

    def __call__(self, node: Node[Any], /) -> float:
        """Score one node."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UCT:
    """Upper confidence bounds for trees (Kocsis and Szepesvári 2006): the mean so far, and a bonus for uncertainty.

    A node that was never visited scores `unvisited`: 0 as in AgentTools, or infinity to try every node once. The bonus
    of a visited node is `exploration * sqrt(ln(visits of the parent) / visits)`; the root has none. Attempts under way
    count as visits without a win.
    """

    exploration: float = math.sqrt(2)
    unvisited: float = 0.0

    def __call__(self, node: Node[Any], /) -> float:
        """Score one node."""
        visits = node.visits + node.under_way
        if visits == 0:
            return self.unvisited
        # The bonus is that of UCB1 (Auer, Cesa-Bianchi and Fischer 2002), applied at each node to its children: it
        # grows slowly with the visits of the parent and shrinks with the node's own, so no child is forgotten for good.
        known = node.wins / visits
        above = 0 if node.parent is None else node.parent.visits + node.parent.under_way
        return known if above == 0 else known + self.exploration * math.sqrt(math.log(above) / visits)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThompsonSampling:
    """Thompson sampling (Thompson 1933): a success rate drawn at random from the posterior of a node's true rate.

    It is drawn from Beta(alpha + wins, beta + visits - wins). The fewer the visits, the wider this distribution, so
    nodes that were seldom tried sometimes score above those that did well. Attempts under way count as visits without a
    win. The same `chance` draws the same numbers again.
    """

    alpha: float = 1.0
    beta: float = 1.0
    chance: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be more than 0, not {getattr(self, name)}")

    def __call__(self, node: Node[Any], /) -> float:
        """Score one node."""
        # Wins are shares of checks passed, not whole numbers; the Beta distribution takes fractions as well.
        lost = node.visits + node.under_way - node.wins
        return self.chance.betavariate(self.alpha + node.wins, self.beta + max(0.0, lost))


def select_best(
    node: Node[T],
    scoring: Scoring | None = None,
    *,
    ordering: Ordering = "PostOrderDFS",
    among: Callable[[Node[T]], bool] = lambda _: True,
) -> Node[T]:
    """Return the node with the best score among `node` and all below it; `scoring` is UCT unless given.

    Of nodes with the same score the first in `ordering` is taken. Only nodes for which `among` is true are compared; if
    there are none, it is `node` itself.

    Raises:
        BadSetting: there is no such ordering.
    """
    if ordering not in _ORDERINGS:
        raise BadSetting(f"there is no ordering {ordering!r}; known: {', '.join(_ORDERINGS)}")
    score = scoring or UCT()
    best, highest = node, -math.inf
    for each in _ORDERINGS[ordering](node):
        if among(each) and (value := score(each)) > highest:
            best, highest = each, value
    return best
