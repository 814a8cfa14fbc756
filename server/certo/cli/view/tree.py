"""Tree of a search: lines in the style of AgentTools for people, one object per node for programs."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Console
from rich.text import Text

from certo.cli.view.terminal import mark
from certo.presentation.phrases import first_line, objection
from certo.presentation.status import standing_of
from certo.presentation.tree_text import reason, stats
from certo.protocol.values import Report
from certo.search.node_selection import UCT
from certo.search.replay import ReplayTreeNode, TreeReplay
from certo.search.tree import drawing

_UNTRIED, _DROPPED = "·", "–"
_STYLES = {"✓": "good", "+": "good", "✗": "bad", "x": "bad", "?": "open", "…": "open", ".": "open"}
_SIGNED = re.compile(r"^[│├└─ ]*(\S)(?= (?:#|idea ))", re.MULTILINE)
_BEST = "the best"
_ROOT = "the problem's own text"


def draw(retraced: TreeReplay, console: Console) -> None:
    """Print the tree, a line per node: sign, name, wins and visits, score, and comment.

    The score is UCT's, the default selection of `mcts`. On a terminal no line is wider than the screen.
    """
    drawn = drawing(retraced.tree.root, lambda node: said(node, retraced, console))
    if not console.encoding.lower().startswith("utf"):
        drawn = drawn.translate(str.maketrans("│├└─", "||`-"))
    for line in drawn.split("\n"):
        text = Text(line)
        for found in _SIGNED.finditer(line):
            text.stylize(_STYLES.get(found[1], "quiet"), *found.span(1))
        text.highlight_regex(rf" {_BEST}$", "won")
        if console.is_terminal:
            text.truncate(console.width, overflow="ellipsis")
        console.print(text, soft_wrap=True)


def said(node: ReplayTreeNode, retraced: TreeReplay, console: Console) -> str:
    """Return one line about a node: "✗ #3 stats: 0.25/1, score: 1.21 keep it sorted test_one: assert 2 == 3"."""
    if node.parent is None:
        return f"{_ROOT}  {stats(node)}"
    trace, row = node.data, node.data.row
    over = retraced.board.stopped is not None
    sign = _untried(node) if row is None else standing_of(row, over=over).sign
    name = f"idea {trace.number}" if row is None else ", ".join(f"#{each.number}" for each in trace.rows)
    what = (
        f'"{first_line(trace.idea)}"'
        if trace.idea
        else ("" if row is None else row.origin.note or row.origin.generator)
    )
    parts = [f"{mark(sign, console)} {name}", stats(node), first_line(what), reason(node, retraced)]
    if row is not None and retraced.board.best in {each.candidate_id for each in trace.rows}:
        parts.append(_BEST)
    return "  ".join(filter(None, parts))


def nodes(retraced: TreeReplay) -> list[dict[str, Any]]:
    """Return every node for a program, in order of creation: Kapso's fields, and AgentTools' counts.

    `nodeEventHistory` lists its events, each with the number of candidates at the time. For a node that was not tried,
    `result` is null.
    """
    return [_node(node, retraced) for node in retraced.tree]


def _node(node: ReplayTreeNode, retraced: TreeReplay) -> dict[str, Any]:
    trace = node.data
    return {
        "type": "node",
        "nodeId": node.id,
        "parentId": None if node.parent is None else node.parent.id,
        "children": [child.id for child in node.children],
        "isRoot": node.parent is None,
        "isLeaf": node.is_leaf,
        "idea": trace.number,
        "solution": trace.idea,
        "candidates": [each.candidate_id for each in trace.rows],
        "wins": round(node.wins, 6),
        "visits": node.visits,
        "score": round(UCT()(node), 6),
        "isTerminated": bool(trace.dropped),
        "reason": trace.dropped,
        "nodeEventHistory": [list(each) for each in trace.history],
        "result": _result(node, retraced),
    }


def _result(node: ReplayTreeNode, retraced: TreeReplay) -> dict[str, Any] | None:
    row = node.data.row
    if row is None:
        return None
    report = Report.model_validate(row.report).model_dump(mode="json", by_alias=True)
    return {
        "candidate": row.candidate_id,
        "number": row.number,
        "standing": standing_of(row, over=retraced.board.stopped is not None).value,
        "isBest": row.candidate_id == retraced.board.best,
        "score": None if row.score is None else row.score.value,
        "maximize": row.score is None or row.score.maximize,
        "cost": None if row.cost is None else row.cost.value,
        "hadError": node.data.had_error,
        "errorMessage": objection(row.report),
        "feedbacks": node.feedback,
        "note": row.origin.note,
        "verdicts": report["verdicts"],
        "graded": report["graded"],
    }


def _untried(node: ReplayTreeNode) -> str:
    return _DROPPED if node.data.dropped else _UNTRIED
