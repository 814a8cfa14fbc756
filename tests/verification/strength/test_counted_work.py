"""Strength is bounded by counts of work, so that a busy machine gives the same result as an idle one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from certo.sandbox.executor import ExecutorWrapper, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.strength.mutation_run import MAX_CALLS
from certo.verification.strength.strength import measure_strength
from certo.verification.strength.witnesses import MAX_PLAINER, MAX_SIMPLER, TOGETHER
from certo.vocabulary.strength import TestStrength
from support.projects.bare_environment import bare_interpreter
from support.sandbox.busy_machine import crowded
from support.search.builtin_searches import stated
from verification.strength.test_strength import CLAMP, HALF_TESTED


class Counting(ExecutorWrapper):
    """An executor that notes for each run its program, versions and calls, and how it ended."""

    def __init__(self) -> None:
        super().__init__(LocalExecutor(SandboxOptions()))
        self.runs: list[tuple[str, int, int, bool]] = []

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run a program and note it."""
        finished = await self._executor.run(work, tell)
        versions, calls = (len(work.request.get(name) or ()) for name in ("versions", "calls"))
        self.runs.append((work.program.module, versions, calls, finished.complete))
        return finished


async def measured(root: Path, executor: Counting) -> TestStrength:
    """Measure a test that lets much go unnoticed."""
    problem = stated(root, CLAMP, "clamp", tests=HALF_TESTED, passing=["test_low", "test_middle"])
    tests = [test.id for test in problem.baseline.passing]
    interpreter = bare_interpreter()
    return await measure_strength(problem, CLAMP, tests, executor=executor, interpreter=interpreter, seed=0)


@pytest.mark.slow
async def test_crowded_machine_does_the_same_work(tmp_path: Path) -> None:
    """Each run is asked for a limited number of calls and versions, and ends when it has made them."""
    idle, busy = Counting(), Counting()
    strength = await measured(tmp_path, idle)
    assert strength.gaps
    assert strength.unsettled == 0
    for _, versions, calls, is_complete in idle.runs:
        assert is_complete
        assert versions <= TOGETHER + 1
        assert calls <= 2 * MAX_CALLS + MAX_SIMPLER + MAX_PLAINER
    with crowded(1):
        assert await measured(tmp_path, busy) == strength
    assert busy.runs == idle.runs
