"""Which node of a tree to go on from: UCT and Thompson sampling, and who is first among equals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from certo.search.tree import Node, after, before
from certo.vocabulary.errors import BadSetting

T = TypeVar("T")

Ordering = Literal["PostOrderDFS", "PreOrderDFS"]
"""In which order nodes are looked at; of equally good ones the first is taken, so the first favours leaves."""

_ORDERINGS: dict[str, Callable[[Node[Any]], Iterator[Node[Any]]]] = {"PostOrderDFS": after, "PreOrderDFS": before}


class Scoring(Protocol):
    """How promising it is to go on from a node: a number, higher is better."""

    def __call__(self, node: Node[Any], /) -> float:
        """Score one node."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UCT:
    """Upper confidence bounds for trees (Kocsis and Szepesvári 2006): what is known, and a bonus for what is not.

    A node that was never visited scores `unvisited`: 0 as in AgentTools, or infinity, so that every node is tried once.
    The bonus of one that was is `exploration * sqrt(ln(visits of the parent) / visits)`; the root has none. Tries under
    way count as visits without a win.
    """

    exploration: float = math.sqrt(2)
    unvisited: float = 0.0

    def __call__(self, node: Node[Any], /) -> float:
        """Score one node."""
        visits = node.visits + node.under_way
        if visits == 0:
            return self.unvisited
        known = node.wins / visits
        above = 0 if node.parent is None else node.parent.visits + node.parent.under_way
        return known if above == 0 else known + self.exploration * math.sqrt(math.log(above) / visits)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThompsonSampling:
    """Thompson sampling (1933): a chance of success drawn at random, by what is known of it.

    Drawn from Beta(alpha + wins, beta + visits - wins), so that what was seldom tried is now and then taken for better
    than what did well. Tries under way count as visits without a win. The same `chance` draws the same again.
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
        lost = node.visits + node.under_way - node.wins
        return self.chance.betavariate(self.alpha + node.wins, self.beta + max(0.0, lost))


def select_best(
    node: Node[T],
    scoring: Scoring | None = None,
    *,
    ordering: Ordering = "PostOrderDFS",
    among: Callable[[Node[T]], bool] = lambda _: True,
) -> Node[T]:
    """The node with the best score of this one and all below, UCT's where no other is given.

    Of nodes with the same score the first in the order is taken. `among` says which come into question; where none
    does, it is `node` itself.

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
