"""The strategy contract: what to try next, given what the bench can do."""

from __future__ import annotations

from typing import Protocol

from certo.generation.generator import Ask, Attempt
from certo.vocabulary.cost import Cost


class Bench(Protocol):
    """What a strategy works with: one call makes one try, with budget, events and bookkeeping seen to."""

    @property
    def exhausted(self) -> bool:
        """Whether nobody will get another candidate: the generator has no more, or the budget."""
        ...

    async def attempt(self, ask: Ask, /) -> Attempt | None:
        """Propose and judge one candidate; None when the generator declines or the budget grants no more.

        A candidate that was judged before is not judged again: its attempt is returned as it was.
        """
        ...

    def cost_of(self, attempt: Attempt, /) -> Cost | None:
        """What an attempt that passed costs; None for one that did not pass."""
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
