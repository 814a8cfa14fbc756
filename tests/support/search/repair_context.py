"""A live function in this process, with checks, as the built-in search has it when it repairs."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from certo_builtin.execution.allowance import Allowance
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.question import Question
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion, Trace, traced
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.source import Source, applied

SECONDS = 60.0


class Patient(NamedTuple):
    """A function to repair, and the observations of a run of its checks."""

    question: Question
    runner: CandidateRunner
    context: RepairContext
    suspicion: Suspicion
    trace: Trace

    @property
    def failing(self) -> list[int]:
        """Return the numbers of the failing checks."""
        return [number for number, ending in enumerate(self.trace.endings) if ending != PASSED]


def asked(source: str, name: str = "target", seed: int = 0) -> Question:
    """Return the question to repair the function of that name, up to the end of the source."""
    lines = source.splitlines(keepends=True)
    line = next(number for number, text in enumerate(lines, 1) if text.startswith(f"def {name}("))
    return Question(
        root="", path="patient.py", text=source, qualname=name, start=sum(map(len, lines[: line - 1])), end=len(source),
        line=line, is_hole=False, docstring="", instruction="", selected=None, failing=[], passing=[], examples=[],
        seconds=SECONDS, steps=40_000_000, candidates=20000, seed=seed, plausible=5, unwanted=[],
    )  # fmt: skip


def proposed(
    name: str, source: str, kinds: dict[str, set[str]], scope: dict[str, Any], **observed: Any
) -> dict[str, float]:
    """Return the texts that one template makes of a source, with their weights."""
    (template,) = [one for one in CATALOGUE if one.name == name]
    seen = context_of(source, kinds, scope, **observed)
    changes = [change for _, node in seen.nodes() for change in template.find(seen, node)]
    return {applied(source, change.edits): change.weight for change in changes}


def context_of(source: str, kinds: dict[str, set[str]], scope: dict[str, Any], **observed: Any) -> RepairContext:
    """Return the context of a target whose variables had values of these types."""
    parsed = Source(source)
    target = parsed.function_at(asked(source).line, "target")
    assert target is not None
    return RepairContext(parsed, target, {"target": kinds}, {}, observed.pop("literals", []), scope=scope, **observed)


@contextmanager
def alive(place: Path, source: str, tests: Sequence[str], parameters: Sequence[Any] = ()) -> Iterator[Patient]:
    """Import a source and run its tests, each a statement, under observation; all have the same parameters."""
    path = place / "patient.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("patient", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["patient"] = module
    try:
        spec.loader.exec_module(module)
        question, parsed = asked(source), Source(source)
        target = parsed.function_at(question.line, "target")
        assert target is not None
        checks = []
        for number, test in enumerate(tests):
            space = dict(vars(module))
            exec(f"def test():\n    {test}", space)
            checks.append(Check(f"test_{number}", space["test"], owed=True, parameters=parameters))
        runner = CandidateRunner(HotSwap(parsed, "patient.py", target), checks, Meter(), Allowance(SECONDS))
        seen = traced(runner)
        context = RepairContext(parsed, target, seen.kinds, seen.attributes, seen.literals)
        yield Patient(question, runner, context, Suspicion(seen.lines, seen.endings), seen)
    finally:
        del sys.modules["patient"]
