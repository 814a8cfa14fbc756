"""Edits with which the target's module can no longer be imported, where the import runs the target."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from certo_builtin.repair.module_execution import ModuleExecution
from support.search.repair_context import alive

SOURCE = """\
def target(name, width):
    return name.ljust(width)
"""
TEST = "assert target('a', 3) == 'b'"


@pytest.mark.parametrize(
    ("rest", "new", "fails"),
    [
        ("\nWIDE = target('total', 8)\n", "width.real.no_such", True),
        ("\nWIDE = target('total', 8)\n", "width + 1", False),
        ("", "width.real.no_such", False),
        (
            "\nWIDE = target('total', 8)\nif 'seen' in __import__('sys').modules:\n    raise KeyError\n",
            "no_such",
            False,
        ),
    ],
    ids=["fails", "succeeds", "runs no target", "fails anyway"],
)
def test_edits_break_the_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str, new: str, fails: bool
) -> None:
    with alive(tmp_path, SOURCE + rest, [TEST]) as patient:
        monkeypatch.setitem(sys.modules, "seen", pytest)
        source = patient.context.source
        start = source.text.index("width)\n", source.text.index("ljust"))
        execution = ModuleExecution(patient.runner, source, patient.context.target)
        assert execution.fails_with(((start, start + len("width"), new),)) is fails
