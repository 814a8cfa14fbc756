"""certo's searches with language models against the ideal, and against A1's side by side in the same run.

A server answers after 200 ms (`late_server.py`, a process of its own), and a verification reads the code, as A1's
default does. The ideal is the time no program can avoid: the answers that must be waited for one after the other, and
verification. Printed for each case: the wall time, the ideal, their ratio, the bar, and A1's ratio.

    python tests/benchmarks/against_a1.py [--rounds 9] [--a1 /path/to/python3.12-with-a1-compiler]

Without `--a1`, A1's ratios are those recorded for A1 0.1.6 with a server like this one on two cores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.costs.measures import EditSize
from certo.criteria.qualitative import QualitativeCriteria
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import HttpModel
from certo.llm.http.openai import openai_format
from certo.llm.http.transport import Transport
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Prompt
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.criteria import CriterionVerifier
from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.verification.static.signature import SignatureVerifier
from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.cost import Budget
from certo.vocabulary.problem import Goal
from support.models.model_generator import generator
from support.search.rewrites import problem_about, with_body

ANSWER = 0.2
"""How long the server takes over an answer, in seconds."""

RECORDED = {"five at once": 1.99, "the first of three": 15.6, "five, judged thrice": 4.96, "a hundred at once": 23.2}
"""A1 0.1.6 where it is not installed: wall time over ideal, and for the last case over one search alone."""

WANTED = replace(problem_about("def half(n):\n    return n\n", "half"), goal=Goal.REWRITE, instruction="halve it")

READING: tuple[Verifier, ...] = (SyntaxVerifier(), SignatureVerifier(), PolicyVerifier(PolicyOptions()))


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that is measured: the ideal seconds without verification, and the bar for wall time over ideal."""

    name: str
    answers: float
    bar: float
    run: Callable[[Transport, int], Awaitable[float]]
    rounds: int = 0


@contextmanager
def late_server() -> Iterator[int]:
    """The server, and its port."""
    program = [sys.executable, str(Path(__file__).with_name("late_server.py"))]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def model(transport: Transport, port: int, seconds: float, kind: str = "late") -> ChatModel:
    """A model that answers after so many seconds."""
    endpoint = Endpoint(provider="bench", base_url=f"http://127.0.0.1:{port}/v1")
    return HttpModel(transport, endpoint, f"{kind}-{seconds:g}", openai_format(endpoint.base_url))


async def searched(*models: ChatModel, verifiers: tuple[Verifier, ...] = READING, **options: object) -> float:
    """The seconds of one search in which each of so many candidates is asked for at once."""
    parts = Parts(
        generator=generator(*models, models=tuple(each.name for each in models)),
        strategy=Retry(RetryOptions(first_try=False, max_iterations=1, **options)),
        pipeline=Pipeline(verifiers=verifiers),
        cost_model=EditSize(),
    )
    began = time.perf_counter()
    await search(WANTED, parts=parts, budget=Budget(), emitter=EventEmitter("bench", lambda _: None))
    return time.perf_counter() - began


async def five(transport: Transport, port: int) -> float:
    """Five candidates, all of them compared."""
    return await searched(model(transport, port, ANSWER), num_candidates=5, select="cheapest")


async def first_of_three(transport: Transport, port: int) -> float:
    """Three candidates that come after 0.2, 1 and 3 s: the first ends it."""
    return await searched(*(model(transport, port, seconds) for seconds in (ANSWER, 1.0, 3.0)), num_candidates=3)


async def five_judged(transport: Transport, port: int) -> float:
    """Five candidates, each put to three votes when it comes."""
    vote = model(transport, port, ANSWER, "vote")
    judge = CriterionVerifier(QualitativeCriteria("it halves", vote, num_samples=3, min_pass=2))
    return await searched(
        model(transport, port, ANSWER), verifiers=(*READING, judge), num_candidates=5, select="cheapest"
    )


async def hundred(transport: Transport, port: int) -> float:
    """A hundred searches of one candidate each."""
    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(alone, transport, port)
    return time.perf_counter() - began


