"""The examples of A1's pages on strategies and on evaluation criteria, rewritten for certo.

Models answer from a script, and runs in the sandbox are real.
"""

from __future__ import annotations

import ast
from pathlib import Path

import anyio
import pytest

from certo import (
    LLM,
    AllOf,
    Example,
    IsFunction,
    QualitativeCriteria,
    QuantitativeCriteria,
    Runtime,
    Specification,
    Strategy,
    WeightedSum,
    build,
    generate,
    run,
)
from certo.vocabulary.errors import AttemptsFailed
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(8, 9, 10, 14, 28, 32, 103)

LOOP = """Here you are:

```python
def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
```
"""
RECURSION = """```python
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
```"""
OFF_BY_ONE = "```python\ndef fibonacci(n: int) -> int:\n    return n\n```"


def fibonacci(n: int) -> int:
    """The n-th number of Fibonacci's sequence, which begins with 0 and 1."""
    raise NotImplementedError


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return make_runtime(tmp_path)


async def test_strategy_page_basic_usage(runtime: Runtime) -> None:
    writer = Answers([reply(OFF_BY_ONE), reply(LOOP)])
    strategy = Strategy(max_iterations=3, num_candidates=3)
    wanted = Specification.of(
        fibonacci, examples=[Example(inputs={"n": 10}, output=55)], strategy=strategy, llm=LLM(writer)
    )
    async with runtime:
        result = await run(wanted, {"n": 10})
    assert result == 55
    feedback = writer.asked[1].messages
    assert [message.role for message in feedback if message.role != "system"][:2] == ["user", "assistant"]
    assert "55" in feedback[-1].text


@pytest.mark.slow
async def test_strategy_page_advanced_configuration(runtime: Runtime) -> None:
    evaluator, scorer = Answers([reply("true")]), Answers([reply("8"), reply("1.5"), reply("9")])
    strategy = Strategy(
        max_iterations=5,
        num_candidates=3,
        first_try=False,
        verify=QualitativeCriteria(expression="Code is correct and handles edge cases", llm=LLM(evaluator)),
        cost=QuantitativeCriteria(expression="How complex is this code?", llm=LLM(scorer), min=0, max=10),
        min_candidates_for_comparison=2,
        accept_cost_threshold=2.0,
        compare_cost_threshold=5.0,
    )
    writer = Answers(
        [reply(LOOP), reply(RECURSION), reply(LOOP.replace("a, b", "x, y").replace("return a", "return x"))]
    )
    async with runtime:
        generated = await generate(Specification.of(fibonacci), strategy=strategy, llm=LLM(writer))
    assert generated.cost.value == 1.5
    assert 2 <= len(writer.asked) <= 3
    assert generated.report.verdicts[-1].votes is not None
    assert generated.spent.calls == len(writer.asked) + len(evaluator.asked) + len(scorer.asked)


@pytest.mark.slow
async def test_strategy_page_custom_parts(runtime: Runtime) -> None:
    def is_annotated(code: str) -> tuple[bool, str | None]:
        [function] = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)]
        return function.returns is not None, "annotate what it returns"

    class LineCount:
        def compute(self, code: str) -> float:
            return float(len([line for line in code.splitlines() if line.strip()]))

    templates = {"fibonacci": [LOOP, RECURSION]}

    async def from_template(wanted: Specification, past: tuple[object, ...]) -> str:
        return templates[wanted.name].pop(0)

    strategy = Strategy(
        generate=from_template, verify=[IsFunction(), is_annotated], cost=LineCount(), num_candidates=2, first_try=False
    )
    async with runtime:
        generated = await generate(Specification.of(fibonacci), strategy=strategy)
    assert "fibonacci(n - 1)" in generated.source
    assert [passed.cost.value for passed in generated.passed] == [4.0, 7.0]


async def test_call_strategy_leaves_other_layers(tmp_path: Path) -> None:
    """A strategy of the call leaves the rest to the specification and the runtime."""
    runtime = make_runtime(
        tmp_path,
        llm=LLM(Answers([reply(OFF_BY_ONE)])),
        strategy=Strategy(num_candidates=2, max_iterations=1, first_try=False),
    )
    wanted = Specification.of(fibonacci, strategy=Strategy(num_candidates=1))
    with pytest.raises(AttemptsFailed) as failed:
        await runtime.generate(wanted, strategy=Strategy(verify=lambda code: "for" in code))
    assert len(failed.value.attempts) == 1


async def test_criteria_page_basic_usage_and_sampling(runtime: Runtime) -> None:
    evaluator = Answers([reply("yes"), reply("true"), reply("nonsense"), reply("false"), reply("**true**")])
    is_high_quality = QualitativeCriteria(
        expression="Code is production-ready with proper error handling",
        llm=LLM(evaluator),
        num_samples=5,
        min_samples_for_aggregation=3,
        min_pass=3,
    )
    wanted = Specification.of(fibonacci, llm=LLM(Answers([reply(LOOP)])))
    async with runtime:
        built = await build(wanted, strategy=Strategy(verify=is_high_quality))
        assert await built(n=10) == 55
    votes = built.generated.report.verdicts[-1].votes
    assert votes is not None
    assert (votes.passed, votes.asked, votes.needed) == (3, 5, 3)
    # The first alone, so that a provider has the question in its cache, and the others at once.
    assert evaluator.most_active == 4


async def test_criteria_page_multiple_criteria_and_metrics(runtime: Runtime) -> None:
    def judge(*answers: str) -> LLM:
        return LLM(Answers([reply(answer) for answer in answers]))

    readable = QualitativeCriteria("Code is readable", judge("true", "false", "true"), num_samples=3, min_pass=2)
    efficient = QualitativeCriteria("Code is efficient", judge("true"), num_samples=3, min_pass=2)
    complexity = QuantitativeCriteria("Rate algorithmic complexity", judge("2", "3", "4"), num_samples=3)
    testable = QuantitativeCriteria("Rate testability", judge("9"), higher_is_better=True, agg="med")

    async def combined_cost(code: str) -> float:
        ratings: list[float] = []

        async def rate(criterion: QuantitativeCriteria, weight: float) -> None:
            ratings.append(weight * (await criterion.rate(code)).cost)

        async with anyio.create_task_group() as group:
            group.start_soon(rate, complexity, 0.4)
            group.start_soon(rate, testable, 0.6)
        return sum(ratings)

    wanted = Specification.of(fibonacci, llm=LLM(Answers([reply(LOOP)])))
    async with runtime:
        strategy = Strategy(verify=AllOf(readable, efficient), cost=WeightedSum((complexity, 0.4), (testable, 0.6)))
        generated = await generate(wanted, strategy=strategy)
        assert generated.cost.value == pytest.approx(0.4 * 3 + 0.6 * 1)
        again = await generate(wanted, strategy=Strategy(cost=combined_cost))
    assert again.cost.source == "points by combined_cost"
