"""Several costs as one, and candidates whose price cannot be had.

Others may bring a cost, a function or a class, sync or async; a cost that raises loses no candidate.
"""

from __future__ import annotations

import math

import anyio.lowlevel
import pytest

from certo.costs.complexity import CognitiveComplexity
from certo.costs.measures import EditSize, NewLint, RunTime
from certo.costs.model import CostModel, Weighted, WeightedPart, priced
from certo.costs.options import CostOptions
from certo.costs.plugged import as_cost_model
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import UNKNOWN, Cost
from certo.vocabulary.errors import BadSetting, BudgetExhausted
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(36, 37)

TEXT = "def f(x):\n    return x\n"
PROBLEM = problem_about(TEXT, "f")
NESTED = with_body(PROBLEM, "if x:  # noqa: complexipy\n        for y in x:\n            return y\n    return x")


def report(*seconds: float) -> Report:
    evidence = [TestEvidence(collected=1, ran=1, passed=1, failed=0, skipped=0, seconds=each) for each in seconds]
    verdicts = [Verdict(verifier="tests", ruling=Ruling.PASSED, tests=each) for each in evidence]
    return Report(candidate_id=NESTED.id, verdicts=(Verdict(verifier="syntax", ruling=Ruling.PASSED), *verdicts))


async def cost_of(model: CostModel, candidate: Candidate = NESTED, of: Report | None = None) -> Cost:
    return await priced(model, candidate, report() if of is None else of, PROBLEM)


class Raises:
    """A cost that cannot be paid for."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        raise BudgetExhausted("nothing is left")


class Endless:
    """A cost that is no number."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        return Cost(value=math.nan, unit="points", source="points of nonsense")


async def test_the_time_of_tests_is_added_up() -> None:
    cost = await cost_of(RunTime(), of=report(0.25, 0.5))
    assert (cost.value, cost.unit) == (0.75, "seconds")
    assert (
        await cost_of(RunTime())
    ).source == "not priced: ValueError: no test was run on it that could have been timed"


async def test_comments_do_not_lower_complexity() -> None:
    """Only the target's complexity counts."""
    assert (await cost_of(CognitiveComplexity())).value == 3.0
    assert (await cost_of(CognitiveComplexity(), with_body(PROBLEM, "return x + 1"))).value == 0.0


async def test_new_lint_is_counted() -> None:
    async def lint(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        return tuple(Finding(message=line) for line in candidate.text.splitlines() if "noqa" in line)

    assert await cost_of(NewLint(lint)) == Cost(
        value=1.0, unit="findings", source="findings that are new to the linter"
    )


async def test_parts_are_weighed_added_and_shown() -> None:
    size = await cost_of(EditSize())
    parts = (
        WeightedPart(name="size", weight=0.5, model=EditSize()),
        WeightedPart(name="complexity", weight=2.0, model=CognitiveComplexity()),
    )
    cost = await cost_of(Weighted(parts))
    assert cost.value == 0.5 * size.value + 6.0
    assert cost.source == f"size {size.value:g} × 0.5 + complexity 3 × 2"


@pytest.mark.parametrize(
    ("model", "reason"), [(Raises(), "BudgetExhausted: nothing is left"), (Endless(), "nan is no cost")]
)
async def test_unpriced_candidates_come_last_with_reason(model: CostModel, reason: str) -> None:
    for priced_by in (
        model,
        Weighted(
            (WeightedPart(name="size", weight=1, model=EditSize()), WeightedPart(name="x", weight=1, model=model))
        ),
    ):
        cost = await cost_of(priced_by)
        assert (cost.value, cost.known) == (UNKNOWN, False)
        assert cost.source.startswith(f"not priced: {reason}")


class Brought:
    """A cost as a class with `price`."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        return Cost(value=7.0, unit="points", source="points by a class")


def lines(code: str) -> int:
    return len(code.splitlines())


async def slow_lines(code: str) -> float:
    await anyio.lowlevel.checkpoint()
    return lines(code) / 2


class Callable:
    """A cost as a class that is called."""

    def __call__(self, code: str) -> Cost:
        return Cost(value=9.0, unit="points", source="points by a call")


@pytest.mark.parametrize(
    ("brought", "value"), [(Brought, 7.0), (Brought(), 7.0), (lines, 5.0), (slow_lines, 2.5), (Callable, 9.0)]
)
async def test_costs_are_functions_or_classes(brought: object, value: float) -> None:
    """Either may be asynchronous."""
    assert (await cost_of(as_cost_model(brought, "theirs"))).value == value


async def test_broken_costs_are_refused_or_unpriced() -> None:
    """A cost that returns None leaves the candidate unpriced."""
    with pytest.raises(BadSetting, match="the cost 'theirs' is a int; it must be a function, or have price"):
        as_cost_model(3, "theirs")
    cost = await cost_of(as_cost_model(lambda *_: "cheap", "theirs"))
    assert cost.source == "not priced: TypeError: the cost 'theirs' returned 'cheap'; it must return a number or a Cost"


def test_options_name_what_is_wrong() -> None:
    assert CostOptions(calls=("fetch = 5", "post")).known_calls["fetch"] == 5.0
    assert CostOptions(calls=("fetch = 5", "post")).known_calls["post"] == 1.0
    assert CostOptions(size=0, plugins=("mine=2",)).brought == {"mine": 2.0}
    with pytest.raises(ValueError, match=r"cost.size must be at least 0, not -1"):
        CostOptions(size=-1)
    with pytest.raises(ValueError, match="one of the weights in cost must be more than 0"):
        CostOptions(size=0)
    with pytest.raises(ValueError, match=r"cost\.calls: 'fetch=much' is no name with a weight"):
        CostOptions(calls=("fetch=much",))
