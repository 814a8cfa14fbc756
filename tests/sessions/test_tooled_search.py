"""A search in a project that has its code read by ruff and mypy: both judge what its tests let pass."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.request import Request
from certo.sessions.searches import Searches
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import Ruling
from support.projects.projects import write_project

TILL = '''\
"""A till."""


def total(prices: list[int]) -> int:
    """Add up."""
    return 0


WRONG: int = "and it was so before"
'''
TEST = "from till import total\n\n\ndef test_total() -> None:\n    assert total([2, 3]) == 5\n"
TOOLS = "[tool.mypy]\nstrict = true\n\n[tool.ruff.lint]\nselect = ['F']\n"


def reply(*body: str) -> dict[str, str]:
    lines = ["def total(prices: list[int]) -> int:", '    """Add up."""', *(f"    {line}" for line in body)]
    return {"source": "\n".join(lines)}


@pytest.mark.slow
async def test_project_tools_read_passing_candidates(tmp_path: Path) -> None:
    untidy, mistyped = reply("unused = 1", "return sum(prices)"), reply("return float(sum(prices))")
    script = json.dumps([untidy, mistyped, reply("return sum(prices)")])
    write_project(tmp_path, {"till.py": TILL, "test_till.py": TEST, "pyproject.toml": TOOLS, "script.json": script})
    flags = {
        "interpreter": sys.executable,
        "search": {"generator": "scripted"},
        "scripted": {"path": str(tmp_path / "script.json")},
    }
    request = Request(document=tmp_path / "till.py", text=TILL, place=ByName("total"), flags=flags)
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        live = searches.start(request)
        with anyio.fail_after(90):
            await live.run.stopped.wait()
        moved = TILL.replace('"""A till."""', '"""A till."""\n\nlater: str = 1')
        ready = await prepare_acceptance(live, None, moved)
        group.cancel_scope.cancel()
    stopped = live.state.stopped
    assert stopped is not None
    assert stopped.outcome is Outcome.SOLVED, stopped.reason
    assert stopped.verified
    failures = [row.report.failure for row in live.state.rows.values()]
    assert [(failure.verifier, failure.findings[0].message) for failure in failures if failure is not None] == [
        ("lint", "ruff: Local variable `unused` is assigned to but never used [F841]"),
        ("types", 'mypy: Incompatible return value type (got "float", expected "int") [return-value]'),
    ]
    # An error that the user has made elsewhere since then is no candidate's.
    assert ready.moved
    assert [(verdict.verifier, verdict.ruling) for verdict in ready.report.verdicts] == [
        (name, Ruling.PASSED)
        for name in ("syntax", "signature", "policy", "tests", "types", "lint", "forgery", "evidence")
    ]
