"""docs/images/demo.svg: the first search of `certo demo` as a terminal shows it at its end.

The picture is drawn from events that are kept beside this module, so that it changes only if what certo shows changes.
Run as a program this makes the search again, keeps its events with all times replaced, and draws the picture.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.text import Text

from certo.cli.demo import CHOICES, STEPS
from certo.cli.view.card import show_winner
from certo.cli.view.table import candidates, header
from certo.cli.view.terminal import THEME, PlainConsole
from certo.presentation.search_history import board_of
from support.documents.pages import ROOT
from support.projects.demo_project import copy_demo_project

PICTURE = ROOT / "docs" / "images" / "demo.svg"
EVENTS = Path(__file__).with_name("demo_events.jsonl")
STEP = STEPS[0]

_SECONDS = 0.5
"""Stands for every time, so that the picture does not say how fast a machine was."""

_COLUMNS = 100
_ID = "5f0c2a9e"


def draw() -> str:
    """Return the picture as SVG, by the kept events and the code that shows a search on a terminal."""
    board = board_of(EVENTS.read_text(encoding="utf-8").splitlines())
    console = PlainConsole(
        record=True, file=io.StringIO(), force_terminal=True, theme=THEME, width=_COLUMNS, height=60, highlight=False
    )
    assert board.stopped is not None
    assert board.stopped.winner is not None
    assert board.started is not None
    console.print(Text(f"$ certo generate {STEP.path}::{STEP.qualname}\n", "quiet"))
    console.print(header(board.started, console))
    console.print()
    console.print(candidates(board, console, rows=len(board.rows)))
    console.print()
    show_winner(board, board.stopped.winner, console, next_step="")
    svg = console.export_svg(title="certo demo", unique_id="demo")
    return re.sub(r"[ \t]+$", "", re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL), flags=re.MULTILINE)


def search_again() -> str:
    """Return the events of the demo's first search, run again, one per line."""
    with tempfile.TemporaryDirectory() as folder:
        project = copy_demo_project(Path(folder).resolve())
        chosen = {f"CERTO_{name.replace('.', '__').upper()}": str(value) for name, value in CHOICES.items()}
        done = subprocess.run(
            [sys.executable, "-m", "certo", "generate", f"{STEP.path}::{STEP.qualname}", "--json"],
            cwd=project,
            env={**os.environ, **chosen, "XDG_DATA_HOME": folder},
            stdout=subprocess.PIPE,
            check=True,
        )
        events = done.stdout.decode("utf-8").replace(str(project), "/home/ada/till")
    return "".join(json.dumps(_timeless(json.loads(line)), ensure_ascii=False) + "\n" for line in events.splitlines())


def _timeless(value: Any) -> Any:
    """Return the value with one figure for every time, and one id for the search."""
    if isinstance(value, list):
        return [_timeless(each) for each in value]
    if not isinstance(value, dict):
        return value
    replaced = {"seconds": _SECONDS, "at": _SECONDS, "search": _ID}
    return {key: replaced.get(key, _timeless(each)) for key, each in value.items()}


if __name__ == "__main__":
    EVENTS.write_text(search_again(), encoding="utf-8")
    PICTURE.write_text(draw(), encoding="utf-8")
