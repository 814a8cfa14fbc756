"""The real command on a small project, run as from a user's shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.cli.prepared_command import can_be_prepared, run_prepared
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

COMMAND = (sys.executable, "-m", "certo")

EAGER = (
    *(sys.executable, "-c"),
    "from certo.sandbox import work_order; work_order._BACKGROUND_NICENESS = 0; from certo.cli.main import run; run()",
)
"""The command, whose background runs have normal priority: beside other tests a nice process waits for minutes."""
BROKEN = "def change(due):\n    coins = []\n    for coin in COINS:\n        while due > coin:\n"
FIXED = BROKEN.replace(">", ">=")
REST = "            coins.append(coin)\n            due -= coin\n    return coins\n"
SOURCE = f'"""Giving change."""\n\nCOINS = (50, 20, 10, 5, 2, 1)\n\n\n{BROKEN}{REST}\n\ndef lonely(x):\n    return x\n'
RIGHT = {"source": FIXED + REST, "note": "a coin of exactly what is due"}
WRONG = {"source": "def change(due):\n    return []\n", "note": "give nothing back"}
HARMLESS = {"source": "def lonely(x):\n    return x + 0\n", "note": "add nothing"}


@dataclass(frozen=True)
class Ran:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """Standard output read as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def till(root: Path, *, source: str = SOURCE) -> Path:
    """Write a project with one bug, which one of two tests shows, and return its root."""
    return write_project(
        root,
        {
            "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
            "till.py": source,
            "tests/test_till.py": """\
                from till import change

                def test_nothing_is_due():
                    assert change(0) == []

                def test_one_coin():
                    assert change(50) == [50]
                """,
        },
    )


def environment(home: Path, **extra: str) -> dict[str, str]:
    """Return the environment of the command: enough to run, its own home, and no settings."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "LC_ALL", "TMPDIR"}}
    ours = {"HOME": str(home), "CERTO_SANDBOX__ISOLATION": "process", "CERTO_INTERPRETER": str(bare_python())}
    return {**kept, **ours, **extra}


def certo(root: Path, *words: str, **extra: str) -> Ran:
    """Run `certo` with these words in a folder, as a process of its own that is forked with its modules loaded."""
    variables = environment(root.parent, **extra)
    if can_be_prepared(variables):
        code, out, err = run_prepared(words, root, variables, timeout=300)
        return Ran(code, out.decode("utf-8"), err.decode("utf-8"))
    done = subprocess.run([*COMMAND, *words], cwd=root, capture_output=True, check=False, timeout=300, env=variables)
    return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def scripted(root: Path, *replies: dict[str, Any]) -> tuple[str, ...]:
    """Return the options that make a search take these replies, one after the other."""
    script = root.parent / "script.json"
    script.write_text(json.dumps(replies), encoding="utf-8")
    return ("--generator", "scripted", "--script", str(script))


def processes_in(root: Path) -> list[str]:
    """Return the processes whose working directory is the project or a folder below it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(root):
                found.append(process.name)
        except OSError:
            continue  # It has ended in the meantime, or is another user's.
    return found
