"""Short texts for nodes of a search tree."""

from __future__ import annotations

from certo.presentation.phrases import objection
from certo.presentation.status import CandidateStatus, status_in_words
from certo.search.node_selection import UCT
from certo.search.replay import ReplayTreeNode, TreeReplay
from certo.vocabulary.display import one_line


def stats(node: ReplayTreeNode) -> str:
    """Return a node's figures as AgentTools prints them: "stats: 2.5/4, score: 1.33"."""
    return f"stats: {round(node.wins, 2):g}/{node.visits}, score: {round(UCT()(node), 2)}"


def reason(node: ReplayTreeNode, retraced: TreeReplay) -> str:
    """Return the reason why a node was not continued, in a few words; empty if there is none."""
    trace, row = node.data, node.data.row
    why = []
    if row is not None and row.scored and not row.passed:
        why.append(objection(row.report))
    elif row is not None and not row.passed:
        why.append(status_in_words(row, over=retraced.board.stopped is not None))
    elif row is not None and (said := status_in_words(row, over=True)) != CandidateStatus.VERIFIED.value:
        why.append(said)
    if trace.dropped:
        why.append(f"dropped: {one_line(trace.dropped)}")
    return "; ".join(why)
