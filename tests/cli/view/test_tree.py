"""The tree of a search in a terminal and for programs.

Every node can be exported with its history and its result, and is drawn as AgentTools draws it.
"""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from certo.cli.view.terminal import THEME
from certo.cli.view.tree import draw, nodes
from certo.search.replay import TreeReplay, replay_tree
from certo.vocabulary.candidate import Origin
from certo.vocabulary.events import CandidateProposed, Event, IdeaAdded
from support.search.events import told

pytestmark = pytest.mark.acceptance(55, 92)


def drawn(retracing: TreeReplay, *, width: int = 100, terminal: bool = False) -> list[str]:
    on = Console(file=io.StringIO(), width=width, theme=THEME, markup=False, highlight=False, force_terminal=terminal)
    draw(retracing, on)
    assert isinstance(on.file, io.StringIO)
    return on.file.getvalue().splitlines()


def with_ideas() -> TreeReplay:
    """A search in which one idea is still being tried and another was kept."""
    origin = Origin(generator="builtin", idea=7)
    more: list[Event] = [
        IdeaAdded(seq=1, search="s", at=9.0, idea=7, parent=1, text="keep a list\nof coins"),
        IdeaAdded(seq=2, search="s", at=9.0, idea=9, parent=7, text="count \u202edown"),
        CandidateProposed(
            seq=3, search="s", at=9.2, candidate_id="ccc", parent=None, origin=origin, edits=(), diff="", hunks=()
        ),
    ]
    return replay_tree([*told(), *more])


def test_nodes_show_sign_figures_and_reason() -> None:
    assert drawn(with_ideas()) == [
        "the problem's own text  stats: 1.56/3, score: 0.52",
        '├─ · idea 1  stats: 0/0, score: 0.0  "Pay with the largest coins first."',
        '│  ├─ – idea 2  stats: 0/0, score: 0.0  "Count the coins of each kind."  dropped: less promising than others',
        '│  └─ – #3  stats: 0/0, score: 0.0  "keep a list"  left unchecked',
        '│     └─ · idea 9  stats: 0/0, score: 0.0  "count \\u202edown"',
        "└─ ✗ #1  stats: 1.56/2, score: 1.83  negated the condition, line 2  test_exact: assert [50] == [50, 1]",
        "   └─ ✓ #2  stats: 1/1, score: 2.18  comparison `>` became `>=`, line 2  the best",
    ]


def test_terminal_lines_fit_its_width() -> None:
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in drawn(with_ideas(), width=60, terminal=True)) == 60


def test_json_has_every_node_and_field() -> None:
    exported = [json.loads(json.dumps(node)) for node in nodes(with_ideas())]
    root, *others = exported
    assert (root["nodeId"], root["parentId"], root["isRoot"], root["result"]) == (0, None, True, None)
    by_id = {node["nodeId"]: node for node in exported}
    for node in others:
        assert node["nodeId"] in by_id[node["parentId"]]["children"]
        assert node["isLeaf"] is (node["children"] == [])
    [dropped] = [node for node in others if node["isTerminated"]]
    assert (dropped["idea"], dropped["reason"]) == (2, "less promising than others")
    assert [kind for _, kind in dropped["nodeEventHistory"]] == ["create", "terminate"]
    [failed] = [node for node in others if node["candidates"] == ["aaa"]]
    assert failed["result"]["standing"] == "failed"
    assert failed["result"]["hadError"] is False
    assert failed["result"]["score"] is None or failed["result"]["score"] < 1
    [best] = [node for node in others if node["result"] and node["result"]["isBest"]]
    assert best["candidates"] == ["bbb"]