async def alone(transport: Transport, port: int) -> float:
    """One search of one candidate."""
    return await searched(model(transport, port, ANSWER), num_candidates=1)


CASES = (
    Case(name="five at once", answers=ANSWER, bar=1.10, run=five),
    Case(name="the first of three", answers=ANSWER, bar=1.10, run=first_of_three),
    Case(name="five, judged thrice", answers=2 * ANSWER, bar=1.15, run=five_judged),
    Case(name="a hundred at once", answers=ANSWER, bar=2.5, run=hundred, rounds=3),
)


async def verification() -> float:
    """The seconds that reading one candidate takes."""
    candidate = with_body(WANTED, "return n // 2")
    began = time.perf_counter()
    for verifier in READING:
        await verifier.judge(candidate, WANTED)
    return time.perf_counter() - began


async def longest_stall(work: Awaitable[float]) -> float:
    """The longest time the event loop did nothing else while this was done."""
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            began = time.perf_counter()
            await anyio.sleep(0.001)
            longest = max(longest, time.perf_counter() - began - 0.001)

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        await work
        group.cancel_scope.cancel()
    return longest


async def cancelled_and_good(transport: Transport, port: int) -> tuple[int, int]:
    """How many of 50 questions are answered after 500 were cancelled, and how many of those the server saw leave."""
    late, prompt = model(transport, port, 5.0), Prompt(messages=(Message(role="user", text="write half"),))
    before = witness(port)["left"]
    for _ in range(10):
        with anyio.move_on_after(0.3):
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(late.answer, prompt)
    good = 0

    async def once() -> None:
        nonlocal good
        reply = await model(transport, port, 0.01).answer(prompt)
        good += bool(reply.text)

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(once)
    return good, witness(port)["left"] - before


def witness(port: int) -> Mapping[str, int]:
    """What the server has seen so far."""
    with urlopen(f"http://127.0.0.1:{port}/witness") as answer:
        return json.load(answer)


def of_a1(python: str, port: int, rounds: int) -> Mapping[str, float]:
    """A1's wall times for the same cases, in its own environment."""
    program = [python, str(Path(__file__).with_name("a1_cases.py")), str(port), str(rounds)]
    done = subprocess.run(program, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


async def main(rounds: int, a1: str | None) -> None:
    """Start the server, and measure."""
    with late_server() as port:
        async with Transport() as transport:
            await measure(transport, port, rounds, a1)


async def measure(transport: Transport, port: int, rounds: int, a1: str | None) -> None:
    """Measure every case, and print what came out."""
    await alone(transport, port)
    reading = statistics.median([await verification() for _ in range(rounds)])
    one = statistics.median([await alone(transport, port) for _ in range(rounds)])
    theirs = of_a1(a1, port, rounds) if a1 else {}
    whose = "measured" if a1 else "recorded"
    print(f"reading one candidate {reading * 1000:.1f} ms; one search of one candidate {one * 1000:.0f} ms")
    for case in CASES:
        left = witness(port)["left"]
        wall = statistics.median([await case.run(transport, port) for _ in range(case.rounds or rounds)])
        ideal = one if case.run is hundred else case.answers + reading
        over = theirs[case.name] / (theirs["alone"] if case.run is hundred else case.answers) if theirs else 0.0
        other = over or RECORDED[case.name]
        print(
            f"{case.name:<20} {wall * 1000:6.0f} ms   ideal {ideal * 1000:4.0f} ms   ratio {wall / ideal:5.2f}"
            f"   (bar {case.bar:.2f}; A1 {other:5.2f}, {whose}; closed early: {witness(port)['left'] - left})"
        )
    stall = await longest_stall(five_judged(transport, port))
    print(f"longest stall of the event loop, five judged thrice: {stall * 1000:.1f} ms (bar 20)")
    good, left = await cancelled_and_good(transport, port)
    print(f"after 500 cancelled questions ({left} seen to leave), {good} of 50 good ones were answered")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--a1", help="a Python 3.12 that can import a1")
    arguments = parser.parse_args()
    anyio.run(main, arguments.rounds, arguments.a1)
