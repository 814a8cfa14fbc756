"""Lines of a search's tree: where each begins and ends, and when going on with it brings no more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import Ask
from certo.search.branches import PATIENCE, branches_of
from certo.search.experiment import Experiment, SearchNode
from certo.search.tree import Tree
from certo.vocabulary.score import Score
from support.search.candidates import attempt


def tried(tree: Tree[Experiment], parent: SearchNode, value: float) -> SearchNode:
    """Add a try with a score below a node."""
    score = Score(value=value, unit="of 1", source="made up")
    node = tree.expand(parent, Experiment(attempt=attempt(Ask(attempt=len(tree)), passes=False), score=score))
    node.success = False
    node.backpropagate(value)
    return node


def chain(tree: Tree[Experiment], *values: float) -> SearchNode:
    """Add a lane with these scores, each from the one before; returns the last."""
    node = tree.root
    for value in values:
        node = tried(tree, node, value)
    return node


def test_empty_tree_has_no_branch():
    assert branches_of(Tree(Experiment())) == ()


def test_untried_ideas_belong_to_no_branch():
    tree = Tree(Experiment())
    idea = tree.expand(tree.root, Experiment(idea="have an idea"))
    first = tried(tree, idea, 0.1)
    tree.expand(first, Experiment(idea="and another one"))
    (line,) = branches_of(tree)
    assert line.nodes == (first,)


def test_attempts_from_the_original_begin_branches():
    tree = Tree(Experiment())
    ends = chain(tree, 0.1, 0.2), chain(tree, 0.3)
    assert [line.last for line in branches_of(tree)] == list(ends)
    assert [line.beginning.parent for line in branches_of(tree)] == [tree.root, tree.root]


def test_branch_without_improvement_is_spent():
    tree = Tree(Experiment())
    end = chain(tree, 0.5, 0.6)
    for value in [0.6] * PATIENCE:
        assert not branches_of(tree)[0].spent
        end = tried(tree, end, value)
    assert branches_of(tree)[0].spent
    tried(tree, end, 0.7)
    assert branches_of(tree)[0].stale == 0
    assert not branches_of(tree)[0].spent


def test_repeated_answer_is_no_improvement():
    tree = Tree(Experiment())
    end = chain(tree, 0.5, 0.6)
    for _ in range(PATIENCE):
        end.backpropagate(0.0)
    (line,) = branches_of(tree)
    assert (line.stale, line.spent) == (PATIENCE, True)


def test_repeated_beginnings_extend_the_patience():
    """Every branch may go on for longer if new beginnings only repeat old ones."""
    tree = Tree(Experiment())
    chain(tree, *[0.5] * (1 + PATIENCE))
    assert branches_of(tree)[0].spent
    tree.root.backpropagate(0.0)
    assert not branches_of(tree)[0].spent


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=6), max_size=4))
def test_branches_partition_the_attempts(scores):
    """The best attempt of each branch is as long ago as the branch is stale."""
    tree = Tree(Experiment())
    for values in scores:
        chain(tree, *values)
    lines = branches_of(tree)
    assert [[spot.data.merit for spot in line.nodes] for line in lines] == scores
    for line in lines:
        merits = [spot.data.merit for spot in line.nodes]
        assert merits.index(max(merits)) == len(merits) - 1 - line.stale


@given(st.floats(0, 1))
def test_missing_score_is_worse_than_any(value):
    tree = Tree(Experiment())
    end = chain(tree, 0.0)
    end.data.score = None
    assert branches_of(tree)[0].stale == 0
    tried(tree, end, value)
    assert branches_of(tree)[0].stale == 0
