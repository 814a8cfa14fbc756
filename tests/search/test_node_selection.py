"""UCT and Thompson sampling choose nodes to the figures of AgentTools."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.search.node_selection import UCT, ThompsonSampling, select_best
from certo.search.tree import Tree, before
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(85, 86, 87)


def example() -> Tree[str]:
    """The tree of AgentTools' documentation: a root of 2/3, a child of 2/2 with a child of 1/1, and one of 0/1."""
    tree = Tree("root")
    good = tree.expand(tree.root, "good")
    tree.expand(good, "better")
    tree.expand(tree.root, "bad")
    for number, (wins, visits) in enumerate([(2, 3), (2, 2), (1, 1), (0, 1)]):
        node = tree.find(number)
        node.wins, node.visits = wins, visits
    return tree


def test_uct_has_the_figures_of_agenttools():
    got = [UCT()(node) for node in example()]
    wanted = [
        2 / 3,
        1 + math.sqrt(2) * math.sqrt(math.log(3) / 2),
        1 + math.sqrt(2) * math.sqrt(math.log(2)),
        math.sqrt(2) * math.sqrt(math.log(3)),
    ]
    assert got == pytest.approx(wanted, abs=1e-9)
    assert [round(value, 2) for value in got] == [0.67, 2.05, 2.18, 1.48]


def test_uct_with_a_weight_of_its_own():
    tree = Tree("root")
    tree.root.visits = 30
    child = tree.expand(tree.root, "child")
    child.wins, child.visits = 10, 20
    assert UCT(exploration=2)(child) == pytest.approx(0.5 + 2 * math.sqrt(math.log(30) / 20), abs=1e-9)


def test_unvisited_nodes_score_zero_by_default():
    """With `unvisited` set to infinity each is tried once."""
    child = Tree("root").expand(Tree("root").root, "child")
    assert UCT()(child) == 0.0
    assert UCT(unvisited=math.inf)(child) == math.inf


def test_attempts_under_way_count_as_lost():
    tree = example()
    first = select_best(tree.root)
    first.expect(3)
    assert select_best(tree.root) is not first
    first.expect(-3)
    assert select_best(tree.root) is first


def test_ordering_decides_between_equal_nodes():
    """Postorder takes a leaf and preorder the root."""
    tree = example()
    for node in tree:
        node.wins = node.visits = 0
    assert select_best(tree.root, ordering="PostOrderDFS").data == "better"
    assert select_best(tree.root, ordering="PreOrderDFS").data == "root"


def test_grandchild_is_best_in_the_example():
    assert select_best(example().root).data == "better"


def test_only_nodes_in_question_are_chosen():
    """If there are none, the node itself is."""
    tree = example()
    assert select_best(tree.root, among=lambda node: node.data != "better").data == "good"
    assert select_best(tree.root, among=lambda _: False) is tree.root


def test_unknown_ordering_is_refused():
    with pytest.raises(BadSetting, match=r"there is no ordering 'Inorder'; known: PostOrderDFS, PreOrderDFS"):
        select_best(example().root, ordering="Inorder")


def test_thompson_sampling_draws_from_beta():
    tree = Tree("root")
    tree.root.wins, tree.root.visits = 6, 12
    scoring = ThompsonSampling(alpha=2, beta=1, chance=random.Random(5))
    drawn = [scoring(tree.root) for _ in range(20_000)]
    a, b = 8, 7
    assert statistics.fmean(drawn) == pytest.approx(a / (a + b), abs=0.005)
    assert statistics.variance(drawn) == pytest.approx(a * b / ((a + b) ** 2 * (a + b + 1)), abs=0.0005)


def test_the_same_seed_draws_the_same():
    nodes = list(example())
    first, second = (ThompsonSampling(chance=random.Random(3)) for _ in range(2))
    assert [first(node) for node in nodes] == [second(node) for node in nodes]


@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_a_prior_of_nothing_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} must be more than 0, not 0"):
        ThompsonSampling(**{name: 0})


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=15))
def test_chosen_node_is_the_first_best(rows):
    tree = Tree(0)
    for pick, wins, more in rows:
        node = tree.expand(tree.find(pick % len(tree)), 0)
        node.wins, node.visits = wins, wins + more
    tree.root.visits = sum(node.visits for node in tree)
    scores = {node.id: UCT()(node) for node in tree}
    chosen = select_best(tree.root, ordering="PreOrderDFS")
    earlier = list(before(tree.root))
    assert scores[chosen.id] == max(scores.values())
    assert all(scores[node.id] < scores[chosen.id] for node in earlier[: earlier.index(chosen)])
