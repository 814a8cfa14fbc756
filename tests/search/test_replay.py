"""The tree that the events of a search tell of is the one that its bench had.

A node's history and figures can be had from the events alone, whatever the strategy.
"""

from __future__ import annotations

import random

import pytest

from certo.search.replay import ReplayTreeNode, TreeReplay, replay_tree
from certo.search.strategy import Bench, Strategy
from certo.storage.serialization import event_of, line_of
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.vocabulary.candidate import Origin
from certo.vocabulary.events import CandidateProposed, CandidateScored
from strategies.test_tree_strategies import Answer, run
from support.search.events import told

pytestmark = pytest.mark.acceptance(55, 92)

STRATEGIES: dict[str, Strategy] = {
    "retry": Retry(RetryOptions(max_iterations=3, num_candidates=4)),
    "best_of": BestOf(BestOfOptions(num_candidates=12)),
    "linear_search": LinearSearch(LinearSearchOptions()),
    "llm_tree_search": LlmTreeSearch(LlmTreeSearchOptions(experimentation_per_run=3)),
    "mcts": Mcts(MctsOptions(n_samples=3, max_retries=20)),
    "thompson": Mcts(MctsOptions(scoring="ThompsonSampling", n_samples=2, max_retries=20)),
}


def wandering(seed: int) -> Answer:
    """Texts good and bad, some of which come again and some of which cannot be tried."""
    chance = random.Random(seed)

    def answer(_: object) -> str:
        kind = chance.random()
        if kind < 0.2:
            return "return broken"
        return f"return {chance.randrange(10)}  # {chance.randrange(3)}"

    return answer


def by_number(retracing: TreeReplay) -> dict[object, tuple[float, int]]:
    """Wins and visits of every node, by its idea or by its candidate."""
    return {_name(node): (round(node.wins, 9), node.visits) for node in retracing.tree}


def _name(node: ReplayTreeNode) -> object:
    if node.parent is None:
        return "root"
    return node.data.rows[0].candidate_id if node.data.number is None else node.data.number


def at_the_bench(bench: Bench) -> dict[object, tuple[float, int]]:
    found: dict[object, tuple[float, int]] = {}
    for node in bench.tree:
        attempt = node.data.attempt
        name = "root" if node.parent is None else node.id if node.data.idea else attempt and attempt.candidate.id
        found[name] = (round(node.wins, 9), node.visits)
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", STRATEGIES)
async def test_replayed_counts_equal_the_strategys(name: str, seed: int) -> None:
    _, bench, events = await run(STRATEGIES[name], wandering(seed), candidates=30)
    assert len(bench.tree) > 4
    # By way of the journal, whose lines are all that `certo searches show` has.
    assert by_number(replay_tree(event_of(line_of(event)) for event in events)) == at_the_bench(bench)


async def test_dropped_idea_keeps_reason_and_history() -> None:
    _, bench, events = await run(STRATEGIES["linear_search"], lambda _: "return broken", candidates=9)
    dropped = [node for node in bench.tree if node.data.dropped]
    assert dropped
    for node in replay_tree(events).tree:
        if node.data.number is not None:
            [same] = [each for each in bench.tree if each.id == node.data.number]
            assert (node.data.dropped, node.data.idea) == (same.data.dropped, same.data.idea)
            kinds = [kind for _, kind in node.data.history]
            assert kinds[0] == "create"
            assert ("terminate" in kinds) is bool(node.data.dropped)


def test_foreign_candidates_count_for_nothing() -> None:
    """They stand below the candidate they were made from."""
    smaller = [
        CandidateProposed(
            seq=1,
            search="s",
            at=9.0,
            candidate_id="ccc",
            parent="bbb",
            origin=Origin(generator="compaction", idea=1),
            edits=(),
            diff="",
            hunks=(),
        ),
        CandidateScored(seq=2, search="s", at=9.1, candidate_id="ccc", passed=True, verified=True, cost=None),
    ]
    before = replay_tree(told())
    after = replay_tree([*told(), *smaller])
    [node] = [node for node in after.tree if node.data.row and node.data.row.candidate_id == "ccc"]
    assert node.parent is not None
    assert node.parent.data.rows[0].candidate_id == "bbb"
    assert (node.wins, node.visits, node.success) == (0.0, 0, True)
    assert after.tree.root.visits == before.tree.root.visits == 3


def test_every_event_prefix_has_a_tree() -> None:
    events = told()
    visits = [replay_tree(events[:end]).tree.root.visits for end in range(len(events) + 1)]
    assert visits == sorted(visits)
    # Two tries, and one that was no news.
    assert (visits[0], visits[-1]) == (0, 3)
