"""What a node of a search's tree holds: an idea, and what came of trying it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from certo.generation.generator import Attempt
from certo.search.scoring import could_be_tried
from certo.search.tree import Node
from certo.vocabulary.score import Score, merit_of

Happening = Literal["create", "expand", "experiment", "terminate"]
"""What can happen to a node, in Kapso's words."""


@dataclass(slots=True, kw_only=True)
class Experiment:
    """One idea of a search. As long as it was not tried there is no `attempt`, and no `score`, which is not 0.

    `idea` is empty where the generator is left to itself. `dropped` says why nothing more is to come of it, if so.
    `history` has what happened to it, each with the number of candidates that the search had judged by then.
    """

    idea: str = ""
    attempt: Attempt | None = None
    score: Score | None = None
    dropped: str = ""
    history: list[tuple[int, Happening]] = field(default_factory=list)

    @property
    def merit(self) -> float:
        """How good it is, more is better; what has no score is worse than all that have one."""
        return merit_of(self.score)

    @property
    def had_error(self) -> bool:
        """Whether it could not be tried to the end: something other than the outcome of its tests was wrong with it."""
        return self.attempt is not None and not could_be_tried(self.attempt.report)

    @property
    def ended(self) -> bool:
        """Whether nothing more is to come of it: it was dropped, or caught cheating."""
        return bool(self.dropped) or (self.attempt is not None and caught((self.attempt,)))

    @property
    def feedback(self) -> str:
        """What its checks objected to, a line each; nothing when it passed or was not tried."""
        if self.attempt is None:
            return ""
        objecting = self.attempt.report.objecting
        return "\n".join(finding.message for verdict in objecting for finding in verdict.findings)


def caught(past: Sequence[Attempt]) -> bool:
    """Whether the last of a line of tries was caught cheating: whoever made it is not asked for another one there."""
    return bool(past) and any(verdict.cheated for verdict in past[-1].report.verdicts)


SearchNode = Node[Experiment]
"""A node of a search's tree."""


def tried_above(node: SearchNode) -> tuple[Attempt, ...]:
    """What was tried on the way from the root to a node, the node itself included: what its next try goes on from."""
    return tuple(each.data.attempt for each in node.path if each.data.attempt is not None)
