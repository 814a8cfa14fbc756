"""The strategies that are compared, each set up for the same number of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from certo.search.strategy import Strategy
from certo.strategies.auto import Auto, AutoOptions
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.fixer import Fixer, FixerOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions

CALLS = 40
"""How many calls of the model each may make."""

CONTENDERS: Mapping[str, Callable[[], Strategy]] = {
    "retry, 3 lines": lambda: Retry(RetryOptions(max_iterations=CALLS)),
    "retry, 1 line": lambda: Retry(RetryOptions(num_candidates=1, max_iterations=CALLS)),
    "best_of": lambda: BestOf(BestOfOptions(num_candidates=CALLS)),
    "linear_search": lambda: LinearSearch(LinearSearchOptions()),
    "llm_tree_search": lambda: LlmTreeSearch(LlmTreeSearchOptions()),
    "mcts, UCT": lambda: Mcts(MctsOptions(max_retries=CALLS)),
    "mcts, Thompson": lambda: Mcts(MctsOptions(max_retries=CALLS, scoring="ThompsonSampling")),
    "fixer": lambda: Fixer(FixerOptions(num_rounds=CALLS)),
    "auto": lambda: Auto(AutoOptions()),
}
"""How each is made: as it ships, but for how long it goes on."""
