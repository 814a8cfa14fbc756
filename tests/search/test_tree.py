"""The tree of tries: its nodes, results, feedback and drawing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.search.tree import Node, Tree, after, before, drawing

pytestmark = pytest.mark.acceptance(83, 84, 91, 92, 93)


def grown(parents: list[int]) -> Tree[str]:
    """A tree in which node n + 1 stands below the node that `parents[n]` picks from those before it."""
    tree = Tree("root")
    for number, pick in enumerate(parents):
        parent = tree.find(pick % len(tree))
        assert parent is not None
        tree.expand(parent, f"n{number + 1}")
    return tree


SHAPES = st.lists(st.integers(min_value=0, max_value=1000), max_size=40).map(grown)


def test_nodes_have_unique_numbers():
    tree = grown([0] * 1000)
    assert [node.id for node in tree] == list(range(1001))
    assert all(tree.find(node.id) is node for node in tree)
    assert tree.find(1001) is None
    assert tree.find(-1) is None
    assert len(tree) == 1001


def test_results_count_on_the_way_up():
    """They count for a node and for all above it, and for no other."""
    tree = grown([0, 1, 0])
    tree.find(2).backpropagate(1)
    tree.find(3).backpropagate(0, visits=2)
    assert [(node.wins, node.visits) for node in tree] == [(1, 3), (1, 1), (1, 1), (0, 2)]


@given(SHAPES, st.lists(st.tuples(st.integers(0, 40), st.floats(0, 1)), max_size=30))
def test_node_counts_include_its_descendants(tree: Tree[str], results: list[tuple[int, float]]):
    for number, wins in results:
        tree.find(number % len(tree)).backpropagate(wins)
    for node in tree:
        assert node.visits >= sum(child.visits for child in node.children)
        assert 0 <= node.wins <= node.visits + 1e-9
    assert tree.root.visits == len(results)


@given(SHAPES, st.lists(st.integers(0, 40), max_size=20))
def test_ended_attempts_leave_no_virtual_loss(tree: Tree[str], numbers: list[int]):
    for number in numbers:
        tree.find(number % len(tree)).expect()
    assert tree.root.under_way == len(numbers)
    for number in numbers:
        tree.find(number % len(tree)).expect(-1)
    assert all(node.under_way == 0 for node in tree)


@given(SHAPES)
def test_orders_visit_every_node_once(tree: Tree[str]):
    """Each parent comes on its own side of its children."""
    for order, sign in ((before, 1), (after, -1)):
        places = {node.id: place for place, node in enumerate(order(tree.root))}
        assert sorted(places) == list(range(len(tree)))
        assert all(sign * places[node.id] < sign * places[child.id] for node in tree for child in node.children)


def test_both_orders_take_oldest_children_first():
    tree = grown([0, 0, 1, 1, 2])
    assert [node.id for node in before(tree.root)] == [0, 1, 3, 4, 2, 5]
    assert [node.id for node in after(tree.root)] == [3, 4, 1, 5, 2, 0]


def test_feedback_is_collected_from_root_down():
    """Blank feedback is left out."""
    tree = Tree("root")
    tree.root.feedback = "start"
    silent = tree.expand(tree.root, "a", feedback="  ")
    last = tree.expand(silent, "b", feedback="end")
    tree.expand(tree.root, "c", feedback="of another branch")
    assert last.collected_feedback() == "start\n----------\nend"
    assert tree.root.children[1].collected_feedback() == "start\n----------\nof another branch"


def test_nodes_are_found_by_number():
    """An unknown number finds none."""
    tree = grown([0, 1, 0])
    assert [tree[number] for number in range(4)] == list(tree)
    for number in (4, -1):
        assert tree.find(number) is None
        with pytest.raises(KeyError, match=f"there is no node {number}; they go from 0 to 3"):
            tree[number]


def test_success_is_reset_in_the_subtree():
    tree = grown([0, 1, 0])
    tree.find(1).reset_success(success=False)
    assert [node.success for node in tree] == [None, False, False, None]


def test_path_and_depth_begin_at_root():
    tree = grown([0, 1, 2])
    last = tree.find(3)
    assert [node.id for node in last.path] == [0, 1, 2, 3]
    assert (tree.root.depth, last.depth) == (0, 3)
    assert [node.id for node in tree.leaves()] == [3]


def said(node: Node[str]) -> str:
    return node.data


def test_drawing_looks_like_agenttools():
    tree = grown([0, 1, 1, 0, 4])
    assert drawing(tree.root, said) == "\n".join(["root", "├─ n1", "│  ├─ n2", "│  └─ n3", "└─ n4", "   └─ n5"])


def test_long_node_text_keeps_its_indent():
    tree = Tree("root")
    first = tree.expand(tree.root, "one\ntwo")
    tree.expand(first, "three")
    tree.expand(tree.root, "four\nfive")
    assert drawing(tree.root, said).splitlines() == ["root", "├─ one", "│  two", "│  └─ three", "└─ four", "   five"]


@given(SHAPES)
def test_drawing_lists_nodes_in_preorder(tree: Tree[str]):
    """Each has a line."""
    lines = drawing(tree.root, said).splitlines()
    assert [line.split()[-1] for line in lines] == [node.data for node in before(tree.root)]


def test_deep_trees_are_walked_and_drawn():
    tree = Tree("root")
    node = tree.root
    for number in range(5000):
        node = tree.expand(node, str(number))
    assert sum(1 for _ in before(tree.root)) == sum(1 for _ in after(tree.root)) == 5001
    assert drawing(tree.root, said).endswith("└─ 4999")


def test_repeats_are_counted_at_their_node():
    """A repeat is an attempt that ended without a new node."""
    tree = Tree("root")
    child = tree.expand(tree.root, "child", success=False)
    child.backpropagate(0.5)
    assert (tree.root.repeats, child.repeats) == (0, 0)
    child.backpropagate(0.0)
    tree.root.backpropagate(0.0)
    tree.root.backpropagate(0.0)
    assert (tree.root.repeats, child.repeats) == (2, 1)
