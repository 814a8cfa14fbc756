"""Contract of advisers, which propose ideas and choose among ideas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from certo.generation.generator import Attempt
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaSummary:
    """An idea in a question to an adviser: its number in the tree, and the outcome of it or its parent, if known.

    `merit` is the score of the nearest tried idea, higher is better; `outcome` its description.
    """

    number: int
    idea: str
    merit: float | None = None
    outcome: str = ""
    tried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaRequest:
    """Request for at most `count` new ideas to follow `idea` and the tries in `past`, oldest first.

    `known` are existing ideas, `errors` recent errors elsewhere. Each set of ideas is refined in `steps` rounds, each
    seeing the previous one. All `models` propose concurrently; none means the generator's own. `progress` is the spent
    part of the budget in percent. `effort` is the reasoning effort in the provider's words.
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
    """Request to choose from `least` to `most` sketches by `criteria`, to continue with or to discard."""

    least: int
    most: int
    criteria: str
    model: str = ""
    effort: str = ""
    progress: float = 0.0


@runtime_checkable
class Adviser(Protocol):
    """A proposer that also has ideas and chooses among ideas. The caller checks its answers."""

    async def ideas(self, wanted: IdeaRequest, /) -> tuple[str, ...]:
        """Return new ideas, in words that it understands as `Ask.idea`.

        Raises:
            ModelFailed: No required language model has answered.
        """
        ...

    async def choose(self, among: Sequence[IdeaSummary], choice: SelectionRequest, /) -> tuple[int, ...]:
        """Return the numbers of the chosen sketches, the best first.

        Raises:
            ModelFailed: The required language model gave no usable answer.
        """
        ...
