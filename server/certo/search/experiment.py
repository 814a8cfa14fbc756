"""The content of a node in a search's tree: an idea, and the result of trying it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from certo.generation.generator import Attempt
from certo.search.scoring import could_be_tried
from certo.search.tree import Node
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score, merit_of

Happening = Literal["create", "expand", "experiment", "terminate"]
"""The things that can happen to a node, in Kapso's words."""


@dataclass(slots=True, kw_only=True)
class Experiment:
    """One idea of a search. Until it is tried, `attempt` and `score` are None, and None is not a score of 0.

    `idea` is empty if the generator is left to itself. `dropped` is the reason why it will not be followed any more, if
    so. `history` has the things that happened to it, each with the number of candidates judged by then.
    """

    idea: str = ""
    attempt: Attempt | None = None
    score: Score | None = None
    dropped: str = ""
    history: list[tuple[int, Happening]] = field(default_factory=list)

    @property
    def merit(self) -> float:
        """A sort key by score, higher is better; without a score it is lower than with any."""
        return merit_of(self.score)

    @property
    def had_error(self) -> bool:
        """True if it could not be tried to the end, because something other than a failing test was wrong with it."""
        return self.attempt is not None and not could_be_tried(self.attempt.report)

    @property
    def ended(self) -> bool:
        """True if nothing more will be tried at it: it was dropped, or caught cheating."""
        return bool(self.dropped) or (self.attempt is not None and caught((self.attempt,)))

    @property
    def feedback(self) -> str:
        """The findings of its verifiers, a line each; empty if it passed or was not tried."""
        if self.attempt is None:
            return ""
        objecting = self.attempt.report.objecting
        return "\n".join(finding.message for verdict in objecting for finding in verdict.findings)


def caught(past: Sequence[Attempt]) -> bool:
    """Return True if the last attempt of a branch was caught cheating; its generator is not asked again there."""
    return bool(past) and any(verdict.cheated for verdict in past[-1].report.verdicts)


SearchNode = Node[Experiment]
"""A node of a search's tree."""


def tried_above(node: SearchNode) -> tuple[Attempt, ...]:
    """Return the attempts on the way from the root to a node, itself included: the past of its next attempt."""
    return tuple(each.data.attempt for each in node.path if each.data.attempt is not None)
