"""The strategies by name: everything about one that others need to know, without importing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from certo.plugins import Registry
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:  # the terminal looks a strategy up by name, and that must not import the search
    from certo.search.strategy import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyEntry:
    """A built-in strategy, each part of it named by import path.

    `options` is the class of its settings, whose group has the strategy's name. `estimate` returns a `StrategyEstimate`
    from these options and the number of candidates that the budget covers. `wants_model` if it goes by what a language
    model says besides candidates. `title` heads its settings in an editor.
    """

    factory: str
    options: str
    estimate: str
    title: str
    wants_model: bool = False


ENTRIES: Mapping[str, StrategyEntry] = {
    "auto": StrategyEntry(
        factory="certo.strategies.auto:Auto",
        options="certo.strategies.auto:AutoOptions",
        estimate="certo.strategies.auto:estimate",
        title="Auto",
    ),
    "retry": StrategyEntry(
        factory="certo.strategies.retry:Retry",
        options="certo.strategies.retry:RetryOptions",
        estimate="certo.strategies.retry:estimate",
        title="Retry",
    ),
    "best_of": StrategyEntry(
        factory="certo.strategies.best_of:BestOf",
        options="certo.strategies.best_of:BestOfOptions",
        estimate="certo.strategies.best_of:estimate",
        title="Best of",
    ),
    "linear_search": StrategyEntry(
        factory="certo.strategies.linear_search:LinearSearch",
        options="certo.strategies.linear_search:LinearSearchOptions",
        estimate="certo.strategies.linear_search:estimate",
        title="Linear Search",
        wants_model=True,
    ),
    "llm_tree_search": StrategyEntry(
        factory="certo.strategies.llm_tree_search:LlmTreeSearch",
        options="certo.strategies.llm_tree_search:LlmTreeSearchOptions",
        estimate="certo.strategies.llm_tree_search:estimate",
        title="Tree of Ideas",
        wants_model=True,
    ),
    "mcts": StrategyEntry(
        factory="certo.strategies.mcts:Mcts",
        options="certo.strategies.mcts:MctsOptions",
        estimate="certo.strategies.mcts:estimate",
        title="Tree of Tries",
    ),
    "fixer": StrategyEntry(
        factory="certo.strategies.fixer:Fixer",
        options="certo.strategies.fixer:FixerOptions",
        estimate="certo.strategies.fixer:estimate",
        title="Fixer",
        wants_model=True,
    ),
}

STRATEGIES: Registry[Callable[[object], Strategy]] = Registry(
    kind="strategy",
    group="certo.strategies",
    builtin={name: entry.factory for name, entry in ENTRIES.items()},
)


def wants_model(name: str) -> bool:
    """Return True if a built-in strategy goes by what a language model says besides candidates."""
    return name in ENTRIES and ENTRIES[name].wants_model
