"""Words that the terminal and the editor share: numbers, costs, tests and rulings."""

from __future__ import annotations

from collections.abc import Iterable

from certo.vocabulary.cost import Cost
from certo.vocabulary.verdict import Ruling, Verdict

SIGNS = {Ruling.PASSED: "✓", Ruling.FAILED: "✗", Ruling.UNDECIDED: "?"}
"""The sign of a ruling; they differ in shape, so they read without colour."""


def amount(number: float, noun: str) -> str:
    """A number with its noun, which is given in the singular: "1 test", "7 tests"."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def cost_in_words(cost: Cost) -> str:
    """A cost with its unit: "3 tokens"."""
    return amount(cost.value, cost.unit.removesuffix("s"))


def tests_of(verdicts: Iterable[Verdict]) -> tuple[int, int, int]:
    """How many tests passed, how many there were to pass, and how many of them were red before."""
    ran = [verdict.tests for verdict in verdicts if verdict.tests is not None]
    return (
        sum(tests.passed for tests in ran),
        sum(tests.collected for tests in ran),
        sum(tests.newly_passing for tests in ran),
    )
