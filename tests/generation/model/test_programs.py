"""Whole programs in an answer: every block of Python, and nothing that only a notebook knows."""

from __future__ import annotations

import pytest

from certo.generation.model.code_extraction import whole_program

pytestmark = pytest.mark.acceptance(39)


def fence(code: str, language: str = "python") -> str:
    return f"```{language}\n{code}\n```"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (f"First\n{fence('x = 1')}\nthen\n{fence('y = x', 'PY')}", "x = 1\ny = x"),
        (f"{fence('pip install x', 'sh')}\n{fence('x = 1')}\n{fence('out', '')}", "x = 1"),
        (f"It is\n{fence('x = 1', '')}\nand prints\n{fence('1 2 3', '')}", "x = 1"),
        (fence(">>> x = 1\n>>> x\n1"), "x = 1\nx"),
        ("def f():\n    return 1\n", "def f():\n    return 1"),
        ("I do not know.", ""),
        ("", ""),
        (f"<think>{fence('no = 1')}</think>{fence('yes = 1')}", "yes = 1"),
        (fence("x = '%d' % 1\n!ls", "python"), "x = '%d' % 1\n"),
    ],
)
def test_the_whole_program_is_found(answer: str, code: str) -> None:
    assert whole_program(answer).code == code


def test_install_commands_are_dropped_and_strings_stay() -> None:
    program = whole_program(fence("!pip install numpy\n%matplotlib inline\nx = 1"))
    assert program.code.strip() == "x = 1"
    assert program.notes == (
        "Warning: `!pip install numpy` was left out; nothing can be installed or started.",
        "Warning: `%matplotlib inline` was left out; nothing can be installed or started.",
    )
    assert whole_program(fence('x = """\n!pip\n"""')).code == 'x = """\n!pip\n"""'
