"""Judging a candidate warm against a fresh `python -m pytest`, side by side, on a light project and on a heavy one.

The light project has five tests and imports nothing; the heavy one's import numpy and pandas. Both are run by an
environment that has pytest and those two, and nothing else; it is made anew unless one is given. As in a search, the
processes that the baseline was taken in are kept. Printed are, for each: the median wall times and their ratios to a
fresh run, and how many candidates a second two slots judge in proportion to one fresh run after the other. The bars are
for a candidate that passes both tiers, its tests and the second look: 0.5 light and 0.4 heavy. Exit code 1 says that
one is missed.

    python tests/benchmarks/verification.py [--rounds 50] [--python ENVIRONMENT/bin/python] [--without-heavy]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import dedent

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.concurrency import background_tasks
from certo.edits.target import ByName, find_target
from certo.project.interpreter import find_interpreter
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.options import Isolation, SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.verification.dynamic.baseline import BaselineRequest, take_baseline
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import FreshHarnesses, HarnessSource, warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.dynamic.warm_pool import WarmPool
from certo.verification.options import TestOptions
from certo.verification.verifier import Verifier
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Ruling

LIGHT = {
    "mod.py": "def clamp(value, low, high):\n    return min(value, high)\n",
    "test_mod.py": """\
        import pytest
        from mod import clamp

        @pytest.mark.parametrize("value, wanted", [(5, 5), (-1, 0)])
        def test_between(value, wanted):
            assert clamp(value, 0, 10) == wanted

        def test_above():
            assert clamp(11, 0, 10) == 10

        def test_with_a_place(tmp_path):
            assert clamp(len(list(tmp_path.iterdir())), 0, 10) == 0

        def test_below():
            assert clamp(-5, -3, 3) == -3
        """,
}
HEAVY = {
    "mod.py": "import numpy as np\nimport pandas as pd\n\n\n" + LIGHT["mod.py"],
    "test_mod.py": """\
        import numpy as np
        import pandas as pd
        from mod import clamp

        def test_frame():
            frame = pd.DataFrame({"a": [1, 2, 3]})
            assert clamp(int(frame["a"].sum()), 0, 10) == 6

        def test_array():
            assert clamp(int(np.arange(9).sum()), 0, 10) == 10

        def test_below():
            assert clamp(-5, -3, 3) == -3
        """,
}
_RIGHT, _WRONG = "max(low, min(value, high))", "min(value, high)"


@dataclass(frozen=True, kw_only=True)
class Bench:
    """One project, with its baseline taken."""

    problem: Problem
    executor: Executor
    interpreter: Interpreter
    pool: WarmPool

    @property
    def harnesses(self) -> FreshHarnesses:
        """Where its tests run, from the processes that the baseline was taken in."""
        executor, interpreter = self.executor, self.interpreter
        return FreshHarnesses(executor=executor, interpreter=interpreter, options=TestOptions(), pool=self.pool)

    def candidate(self, number: int) -> Candidate:
        """A right candidate, and another one for each number."""
        before = self.problem.text
        after = before.replace(_WRONG, f"{_RIGHT} + 0 * {number}")
        edits = (TextEdit(Span(0, len(before)), after),)
        origin = Origin(generator="a benchmark")
        return Candidate(id=candidate_id(before, after), edits=edits, text=after, origin=origin)

    async def judged(self, verifier: Verifier, number: int) -> float:
        """The wall seconds that `verifier` takes for a candidate, which it has to pass."""
        began = time.perf_counter()
        verdict = await verifier.judge(self.candidate(number), self.problem)
        if verdict.ruling is not Ruling.PASSED or (verdict.tests is not None and verdict.tests.cold):
            raise SystemExit(f"{verifier.name} was to pass warm, and said {verdict}")
        return time.perf_counter() - began

    async def fresh(self) -> float:
        """The wall seconds of `python -m pytest` on the project."""
        began = time.perf_counter()
        command = [str(self.interpreter.executable), "-m", "pytest", "-q"]
        await anyio.run_process(command, cwd=self.problem.root, check=False)
        return time.perf_counter() - began


@asynccontextmanager
async def bench(files: dict[str, str], python: Path, isolation: Isolation) -> AsyncIterator[Bench]:
    """A project of `files` whose interpreter is `python`."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        for name, text in files.items():
            (root / name).write_text(dedent(text), encoding="utf-8")
        (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
        executor = await choose_executor(SandboxOptions(isolation=isolation, slots=2))
        interpreter = await find_interpreter(root, chosen=str(python), environ={})
        text = (root / "mod.py").read_text(encoding="utf-8")
        problem = Problem(
            root=root,
            path="mod.py",
            text=text,
            target=find_target(text, ByName("clamp"), path="mod.py"),
            goal=Goal.REPAIR,
        )
        async with background_tasks() as group:
            pool = WarmPool(group)
            harness = Harness.of(problem, executor, interpreter, TestOptions())
            baseline, run = await take_baseline(harness, BaselineRequest(warm=pool))
            stated = replace(problem, baseline=baseline, baseline_run=run)
            yield Bench(problem=stated, executor=executor, interpreter=interpreter, pool=pool)


async def measure(name: str, on: Bench, rounds: int, bar: float) -> bool:
    """Print what one project shows; return True if the bar is held."""
    await on.fresh()
    async with warm_harnesses(on.harnesses, on.problem) as harnesses:
        tests, second = TestsVerifier(harnesses), ForgeryVerifier(harnesses)
        set_up = await on.judged(tests, -1)
        warm, fresh, twice = [], [], []
        for number in range(rounds):
            warm.append(await on.judged(tests, number))
            fresh.append(await on.fresh())
            twice.append(await on.judged(second, number))
        one, other = statistics.median(warm), statistics.median(fresh)
        rate = await throughput(on, harnesses, rounds)
        print(f"{name}: a fresh pytest {other * 1000:.0f} ms, under {on.executor.isolation.partition(':')[0]}")
        both = statistics.median(map(sum, zip(warm, twice, strict=True)))
        for what, seconds in (
            ("its tests", one),
            ("the second look", statistics.median(twice)),
            (f"both (bar: {bar:g})", both),
            ("before the first", set_up - one),
        ):
            print(f"  {what:18} {seconds * 1000:7.1f} ms  ratio {seconds / other:.3f}")
        print(f"  {'in two slots':18} {rate:7.1f} /s  ratio {rate * other:.1f}")
    return both / other <= bar


async def throughput(on: Bench, harnesses: HarnessSource, rounds: int) -> float:
    """How many candidates a second two slots judge."""
    tests = TestsVerifier(harnesses)
    left = iter(range(2 * rounds))

    async def take_turns() -> None:
        for number in left:
            await on.judged(tests, number)

    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        # One more than there are slots, so that none is ever free for want of an order.
        for _ in range(3):
            group.start_soon(take_turns)
    return 2 * rounds / (time.perf_counter() - began)


@contextmanager
def environment(*packages: str) -> Iterator[Path]:
    """The interpreter of an environment that has `packages` and nothing else."""
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        yield python


async def main(rounds: int, python: Path, *, heavy: bool, isolation: Isolation) -> int:
    """Measure the light project, and the heavy one unless that is not wanted; 0 if the bars are held."""
    projects = {"light": (LIGHT, 0.5), **({"numpy and pandas": (HEAVY, 0.4)} if heavy else {})}
    held = True
    for name, (files, bar) in projects.items():
        async with bench(files, python, isolation) as on:
            held = await measure(name, on, rounds, bar) and held
    return 0 if held else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--python", type=Path, help="of an environment with pytest, and with numpy and pandas")
    parser.add_argument("--without-heavy", action="store_true")
    parser.add_argument("--isolation", choices=("auto", "bubblewrap", "process"), default="auto")
    chosen = parser.parse_args()
    wanted = ["pytest", *([] if chosen.without_heavy else ["numpy", "pandas"])]
    with environment(*wanted) if chosen.python is None else nullcontext(chosen.python) as found:
        run = partial(main, chosen.rounds, found, heavy=not chosen.without_heavy, isolation=chosen.isolation)
        sys.exit(anyio.run(run))
