"""The table that `--trace` prints: the runs of a search, with their times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

from certo.sandbox.executor import Work
from certo.sandbox.trace import RunTrace, TracedRun, trace_runs

_PURPOSES = {
    "certo_worker.suite.fault_localization": "fault localisation",
    "certo_worker.fingerprint": "fingerprint of the project",
    "certo_worker.tools.inspection": "linter or type checker",
    "certo_worker.tools.format": "formatter",
    "certo_worker.tools.custom_checks": "custom checks",
    "certo_worker.evaluation": "evaluation",
    "certo_builtin.search": "built-in search",
    "certo_builtin.differential.call_recorder": "recording calls",
    "certo_builtin.differential.call_runner": "differential tests",
    "certo_builtin.differential.behaviour": "comparing candidates",
    "certo.generation.model.related_code_finder": "related code",
    "certo.knowledge.outline_program": "outline of the project",
}
_PROGRAMS = {"baseline": "baseline", "suite": "tests", "doctest_run": "doctests", "remaining": "remaining tests"}


@contextmanager
def tracing(console: Console, *, wanted: bool) -> Iterator[None]:
    """Trace the runs within the context and print them at its end, if that is `wanted`."""
    if not wanted:
        yield
        return
    with trace_runs() as trace:
        try:
            yield
        finally:
            show_trace(trace, console, until=time.monotonic())


def show_trace(trace: RunTrace, console: Console, *, until: float) -> None:
    """Print the runs of a trace in the order of their starts; `until` is when all of it ended, in monotonic seconds."""
    table = Table(box=None, pad_edge=False)
    table.add_column("run")
    for name in ("tests", "from", "to", "seconds", "processor"):
        table.add_column(name, justify="right")
    table.add_column("start")
    for run in sorted(trace.runs, key=lambda run: run.began):
        cpu = "" if run.finished is None else f"{run.finished.cpu_seconds:.2f}"
        times = (f"{run.began:.2f}", f"{run.ended:.2f}", f"{run.ended - run.began:.2f}", cpu)
        table.add_row(purpose(run.work), _tests(run.work), *times, _start(run))
    console.print(table)
    cpu_seconds = sum(run.finished.cpu_seconds for run in trace.runs if run.finished is not None)
    count = len(trace.runs)
    console.print(f"{count} runs, {cpu_seconds:.1f} s of processor time, {until - trace.began:.1f} s in all")


def purpose(work: Work) -> str:
    """Return what a run is for, in words."""
    program = _PROGRAMS.get(str(work.request.get("program")), "")
    name = _PURPOSES.get(work.program.module) or program or work.program.module
    details = []
    if work.apart is not None:
        details.append("apart")
    if work.request.get("canary"):
        details.append("assertions broken")
    mutation = work.request.get("wrong")
    if isinstance(mutation, dict):
        details.append(f"mutant: {mutation['kind']}")
    if work.hash_seed:
        details.append("other hash seed")
    return ", ".join([name, *details])


def _tests(work: Work) -> str:
    ids = work.request.get("ids")
    return str(len(ids)) if isinstance(ids, list) else ""


def _start(run: TracedRun) -> str:
    if run.finished is None:
        return "cancelled"
    if run.work.preparation is None:
        return "fresh" if run.work.program.module.startswith("certo_worker.suite") else ""
    return f"fresh: {run.finished.cold}" if run.finished.cold else "warm"
