"""A1's wall times for the cases of `against_a1.py`, run by a Python that can import a1; prints them as JSON.

python3.12 tests/benchmarks/a1_cases.py PORT ROUNDS
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

port, rounds = sys.argv[1:]
os.environ.update(OPENAI_BASE_URL=f"http://127.0.0.1:{port}/v1", OPENAI_API_KEY="sk-none")

import a1
from pydantic import BaseModel


class Nothing(BaseModel):
    """What the agent is given."""

    n: int = 4


class Number(BaseModel):
    """What the agent gives."""

    output: int


def agent() -> a1.Agent:
    """An agent that needs no tool."""
    return a1.Agent(name="half", description="halve it", input_schema=Nothing, output_schema=Number, tools=[])


def runtime(*seconds: float, candidates: int = 1, judged: int = 0) -> a1.Runtime:
    """A runtime whose candidates come after so many seconds, in turn."""
    generate = InTurn([a1.BaseGenerate(a1.LLM(f"openai:script-{each:g}")) for each in seconds])
    verify: list[object] = [a1.BaseVerify()]
    if judged:
        judge = a1.LLM("openai:vote-0.2")
        verify.append(a1.QualitativeCriteria(expression="it halves", llm=judge, num_samples=judged, min_pass=2))
    strategy = a1.Strategy(num_candidates=candidates, max_iterations=1, verify=verify)
    return a1.Runtime(generate=generate, strategy=strategy)


class InTurn(a1.Generate):
    """Lets several generators answer in turn."""

    def __init__(self, generators: list[a1.BaseGenerate]) -> None:
        self._generators = generators
        self._asked = 0

    async def generate(self, *arguments: object, **named: object) -> object:
        """Have the next one answer."""
        self._asked += 1
        return await self._generators[(self._asked - 1) % len(self._generators)].generate(*arguments, **named)


async def searched(*seconds: float, candidates: int = 1, judged: int = 0) -> None:
    """One search."""
    made = runtime(*seconds, candidates=candidates, judged=judged)
    with made:
        await made.jit(agent(), n=4)


async def hundred() -> None:
    """A hundred at once."""
    await asyncio.gather(*(searched(0.2) for _ in range(100)))


async def measured(work: Callable[[], Awaitable[None]], times: int) -> float:
    """The median wall time."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


async def main() -> None:
    """Measure every case."""
    await searched(0.2)
    times = int(rounds)
    cases = {
        "alone": (lambda: searched(0.2), times),
        "five at once": (lambda: searched(0.2, candidates=5), times),
        "the first of three": (lambda: searched(0.2, 1.0, 3.0, candidates=3), 3),
        "five, judged thrice": (lambda: searched(0.2, candidates=5, judged=3), times),
        "a hundred at once": (hundred, 1),
    }
    print(json.dumps({name: await measured(work, count) for name, (work, count) in cases.items()}))


asyncio.run(main())
