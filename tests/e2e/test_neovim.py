"""A real Neovim does the whole job with certo as any language server: offer, run, hover, accept, saved file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from certo.sandbox import census
from support.projects import write_project

JOURNEY = Path(__file__).parent / "neovim" / "journey.lua"

COINS = '''\
"""What a till gives back. 🪙"""

COINS = (50, 20, 10, 5, 2, 1)


def change(due):
    """The coins for an amount, largest first."""
    coins = []
    for coin in COINS:
        while due > coin:
            coins.append(coin)
            due -= coin
    return coins
'''

TESTS = """\
from coins import change


def test_nothing():
    assert change(0) == []


def test_one_coin():
    assert change(50) == [50]


def test_several():
    assert change(88) == [50, 20, 10, 5, 2, 1]
"""


@pytest.mark.editors
def test_the_main_job_in_neovim(tmp_path):
    root = write_project(tmp_path, {"coins.py": COINS, "test_coins.py": TESTS, "pyproject.toml": "[project]\n"})
    environment = {**os.environ, "JOURNEY_PYTHON": sys.executable, "JOURNEY_FILE": str(root / "coins.py")}
    nvim = subprocess.Popen(
        ["nvim", "--headless", "-u", "NONE", "-n", "-i", "NONE", "-c", f"luafile {JOURNEY}"],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said, _ = nvim.communicate(timeout=110)
    assert nvim.returncode == 0, said
    saved = (root / "coins.py").read_text(encoding="utf-8")
    assert saved != COINS
    assert subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=root, check=False).returncode == 0
    assert [one for one in census.descendants(os.getpid()) if one.pid != os.getpid()] == []
