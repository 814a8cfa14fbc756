"""Tests that are offered before a search on a function that no test reaches."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from support.cli.command import COMMAND, certo, environment, scripted
from support.cli.terminal import Terminal
from support.projects.projects import write_project

SKIPS_FIRST = """\
def total(prices: list[int]) -> int:
    amount = 0
    for price in prices[1:]:
        amount += price
    return amount
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "shop", {"pyproject.toml": "", "prices.py": SKIPS_FIRST})


def test_pipelines_are_told_the_command(root: Path) -> None:
    ran = certo(root, "generate", "prices.py::total", *scripted(root, {"source": SKIPS_FIRST}))
    assert ran.code == 1
    assert "certo tests prices.py::total writes tests of what it does today; keep those that are right" in ran.err


def test_ticked_calls_lead_to_a_repair(root: Path) -> None:
    """Of the calls that are shown, the first gets another result, and the others are left alone."""
    terminal = Terminal(lines=200)
    command = [*COMMAND, "generate", "prices.py::total", *scripted(root, {"source": SKIPS_FIRST.replace("[1:]", "")})]
    env = environment(root.parent, TERM="xterm")
    running = subprocess.Popen(command, cwd=root, env=env, stdin=terminal.end, stdout=terminal.end, stderr=terminal.end)
    terminal.shows("write such tests? [Y/n]")
    terminal.press("y\r")
    screen = terminal.shows("right? [y/N, or what it should give]")
    ((prices,),) = [re.findall(r"\? total\((.*)\) gives", screen)]
    terminal.press("1 +\r")
    terminal.shows("cannot be read")
    right = sum(ast.literal_eval(prices))
    terminal.press(f"{right}\r" + "n\r" * 8)
    terminal.shows("VERIFIED")
    terminal.drain(running.poll)
    screen = terminal.screen()
    terminal.close()
    assert running.wait() == 0
    assert f"total({prices}) == {right}" in screen
    assert not (root / "tests").exists()
