"""The strategy contract: what to try next, given what the bench can do."""

from __future__ import annotations

from random import Random
from typing import Protocol

from certo.generation.generator import Ask, Attempt
from certo.search.advice import Advice
from certo.search.experiment import Experiment, SearchNode
from certo.search.tree import Tree
from certo.vocabulary.cost import Cost


class Bench(Protocol):
    """What a strategy works with: one call makes one try, with budget, events and bookkeeping seen to.

    Every try is in the `tree`, below the one it goes on from, whether the strategy looks at it or not.
    """

    @property
    def exhausted(self) -> bool:
        """Whether nobody will get another candidate: the generator has no more, or the budget."""
        ...

    def affords(self) -> bool:
        """Whether there is something to be had for more work: for whoever thinks about what to try before it is."""
        ...

    @property
    def progress(self) -> float:
        """How much of the budget is spent, in percent, by the part of it of which most is; it never goes back."""
        ...

    @property
    def tree(self) -> Tree[Experiment]:
        """What was tried so far and what may be; the root is the problem's own text."""
        ...

    @property
    def chance(self) -> Random:
        """Where random choices come from: the same search makes the same ones again."""
        ...

    @property
    def advice(self) -> Advice:
        """Ideas what to try, and opinions on them, as far as the generator has any."""
        ...

    async def attempt(self, ask: Ask, /, *, at: SearchNode | None = None) -> Attempt | None:
        """Propose and judge one candidate; None when the generator declines or the budget grants no more.

        A candidate that was judged before is not judged again: its attempt is returned as it was. The node of what is
        new stands below that of the last attempt in the past; where `at` is given, it is that node which is tried.
        """
        ...

    def cost_of(self, attempt: Attempt, /) -> Cost | None:
        """What an attempt that passed costs; None for one that did not pass."""
        ...

    def enough(self, attempt: Attempt, /) -> bool:
        """Whether an attempt is all that was wanted of the search: it passed, and scores as much as it is to."""
        ...

    def add_idea(self, parent: SearchNode, idea: str, /) -> SearchNode:
        """Add something to try below a node."""
        ...

    def drop(self, node: SearchNode, reason: str, /) -> None:
        """Say that nothing more is to come of a node, and why."""
        ...

    def conclude(self, reason: str, /) -> None:
        """Say why the strategy leaves it at that, where it has not run out of what it may try."""
        ...


class Strategy(Protocol):
    """Decides what to try next. It ends when it has nothing more to try; the engine names the winner."""

    @property
    def name(self) -> str:
        """The name it is registered under."""
        ...

    async def pursue(self, bench: Bench, /) -> None:
        """Make attempts until there is a reason to stop."""
        ...
