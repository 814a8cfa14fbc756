"""Cells as plain Python: nothing moves, and nothing that Python can read is made a comment."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.source import as_python


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("x = 1\n", "x = 1\n"),
        ("%matplotlib inline\nimport os\n", "#matplotlib inline\nimport os\n"),
        ("import os\n!pip install x\ny = 2", "import os\n#pip install x\ny = 2"),
        ("df.head?\n", "#f.head?\n"),
        ("if x:\n    y = 1\n    %time f()\n", "if x:\n    y = 1\n    #time f()\n"),
        ("%%time\nx = 1\n", "#%time\nx = 1\n"),
        ("x = (7\n  % 3\n)\n", "x = (7\n  % 3\n)\n"),
        ("", ""),
        ("%%bash\nls\n", None),
        ("x = (\n", None),
        ("files = !ls\n", None),
        ("if x:\n    !ls\n", None),
    ],
)
def test_only_ipython_syntax_becomes_a_comment(cell: str, python: str | None) -> None:
    assert as_python(cell) == python


LINES = st.sampled_from(
    ["x = 1", "%magic", "!ls -l", "help?", "?help", "if x:", "    y", "    %t", "z = (", "% 3)", "é", "#"]
)


@given(lines=st.lists(LINES, max_size=6), newline=st.sampled_from(["\n", "\r\n"]))
def test_the_python_parses_and_nothing_moves(lines: list[str], newline: str) -> None:
    """Every character stays where it was or becomes a #."""
    cell = newline.join(lines)
    python = as_python(cell)
    if python is not None:
        ast.parse(python)
        assert len(python) == len(cell)
        assert all(now in (was, "#") for now, was in zip(python, cell, strict=True))
