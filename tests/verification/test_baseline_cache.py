"""Baselines that are kept: what holds in exactly the same state of the project is not found out again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from certo.concurrency import background_tasks
from certo.sandbox.executor import Policy
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.baseline_cache import find_baseline
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.warm_pool import WarmPool
from certo.vocabulary.problem import Baseline, BaselineRun
from support.projects.projects import Project, write_project

FILES = {
    "double.py": "def double(number):\n    return number + 1\n",
    "test_double.py": "from double import double\n\ndef test_double():\n    assert double(3) == 6\n",
}


@dataclass
class Store:
    """Keeps baselines of a project whose circumstances never change."""

    kept: dict[str, tuple[Baseline, BaselineRun]] = field(default_factory=dict)
    subjects: set[str] = field(default_factory=set)

    async def circumstances(self, _policy: Policy, /) -> Mapping[str, object]:
        return {}

    def when_known(self, _policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        then({})

    def knows(self, subject: str, /) -> bool:
        return subject in self.subjects

    def recall_baseline(self, key: str, /) -> tuple[Baseline, BaselineRun] | None:
        return self.kept.get(key)

    def keep_baseline(self, key: str, subject: str, baseline: Baseline, run: BaselineRun, /) -> None:
        self.subjects.add(subject)
        self.kept[key] = baseline, run


async def test_remembered_baselines_need_no_rehearsal(tmp_path: Path) -> None:
    """A process that is prepared in the same state gives the results that the first one gave."""
    trace, store = RunTrace(), Store()
    executor = TracedExecutor(LocalExecutor(SandboxOptions()), trace)
    project = Project(write_project(tmp_path, FILES), "double.py", "double", executor=executor)
    harness = await project.harnesses.of(project.problem(Baseline()))
    for _ in range(2):
        # Another command has processes of its own.
        async with background_tasks() as group:
            pool = WarmPool(group)
            trace.runs.clear()
            baseline, project.run = await find_baseline(harness, BaselineRequest(warm=pool), store)
            problem = project.problem(baseline)
            async with warm_harnesses(replace(project.harnesses, pool=pool), problem, confirms=False) as harnesses:
                warm = await harnesses.of(problem)
        assert (warm.cold, warm.preparation is None) == ("", False)
    assert project.run.remembered
    assert trace.runs == []
