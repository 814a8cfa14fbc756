"""The journey of every independent editor: repair and accept one function, cancel the next search, and leave."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from certo.sandbox.process import process_table
from support.projects.projects import write_project

CONFIGURATIONS = Path(__file__).parents[3] / "examples" / "editors"
"""How users set their editors up; the journeys load these very files, which they find in JOURNEY_CONFIGURATION."""

SECONDS = 110
"""How long an editor may take for the whole way; then it is killed with all it has started."""

PARTING_SECONDS = 10
"""How long what an editor has started may live after it."""

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


def weight(coins):
    """What coins weigh, in grams."""
    grams = 0.0
    for coin in coins:
        grams += 1.5 + coin / 10
    return round(grams, 2)
'''
"""`change` can be repaired; `weight` cannot, and the search for it goes on until somebody ends it."""

CHANGE_TESTS = """\
from coins import change


def test_nothing():
    assert change(0) == []


def test_one_coin():
    assert change(50) == [50]


def test_several():
    assert change(88) == [50, 20, 10, 5, 2, 1]
"""

WEIGHT_TESTS = """\
import time

from coins import weight


def test_slow_scales():
    time.sleep(0.3)
    assert weight([50, 20]) == 31337
"""


PATIENT = """\
[project]
name = "coins"
version = "1"

[tool.certo.search]
seconds = 600

[tool.certo.builtin]
seconds = 600
"""
"""Machines that test many things at once are slow; no search may end here because its time is over."""


def build_coins(root: Path) -> Path:
    """Write a project with a function to repair and one that is beyond repair, and return the file to open."""
    write_project(
        root,
        {
            "coins.py": COINS,
            "test_coins.py": CHANGE_TESTS,
            "test_weight.py": WEIGHT_TESTS,
            "pyproject.toml": PATIENT,
        },
    )
    return root / "coins.py"


def travel(
    command: Sequence[str | Path], file: Path, more: Mapping[str, str] | None = None, *, seconds: int = SECONDS
) -> None:
    """Run an editor's own script on a file of `build_coins`; it prints each step that held.

    It must end with exit code 0, with the repaired function in the file and with no process left.
    """
    piped = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with editor_of(command, file, more or {}, **piped) as editor:
        try:
            said, _ = editor.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(editor.pid, signal.SIGKILL)
            raise AssertionError(
                f"the editor was not there after {seconds} s:\n{_text(editor.communicate()[0])}"
            ) from None
        assert editor.returncode == 0, _text(said)
    assert is_repaired(file), _text(said)


@contextmanager
def editor_of(
    command: Sequence[str | Path], file: Path, more: Mapping[str, str], **streams: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield an editor that was started in its own session; afterwards none of its processes may be alive.

    `certo` is on its path. Its scripts find the interpreter that has certo in JOURNEY_PYTHON, and the file to work on
    in JOURNEY_FILE.
    """
    mark, home = secrets.token_hex(8), file.parent.parent / "home"
    home.mkdir()
    own = {
        "HOME": str(home),
        "JOURNEY_FILE": str(file),
        "JOURNEY_MARK": mark,
        "JOURNEY_PYTHON": sys.executable,
        "PATH": f"{_programs(home)}{os.pathsep}{os.environ['PATH']}",
    }
    editor = subprocess.Popen(
        [str(each) for each in command],
        cwd=file.parent,
        env={**os.environ, **own, **more},
        start_new_session=True,
        **streams,
    )
    try:
        yield editor
        # An editor need not wait for its language servers: Vim sends them a signal and is gone.
        deadline = time.monotonic() + PARTING_SECONDS
        while (left := process_table.members(editor.pid, f"JOURNEY_MARK={mark}")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left == [], f"processes of the editor live on: {[process.pid for process in left]}"
    finally:
        process_table.kill(process_table.members(editor.pid, f"JOURNEY_MARK={mark}"))
        editor.wait()


def _programs(home: Path) -> Path:
    """Return a folder with nothing but `certo`, so that the other programs on the path stay the same."""
    programs = home / "bin"
    programs.mkdir()
    (programs / "certo").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m certo "$@"\n', encoding="utf-8")
    (programs / "certo").chmod(0o755)
    return programs


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace")


def is_repaired(file: Path) -> bool:
    """True if the tests of `change` pass on the file as the editor saved it."""
    return _passes(file) and file.read_text(encoding="utf-8") != COINS


def _passes(file: Path) -> bool:
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_coins.py"]
    return subprocess.run(tests, cwd=file.parent, check=False, capture_output=True, timeout=SECONDS).returncode == 0
