"""The pictures of docs/images: the first search of `certo demo` as a terminal shows it at its end, and as it goes on.

They are drawn from events that are kept beside this module, so that they change only if what certo shows changes.
Run as a program this makes the search again, keeps its events with all times replaced, and draws the pictures.
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
RECORDING = PICTURE.with_name("demo-recording.svg")
EVENTS = Path(__file__).with_name("demo_events.jsonl")
STEP = STEPS[0]

_SECONDS = 0.5
"""Stands for every time, so that the picture does not say how fast a machine was."""

_COLUMNS = 100
_ID = "5f0c2a9e"


_CHECKS_SHOWN = ("tests", "forgery", "evidence")
"""The checks of the first candidate at whose beginning the recording has a picture."""

_SHOWN = 1.2
_SHOWN_AT_END = 7.0
"""Seconds that a picture of the recording is shown."""


def draw() -> str:
    """Return the picture of the end of the search as SVG."""
    return _terminal(EVENTS.read_text(encoding="utf-8").splitlines(), "demo")


def draw_recording() -> str:
    """Return the pictures of the search as one SVG that shows them one after the other.

    The last one is shown alone where nothing moves: by readers without animations, and for users who want none.
    """
    events = EVENTS.read_text(encoding="utf-8").splitlines()
    moments = _moments(events)
    pictures = [_terminal(events[:seen], f"step{number}", lines=_lines(events)) for number, seen in enumerate(moments)]
    whole = _SHOWN * (len(pictures) - 1) + _SHOWN_AT_END
    rules, frames = [], []
    for number, picture in enumerate(pictures):
        start = 100 * _SHOWN * number / whole
        end = 100 * _SHOWN * (number + 1) / whole
        is_last = number == len(pictures) - 1
        after = "" if is_last else f" {end:.2f}%, 100% {{ visibility: hidden }}"
        before = "" if number == 0 else " 0% { visibility: hidden }"
        rules.append(f"@keyframes step{number} {{{before} {start:.2f}% {{ visibility: visible }}{after} }}")
        rules.append(f".step{number} {{ animation: step{number} {whole:g}s step-end infinite }}")
        frames.append(f'<g class="step{number}" visibility="{"visible" if is_last else "hidden"}">{picture}</g>')
    moving = "@media (prefers-reduced-motion: no-preference) {\n" + "\n".join(rules) + "\n}"
    inside = "\n".join(frames)
    view = pictures[-1].partition('viewBox="')[2].partition('"')[0]
    head = f'<svg viewBox="{view}" xmlns="http://www.w3.org/2000/svg">'
    return f"{head}\n<style>\n{moving}\n</style>\n{inside}\n</svg>\n"


def _moments(events: list[str]) -> list[int]:
    """Return after how many events each picture is taken: the beginning, checks, the ranks of candidates, the end."""
    told = [json.loads(line) for line in events]
    first = next(line["candidateId"] for line in told if line["type"] == "candidate.proposed")
    return [
        number
        for number, line in enumerate(told, start=1)
        if line["type"] in ("search.started", "candidate.ranked", "search.stopped")
        or (line.get("candidateId") == first and line.get("verifier") in _CHECKS_SHOWN)
    ]


def _terminal(events: list[str], name: str, lines: int = 0) -> str:
    """Return the search after these events on a terminal of at least so many lines, as SVG.

    Its styles begin with `name`, so that those of several pictures do not mix.
    """
    console = _shown(events)
    if missing := max(0, lines - _height(console)):
        console.print("\n" * missing, end="")
    svg = console.export_svg(title="certo demo", unique_id=name)
    return re.sub(r"[ \t]+$", "", re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL), flags=re.MULTILINE)


def _lines(events: list[str]) -> int:
    return _height(_shown(events))


def _height(console: PlainConsole) -> int:
    return console.export_text(clear=False).count("\n")


def _shown(events: list[str]) -> PlainConsole:
    board = board_of(events)
    console = PlainConsole(
        record=True, file=io.StringIO(), force_terminal=True, theme=THEME, width=_COLUMNS, height=60, highlight=False
    )
    assert board.started is not None
    console.print(Text(f"$ certo generate {STEP.path}::{STEP.qualname}\n", "quiet"))
    console.print(header(board.started, console))
    console.print()
    if board.rows:
        console.print(candidates(board, console, rows=len(board.rows)))
    if board.stopped is not None and board.stopped.winner is not None:
        console.print()
        show_winner(board, board.stopped.winner, console, next_step="")
    return console


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
    RECORDING.write_text(draw_recording(), encoding="utf-8")
