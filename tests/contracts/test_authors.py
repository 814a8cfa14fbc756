"""The contracts of `certo.testing`: certo's own parts keep them, and a part that breaks one is found out.

The plug-ins in `examples/` are held to them by `tests/examples`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import anyio.lowlevel
import pytest

from certo.costs.control_flow import ControlFlow
from certo.costs.measures import EditSize
from certo.generation.generator import Ask
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.search.strategy import Bench, Strategy
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.testing import (
    CostContract,
    EvaluatorContract,
    ExecutorContract,
    GeneratorContract,
    StrategyContract,
    VerifierContract,
    fixtures,
)
from certo.testing.strategy import Planned
from certo.verification.static.signature import SignatureVerifier
from certo.verification.static.syntax import SyntaxVerifier


class TestRetry(StrategyContract):
    """Ours keeps what others' have to."""

    def strategy(self) -> Strategy:
        return Retry(RetryOptions())


class TestBestOf(StrategyContract):
    """Ours keeps what others' have to."""

    def strategy(self) -> Strategy:
        return BestOf(BestOfOptions())


class TestLinearSearch(StrategyContract):
    """Ours keeps what others' have to."""

    def strategy(self) -> Strategy:
        return LinearSearch(LinearSearchOptions())


class TestLlmTreeSearch(StrategyContract):
    """Ours keeps what others' have to."""

    def strategy(self) -> Strategy:
        return LlmTreeSearch(LlmTreeSearchOptions(experimentation_per_run=3))


class TestMcts(StrategyContract):
    """Ours keeps what others' have to."""

    def strategy(self) -> Strategy:
        return Mcts(MctsOptions(n_samples=3))


class TestLocalExecutor(ExecutorContract):
    """Ours keeps what others' have to."""

    def executor(self) -> LocalExecutor:
        return LocalExecutor(SandboxOptions(slots=2))


class TestSyntax(VerifierContract):
    """Ours keeps what others' have to."""

    good = "def half(n):\n    return n / 2\n"
    bad = "def half(n):\n    return n /\n"

    def verifier(self) -> object:
        return SyntaxVerifier()


class TestSignature(VerifierContract):
    """Ours keeps what others' have to."""

    good = "def half(n):\n    return n / 2\n"
    bad = "def half(n, m):\n    return n / m\n"

    def verifier(self) -> object:
        return SignatureVerifier


class TestEditSize(CostContract):
    """Ours keeps what others' have to."""

    cheap = "def half(n):\n    return n / 2\n"
    dear = "def half(n):\n    m = n * 1\n    return m / 2\n"

    def cost(self) -> object:
        return EditSize


class TestControlFlow(CostContract):
    """Ours keeps what others' have to."""

    cheap = "def half(n):\n    return n / 2\n"
    dear = "def half(n):\n    for _ in range(9):\n        ask(n)\n    return n / 2\n"

    def cost(self) -> object:
        return ControlFlow({"ask": 5.0})


class Stubborn:
    """A strategy that can do one thing wrong."""

    name = "stubborn"

    def __init__(self, pursue: Callable[[Bench], Any]) -> None:
        self.pursue = pursue


async def never_asks(bench: Bench) -> None:
    await anyio.lowlevel.checkpoint()


async def never_stops(bench: Bench) -> None:
    while True:
        await bench.attempt(Ask())


async def never_content(bench: Bench) -> None:
    while not bench.exhausted:
        await bench.attempt(Ask())


@pytest.mark.parametrize(
    ("pursue", "check", "words"),
    [
        (never_asks, "test_it_has_a_name_and_makes_a_try", "asked for no candidate"),
        (never_stops, "test_it_ends_when_the_budget_is_spent", "it has not ended within 0.3 s"),
        (never_content, "test_it_ends_when_it_hears_the_same_over_and_over", "it has not ended within 0.3 s"),
        (never_content, "test_it_stops_when_it_has_what_was_wanted", "more candidates after one had passed"),
        (never_stops, "test_it_ends_when_there_are_no_more_candidates", "it has not ended within 0.3 s"),
    ],
)
def test_strategies_that_break_contract_are_found(
    pursue: Callable[[Bench], Any], check: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(StrategyContract):
        def strategy(self) -> Strategy:
            return Stubborn(pursue)

    monkeypatch.setattr(fixtures, "PATIENCE", 0.3)
    with pytest.raises((AssertionError, TimeoutError), match=words):
        getattr(Wrong(), check)()


def test_parts_that_break_contract_are_found() -> None:
    class Lenient(VerifierContract):
        good = bad = "def half(n):\n    return n\n"

        def verifier(self) -> object:
            return lambda _: True

    with pytest.raises(AssertionError, match="it passes the bad code"):
        Lenient().test_it_fails_what_is_bad_and_says_why()

    class Upside(CostContract):
        cheap = "def half(n):\n    return n / 2\n"
        dear = "def half(n):\n    m = n\n    return m / 2\n"

        def cost(self) -> object:
            return lambda code: -len(code)

    with pytest.raises(AssertionError, match="is not less than"):
        Upside().test_what_is_better_costs_less()

    class Unsteady(EvaluatorContract):
        better = worse = "def half(n):\n    return n\n"
        scores = itertools.count()

        def evaluator(self) -> object:
            return lambda _: next(self.scores)

    with pytest.raises(AssertionError, match=r"better: 0\.0, worse: 1\.0"):
        Unsteady().test_the_better_code_has_the_better_score()
    with pytest.raises(AssertionError):
        Unsteady().test_it_says_the_same_each_time()

    class Silent(GeneratorContract):
        def generator(self) -> Any:
            planned = Planned(lambda _: None)
            planned.name = ""
            return planned

    with pytest.raises(AssertionError):
        Silent().test_it_has_a_name()
