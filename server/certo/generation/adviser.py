"""The adviser contract: who has ideas what to try, and says which of them are the most promising."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from certo.generation.generator import Attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaSummary:
    """An idea as an adviser is told of it: its number in the tree, what came of it or of what it grew from, if known.

    `merit` is how good the nearest thing that was tried is, more is better; `outcome` what was said of it.
    """

    number: int
    idea: str
    merit: float | None = None
    outcome: str = ""
    tried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaRequest:
    """A wish for new ideas: at most `count`, to go on from what was tried (`past`, oldest first) with `idea`.

    `known` are ideas there are already, `errors` what went wrong elsewhere lately. In `steps` rounds each set of ideas
    is refined, each round seeing the one before. Each of `models` proposes, at the same time; none is the generator's
    own. `progress` is how much of the budget is spent, in percent. `effort` is how hard to think, in the provider's
    words.
    """

    count: int
    past: tuple[Attempt, ...] = ()
    idea: str = ""
    known: tuple[IdeaSummary, ...] = ()
    errors: tuple[str, ...] = ()
    steps: int = 1
    models: tuple[str, ...] = ()
    effort: str = ""
    progress: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionRequest:
    """A wish to choose from `least` to `most` of some sketches by `criteria`, those to go on with or to be rid of."""

    least: int
    most: int
    criteria: str
    model: str = ""
    effort: str = ""
    progress: float = 0.0


@runtime_checkable
class Adviser(Protocol):
    """A proposer that has ideas, and opinions on ideas. What it says is checked by whoever asks."""

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        """New ideas, in words that it understands when it is asked for a candidate that follows one.

        Raises:
            ModelFailed: no language model that it needs has answered.
        """
        ...

    async def choose(self, among: Sequence[IdeaSummary], choice: SelectionRequest, /) -> tuple[int, ...]:
        """Return the numbers of the sketches it would choose, the best first.

        Raises:
            ModelFailed: the language model that it needs did not answer, or answered nothing of use.
        """
        ...
