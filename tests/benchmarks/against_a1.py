"""certo's searches with language models against the ideal, as users get them, and against A1's side by side.

A server answers after 200 ms (`late_server.py`, a process of its own). Searches are made in one `Runtime`, by
`from certo import generate`, and through a daemon that `certo serve` started, for a function that no test says anything
about. The ideal is the time no program can avoid: the answers that must be waited for one after the other. Printed for
each case: the wall time, the ideal, their ratio, the bar, and A1's ratio. Above a bar, it ends in exit code 1.

    python tests/benchmarks/against_a1.py [--rounds 9] [--a1 /path/to/python3.12-with-a1-compiler]

A user who makes a hundred searches at once raises `model.max_concurrency`, as is done here. The first call of a process
is printed too: it also imports what it needs, tries the sandbox and connects. Without `--a1`, A1's ratios are those
recorded for A1 0.1.6 with a server like this one on two cores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo import LLM, Message, QualitativeCriteria, Runtime, Specification, Strategy, generate
from certo.llm.prompt import Prompt
from support.lsp.light_client import light
from support.lsp.multi_client import a_company

ANSWER = 0.2
"""How long the server takes over an answer, in seconds."""

RECORDED = {"one": 1.5, "five": 1.99, "five, judged": 4.96, "staggered": 15.6, "a hundred": 36.0}
"""A1 0.1.6 where it is not installed: wall time over ideal."""

STALL = 20.0
"""The longest that the event loop may stand still, in milliseconds."""

HALF = Specification(name="half", description="Half of a number.", inputs={"n": int}, output=int)
STUB = 'def half(n):\n    """Half of a number."""\n    raise NotImplementedError\n'


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that is measured: the ideal seconds, the bar for wall time over ideal, and A1's name for it."""

    name: str
    ideal: float
    bar: float
    run: Callable[[], Awaitable[object]]
    rounds: int = 0
    of_a1: str = ""


@contextmanager
def late_server() -> Iterator[int]:
    """The server, and its port."""
    program = [sys.executable, str(Path(__file__).with_name("late_server.py"))]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def settings(port: int) -> dict[str, Any]:
    """What a user sets for a server of their own, and for many searches at once."""
    return {
        "model.name": f"openai:late-{ANSWER}",
        "model.base_url": f"http://127.0.0.1:{port}/v1",
        "model.max_concurrency": 128,
    }


def lanes(number: int, **more: Any) -> Strategy:
    """So many candidates at once, and no second try."""
    return Strategy(num_candidates=number, max_iterations=1, first_try=False, **more)


async def one() -> None:
    """One candidate."""
    await generate(HALF, strategy=lanes(1))


async def five() -> None:
    """Five candidates, the first of which to pass ends it."""
    await generate(HALF, strategy=lanes(5))


async def five_judged() -> None:
    """Five candidates, each put to three votes when it comes; the first to pass ends it."""
    judge = QualitativeCriteria("it halves", LLM(f"openai:vote-{ANSWER}"), num_samples=3, min_pass=2)
    await generate(HALF, strategy=lanes(5, verify=judge))


async def five_compared() -> None:
    """Five candidates, all of them waited for, and run to find inputs that tell them apart."""
    await generate(HALF, strategy=lanes(5, select="cheapest"))


async def hundred() -> None:
    """A hundred searches of one candidate each."""
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(one)


CASES = (
    Case(name="one", ideal=ANSWER, bar=1.3, run=one, of_a1="alone"),
    Case(name="five", ideal=ANSWER, bar=1.3, run=five, of_a1="five at once"),
    Case(name="five, judged", ideal=2 * ANSWER, bar=1.3, run=five_judged, of_a1="five, judged thrice"),
    Case(name="a hundred", ideal=ANSWER, bar=3.0, run=hundred, rounds=3, of_a1="a hundred at once"),
)


def staggered(port: int) -> Runtime:
    """Three lanes whose models answer after 0.2, 1 and 3 s, as the settings name them."""
    models = ",".join(f"openai:late-{seconds:g}" for seconds in (ANSWER, 1.0, 3.0))
    return Runtime(settings={**settings(port), "search.generator": "model", "generation.models": models}, cache=None)


async def first_of_three() -> None:
    """Three candidates that come one after the other: the first ends it."""
    await generate(HALF, strategy=lanes(3))


async def seconds_of(work: Callable[[], Awaitable[object]]) -> float:
    """How long it took."""
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def longest_stall(work: Callable[[], Awaitable[object]]) -> float:
    """The longest time, in seconds, that the event loop did nothing else while this was done."""
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            began = time.perf_counter()
            await anyio.sleep(0.001)
            longest = max(longest, time.perf_counter() - began - 0.001)

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        await work()
        group.cancel_scope.cancel()
    return longest


async def cancelled_and_good(port: int) -> tuple[int, int]:
    """How many of 50 questions are answered after 500 were cancelled, and how many of those the server saw leave."""
    late, prompt = LLM("openai:late-5"), Prompt(messages=(Message(role="user", text="write half"),))
    before = witness(port)["left"]
    for _ in range(10):
        with anyio.move_on_after(0.3):
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(late.answer, prompt)
    good = 0

    async def once() -> None:
        nonlocal good
        answer = await LLM("openai:late-0.01")("write half")
        good += bool(answer.text)

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(once)
    return good, witness(port)["left"] - before


