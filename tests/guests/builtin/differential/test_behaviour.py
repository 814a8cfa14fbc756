"""Versions of a function are compared by the calls that come back, however many others do not."""

from __future__ import annotations

from pathlib import Path

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.execution import compared_candidate, observe
from certo.generation.builtin.clusters import telling
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated

SOURCE = """
def spin(n):
    while n > 2:
        pass
    return n
"""


async def test_hanging_calls_hide_no_others(tmp_path: Path) -> None:
    problem = stated(tmp_path, SOURCE, "spin")
    side = compared_candidate(problem, SOURCE, LocalExecutor(SandboxOptions()), bare_interpreter())
    assert side is not None
    calls = [RecordedCall(callee=Callee(name="spin"), arguments=(str(number),)) for number in range(20)]
    start = SOURCE.index("return n") + len("return ")
    versions = [(TextEdit(Span(start, start + 1), text),) for text in ("n + 0", "-n")]
    seen = await observe(side, versions, calls)
    assert telling(seen.versions, seen.again) == (0, 1, 2)
    assert [outcome and outcome.value for outcome in seen.versions[1][:3]] == ["0", "-1", "-2"]
