"""The tree of a search rebuilt from its events, equal to the one that its bench had."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

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
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling


@dataclass(slots=True, kw_only=True)
class ReplayedNode:
    """One node as the events show it: its idea, if it has one in words, and the candidates that followed it.

    `number` is the idea's. `dropped` is the reason why it was not followed any more, if so. `history` has the things
    that happened to it, each with the number of candidates proposed by then.
    """

    number: int | None = None
    idea: str = ""
    rows: list[CandidateState] = field(default_factory=list)
    dropped: str = ""
    history: list[tuple[int, Happening]] = field(default_factory=list)

    @property
    def row(self) -> CandidateState | None:
        """The candidate that is shown for it: the best of those that followed the idea, of equal ones the last.

        A candidate that is still being judged is shown if there is no other.
        """
        return max(enumerate(self.rows), key=lambda each: (_merit(each[1]), each[0]), default=(0, None))[1]

    @property
    def had_error(self) -> bool:
        """True if it could not be tried to the end, because something other than a failing test was wrong with it."""
        failure = self.row.report.failure if self.row is not None else None
        return failure is not None and (failure.tests is None or failure.ruling is Ruling.UNDECIDED)


ReplayTreeNode = Node[ReplayedNode]
"""A node of a rebuilt tree."""


class TreeReplay:
    """Rebuilds the tree of a live or stored search from its events; `board` is the state they lead to.

    Wins and visits equal those that the search steered by. Ideas without words have no event: an attempt at one stands
    below the attempt it went on from. Candidates that the strategy did not ask for, such as a minimised winner, a rival
    or one of the user's, stand below the one they were made from and count neither as wins nor as visits.
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
        """Count a repeated answer as a visit without a win, as the bench did."""
        below = self._at(event.origin) or self._below(event.parent)
        # The bench counts the repetition after the first one was judged. If that is still going on, it waits for the
        # score, and if it never comes, the bench has not counted it either.
        if self.board.rows[event.candidate_id].scored:
            below.backpropagate(0.0)
        else:
            self._again.setdefault(event.candidate_id, []).append(below)

    def _at(self, origin: Origin) -> ReplayTreeNode | None:
        """Return the node of the idea that was followed, if it was one in words."""
        return self._ideas.get(origin.idea) if origin.idea is not None and self._is_own(origin) else None

    def _below(self, candidate: str | None) -> ReplayTreeNode:
        return self.tree.root if candidate is None else self._nodes.get(candidate, self.tree.root)

    def _is_own(self, origin: Origin) -> bool:
        return self.board.started is None or origin.generator == self.board.started.generator


def replay_tree(events: Iterable[Event]) -> TreeReplay:
    """Return the tree and the state of one search from its events."""
    replay = TreeReplay()
    for event in events:
        replay.apply(event)
    return replay


def _merit(row: CandidateState) -> float:
    return float("-inf") if row.score is None else row.score.merit
