"""The tree of a search as its events tell it: the one that its bench had, grown again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from certo.search.board import CandidateState, SearchState
from certo.search.experiment import Happening
from certo.search.scoring import progress_score
from certo.search.tree import Node, Tree
from certo.vocabulary.candidate import Origin
from certo.vocabulary.events import (
    CandidateProposed,
    CandidateRepeated,
    CandidateScored,
    Event,
    IdeaAdded,
    IdeaDropped,
)
from certo.vocabulary.verdict import Ruling


@dataclass(slots=True, kw_only=True)
class ReplayedNode:
    """What the events say of one node: its idea, if it has one in words, and the candidates that were tried by it.

    `number` is the idea's. `dropped` says why nothing more was to come of it, if so. `history` has what happened to it,
    each with the number of candidates that the search had seen by then.
    """

    number: int | None = None
    idea: str = ""
    rows: list[CandidateState] = field(default_factory=list)
    dropped: str = ""
    history: list[tuple[int, Happening]] = field(default_factory=list)

    @property
    def row(self) -> CandidateState | None:
        """The candidate it stands for: of several that were tried by one idea the best, of equally good ones the last.

        One that is still being judged stands for it as long as there is no other.
        """
        return max(enumerate(self.rows), key=lambda each: (_merit(each[1]), each[0]), default=(0, None))[1]

    @property
    def had_error(self) -> bool:
        """Whether it could not be tried to the end: something other than the outcome of its tests was wrong with it."""
        failure = self.row.report.failure if self.row is not None else None
        return failure is not None and (failure.tests is None or failure.ruling is Ruling.UNDECIDED)


ReplayTreeNode = Node[ReplayedNode]
"""A node of the tree that the events tell of."""


class TreeReplay:
    """Listens to a search, live or kept, and grows its tree again; `board` has all else that the events say.

    Wins and visits are those that the search itself steered by. Ideas without words are told to nobody: what was tried
    by one stands below what it goes on from. What the search did not try itself, such as a candidate that was made
    smaller in the end, a rival of the winner or one of the user's, stands where it came from and counts for nothing.
    """

    def __init__(self) -> None:
        self.board = SearchState()
        self.tree: Tree[ReplayedNode] = Tree(ReplayedNode())
        self._ideas: dict[int, ReplayTreeNode] = {}
        self._nodes: dict[str, ReplayTreeNode] = {}
        self._again: dict[str, list[ReplayTreeNode]] = {}

    def apply(self, event: Event) -> None:
        """Take one event into account; events come in order, each once."""
        self.board.apply(event)
        match event:
            case IdeaAdded():
                self._add(event)
            case IdeaDropped():
                node = self._ideas[event.idea]
                node.data.dropped = event.reason
                node.data.history.append((self._seen, "terminate"))
            case CandidateProposed():
                self._propose(event)
            case CandidateScored():
                self._score(event)
            case CandidateRepeated():
                self._repeat(event)

    @property
    def _seen(self) -> int:
        return len(self.board.rows)

    def _add(self, event: IdeaAdded) -> None:
        above = self.tree.root if event.parent is None else self._ideas[event.parent]
        node = self._ideas[event.idea] = self.tree.expand(above, ReplayedNode(number=event.idea, idea=event.text))
        node.data.history.append((self._seen, "create"))
        above.data.history.append((self._seen, "expand"))

    def _propose(self, event: CandidateProposed) -> None:
        node = self._at(event.origin) or self.tree.expand(self._below(event.parent), ReplayedNode())
        node.data.rows.append(self.board.rows[event.candidate_id])
        self._nodes[event.candidate_id] = node

    def _score(self, event: CandidateScored) -> None:
        node, row = self._nodes[event.candidate_id], self.board.rows[event.candidate_id]
        node.success = any(each.passed for each in node.data.rows)
        node.feedback = "\n".join(finding.message for each in row.report.objecting for finding in each.findings)
        if not self._is_own(row.origin) or row.rival_of is not None:
            return
        node.data.history.append((self._seen, "experiment"))
        started = self.board.started
        if started is not None:
            node.backpropagate(progress_score(row.report, started.verifiers, started.baseline).value)
        for below in self._again.pop(event.candidate_id, ()):
            below.backpropagate(0.0)

    def _repeat(self, event: CandidateRepeated) -> None:
        """Count what is no news, once it is known that it was judged at all."""
        below = self._at(event.origin) or self._below(event.parent)
        if self.board.rows[event.candidate_id].scored:
            below.backpropagate(0.0)
        else:
            self._again.setdefault(event.candidate_id, []).append(below)

    def _at(self, origin: Origin) -> ReplayTreeNode | None:
        """The node of the idea that was tried, if it was one in words."""
        return self._ideas.get(origin.idea) if origin.idea is not None and self._is_own(origin) else None

    def _below(self, candidate: str | None) -> ReplayTreeNode:
        return self.tree.root if candidate is None else self._nodes.get(candidate, self.tree.root)

    def _is_own(self, origin: Origin) -> bool:
        return self.board.started is None or origin.generator == self.board.started.generator


def replay_tree(events: Iterable[Event]) -> TreeReplay:
    """All that the events of one search tell."""
    replay = TreeReplay()
    for event in events:
        replay.apply(event)
    return replay


def _merit(row: CandidateState) -> float:
    return float("-inf") if row.score is None else row.score.merit