def witness(port: int) -> Mapping[str, int]:
    """What the server has seen so far."""
    with urlopen(f"http://127.0.0.1:{port}/witness") as answer:
        return json.load(answer)


async def served(port: int, rounds: int) -> list[float]:
    """The seconds of searches of one candidate each through `certo serve`, from the request to the event of its end."""
    ended: dict[str, anyio.Event] = {}

    def hear(method: str, params: Any, _: float) -> None:
        if method == "$/progress" and isinstance(params["value"], list):
            for told in params["value"]:
                if told["type"] == "search.stopped":
                    ended.setdefault(told["search"], anyio.Event()).set()

    taken = []
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        (root / "half.py").write_text(STUB)
        (root / "pyproject.toml").write_text("")
        given = {
            "search": {"generator": "model"},
            "model": {"name": f"openai:late-{ANSWER}", "baseUrl": f"http://127.0.0.1:{port}/v1"},
            "retry": {"numCandidates": 1, "maxIterations": 1},
        }
        async with a_company(cwd=root, transports=("tcp",)) as company, light(company, hear, settings=given) as client:
            for number in range(rounds + 1):
                began = time.perf_counter()
                wish = {"uri": (root / "half.py").as_uri(), "qualname": "half", "settings": given, "key": f"{number}"}
                search = (await client.request("certo/search/start", wish))["searchId"]
                await client.request("certo/search/attach", {"searchId": search, "partialResultToken": search})
                await ended.setdefault(search, anyio.Event()).wait()
                taken.append(time.perf_counter() - began)
    return taken[1:]


def of_a1(python: str, port: int, rounds: int) -> Mapping[str, float]:
    """A1's wall times for the same cases, in its own environment."""
    program = [python, str(Path(__file__).with_name("a1_cases.py")), str(port), str(rounds)]
    done = subprocess.run(program, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


class Report:
    """Prints each figure beside its bar; `missed` are those above it."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def ratio(self, name: str, wall: float, ideal: float, bar: float, more: str = "") -> None:
        """Print one ratio."""
        self._note(name, wall / ideal <= bar)
        print(
            f"{name:<20} {wall * 1000:6.0f} ms   ideal {ideal * 1000:4.0f} ms   ratio {wall / ideal:5.2f}"
            f"   (bar {bar:.2f}{more})"
        )

    def within(self, name: str, good: bool, words: str) -> None:
        """Print one figure that is no ratio."""
        self._note(name, good)
        print(f"{name:<20} {words}")

    def _note(self, name: str, good: bool) -> None:
        if not good:
            self.missed.append(name)


async def main(rounds: int, a1: str | None) -> int:
    """Start the server, and measure; 1 if a bar is missed."""
    report = Report()
    with late_server() as port:
        async with Runtime(settings=settings(port), llm=LLM(f"openai:late-{ANSWER}"), cache=None):
            print(f"the first call of the process: {await seconds_of(one) * 1000:.0f} ms")
            await measure(port, rounds, of_a1(a1, port, rounds) if a1 else {}, report)
            compared = statistics.median([await seconds_of(five_compared) for _ in range(3)])
            print(f"five, compared       {compared * 1000:6.0f} ms   no bar: the candidates run, to be told apart")
            stall = await longest_stall(five_judged) * 1000
            report.within("longest stall", stall <= STALL, f"{stall:.1f} ms, five judged thrice (bar {STALL:g})")
            good, left = await cancelled_and_good(port)
            words = f"{good} of 50 questions answered after 500 cancelled ones, {left} of which the server saw leave"
            report.within("after cancelling", good == 50 and left == 500, words)
        async with staggered(port):
            await one()
            wall = statistics.median([await seconds_of(first_of_three) for _ in range(rounds)])
            report.ratio("staggered", wall, ANSWER, 1.3, f"; A1 {RECORDED['staggered']:.2f}, recorded")
        wall = statistics.median(await served(port, rounds))
        report.ratio("through certo serve", wall, ANSWER, 2.5)
    if report.missed:
        print(f"above the bar: {', '.join(report.missed)}")
    return 1 if report.missed else 0


async def measure(port: int, rounds: int, theirs: Mapping[str, float], report: Report) -> None:
    """Measure every case, and print what came out."""
    for case in CASES:
        left = witness(port)["left"]
        wall = statistics.median([await seconds_of(case.run) for _ in range(case.rounds or rounds)])
        over, whose = RECORDED[case.name], "recorded"
        if theirs:
            over, whose = theirs[case.of_a1] / case.ideal, "measured"
        closed = witness(port)["left"] - left
        report.ratio(case.name, wall, case.ideal, case.bar, f"; A1 {over:5.2f}, {whose}; closed early: {closed}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--a1", help="a Python 3.12 that can import a1")
    arguments = parser.parse_args()
    sys.exit(anyio.run(main, arguments.rounds, arguments.a1))
