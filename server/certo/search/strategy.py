"""The contract of strategies, and the bench that they work at."""

from __future__ import annotations

from random import Random
from typing import Protocol, runtime_checkable

from certo.generation.generator import Ask, Attempt
from certo.search.advice import Advice
from certo.search.experiment import Experiment, SearchNode
from certo.search.tree import Tree
from certo.vocabulary.cost import Cost


class Bench(Protocol):
    """The tools of a strategy: one call makes one attempt, and the bench sees to budget, events and bookkeeping.

    Every attempt is in the `tree`, below the one it goes on from, whether the strategy looks at it or not.
    """

    @property
    def exhausted(self) -> bool:
        """True if nobody will get another candidate: the generator has no more, or the budget is used up."""
        ...

    def affords(self) -> bool:
        """Return True if another attempt is possible. Strategies check this before they ask for ideas."""
        ...

    @property
    def progress(self) -> float:
        """The percentage of the budget that is spent, by the part of it that is used up most; it never falls."""
        ...

    @property
    def tree(self) -> Tree[Experiment]:
        """The attempts and ideas so far; the root is the problem's own text."""
        ...

    @property
    def chance(self) -> Random:
        """The source of random choices; with the same seed a search makes the same ones again."""
        ...

    @property
    def advice(self) -> Advice:
        """Ideas and choices among them, from the generator if it can give any."""
        ...

    async def attempt(self, ask: Ask, /, *, at: SearchNode | None = None) -> Attempt | None:
        """Propose and judge one candidate; None when the generator declines or the budget grants no more.

        A candidate that was judged before is not judged again: its attempt is returned as it was. A new attempt gets a
        node below that of the last attempt in its past, or the node `at` if that is given. If a near miss was repaired,
        one attempt is cut short and returns the edit, unless the strategy `compares`.
        """
        ...

    def cost_of(self, attempt: Attempt, /) -> Cost | None:
        """Return the cost of an attempt that passed; None for one that did not pass."""
        ...

    def enough(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt ends the search: it passed, and reached the score that was asked for, if any."""
        ...

    async def is_doubtful(self, attempt: Attempt, /) -> bool:
        """Return True if an attempt that passed needs another answer beside it: few tests depend on its target."""
        ...

    def add_idea(self, parent: SearchNode, idea: str, /) -> SearchNode:
        """Add an idea below a node."""
        ...

    def drop(self, node: SearchNode, reason: str, /) -> None:
        """Take note that nothing more will be tried at a node, and why."""
        ...

    def conclude(self, reason: str, /) -> None:
        """Take note why the strategy stops, if it has not run out of attempts."""
        ...


class Strategy(Protocol):
    """Decides what to try next. It returns when it has nothing more to try; the engine names the winner."""

    @property
    def name(self) -> str:
        """The name it is registered under."""
        ...

    async def pursue(self, bench: Bench, /) -> None:
        """Make attempts until there is a reason to stop."""
        ...


@runtime_checkable
class Comparing(Strategy, Protocol):
    """A strategy that may compare its answers: then it gets all of them, and no edit of one in place of another."""

    @property
    def compares(self) -> bool:
        """True if it compares the answers that it asks for, instead of ending with the first that is enough."""
        ...


def compares_answers(strategy: Strategy) -> bool:
    """Return True if a strategy compares its answers."""
    return isinstance(strategy, Comparing) and strategy.compares
