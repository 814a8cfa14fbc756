"""What `certo.testing` asks of others' plug-ins: the README's are held to it, ours too, and what is wrong is found.

Row 12: a generator of another's, which says why it has no candidate. Row 75: a strategy of one's own in twenty lines,
with the history and the best of its search. Rows 14, 36 and 41: a verifier, a cost and an executor of another's.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio.lowlevel
import pytest

from certo.costs.control_flow import ControlFlow
from certo.costs.size import EditSize
from certo.generation.generator import Ask
from certo.plugins import Registry
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.search.strategy import Bench, Strategy
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.linear_search import LinearSearch, LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearch, LlmTreeSearchOptions
from certo.strategies.mcts import Mcts, MctsOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.testing import CostContract, ExecutorContract, GeneratorContract, StrategyContract, VerifierContract, staged
from certo.testing.planned import Planned
from certo.verification.signature import SignatureVerifier
from certo.verification.syntax import SyntaxVerifier

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"^```python\n(.*?)^```",
    README.partition("## Plug-ins of your own")[2].partition("\n## ")[0],
    re.MULTILINE | re.DOTALL,
)
KINDS = (StrategyContract, GeneratorContract, VerifierContract, CostContract, ExecutorContract)


def contract_of(example: str) -> type:
    """The test class that an example ends with."""
    scope: dict[str, Any] = {"__name__": "example"}
    exec(example, scope)
    [found] = [
        each for each in scope.values() if inspect.isclass(each) and each not in KINDS and issubclass(each, KINDS)
    ]
    return found


def checks(contract: type) -> Iterator[str]:
    return (name for name in dir(contract) if name.startswith("test_"))


def each_check() -> Iterator[object]:
    for number, kind in enumerate(KINDS):
        for name in checks(kind):
            yield pytest.param(number, name, id=f"{kind.__name__}-{name}")


def test_there_is_an_example_of_each_kind_in_some_twenty_lines() -> None:
    assert [contract_of(example).__mro__[1] for example in EXAMPLES] == list(KINDS)
    assert all(len([line for line in example.splitlines() if line.strip()]) <= 25 for example in EXAMPLES)


@pytest.mark.parametrize(("number", "name"), list(each_check()))
def test_the_examples_of_the_readme_keep_their_contracts(number: int, name: str) -> None:
    getattr(contract_of(EXAMPLES[number])(), name)()


def test_what_an_example_registers_is_known_by_its_name() -> None:
    contract_of(EXAMPLES[0])
    table: Registry[Any] = Registry(kind="strategy", group="certo.strategies", builtin={})
    assert table.load("greedy").__name__ == "Greedy"


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
def test_a_strategy_that_breaks_the_contract_is_found_out(
    pursue: Callable[[Bench], Any], check: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(StrategyContract):
        def strategy(self) -> Strategy:
            return Stubborn(pursue)

    monkeypatch.setattr(staged, "PATIENCE", 0.3)
    with pytest.raises((AssertionError, TimeoutError), match=words):
        getattr(Wrong(), check)()


def test_parts_that_break_their_contract_are_found_out() -> None:
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

    class Silent(GeneratorContract):
        def generator(self) -> Any:
            planned = Planned(lambda _: None)
            planned.name = ""
            return planned

    with pytest.raises(AssertionError):
        Silent().test_it_has_a_name()
