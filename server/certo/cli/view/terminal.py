"""The two consoles: standard output for the result alone, standard error for everything else."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import NoReturn, TextIO

import anyio
from rich.console import Console, ConsoleOptions, RenderableType
from rich.live import Live
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text
from rich.theme import Theme

from certo.presentation.phrases import SIGNS
from certo.vocabulary.display import visible
from certo.vocabulary.verdict import Ruling

_STYLES = {Ruling.PASSED: "good", Ruling.FAILED: "bad", Ruling.UNDECIDED: "open"}

MARKS = {ruling: (sign, _STYLES[ruling]) for ruling, sign in SIGNS.items()}
"""Mark and style of each ruling."""

_PLAIN = {"✓": "+", "✗": "x", "…": ".", "·": "-", "–": "-", "→": "->"}


def mark(sign: str, console: Console) -> str:
    """Return the sign, or an ASCII one if the console cannot encode it."""
    return sign if console.encoding.lower().startswith("utf") else _PLAIN.get(sign, sign)


THEME = Theme(
    {
        "good": "green",
        "bad": "red",
        "open": "yellow",
        "won": "bold green",
        "lost": "bold red",
        "unsure": "bold yellow",
        "quiet": "dim",
        "head": "bold",
        "place": "bold cyan",
        "added": "green",
        "removed": "red",
        "hunk": "cyan",
    }
)
"""Styles by meaning, using only the terminal's sixteen colours, which its owner chose to be readable."""

PIPED_WIDTH = 100
"""Width in columns if there is no terminal."""


class PlainConsole(Console):
    """A console that shows foreign text literally, and raises BrokenPipeError when its reader has gone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the output; control characters in its text are neutralized."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError, where rich would end the process with the exit code for no winner."""
        raise BrokenPipeError


def answer_console() -> Console:
    """Return standard output. To a pipe or file it is UTF-8 in any locale, as source files are."""
    if not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # a TextIOWrapper
    return console_on(sys.stdout)


def progress_console() -> Console:
    """Return standard error."""
    return console_on(sys.stderr)


def console_on(file: TextIO) -> Console:
    """Return a console that prints text unchanged: no markup, no emoji names, no guessed highlighting."""
    known = file.isatty() or "COLUMNS" in os.environ
    return PlainConsole(
        file=file, theme=THEME, markup=False, emoji=False, highlight=False, width=None if known else PIPED_WIDTH
    )


@asynccontextmanager
async def waiting(console: Console) -> AsyncIterator[Callable[[str], None]]:
    """Show a spinner with the latest message while the block runs, and erase it afterwards.

    It is drawn by an anyio task, where rich alone would start a thread.
    """
    if not console.is_terminal or console.is_dumb_terminal:
        yield lambda _: None
        return
    spinner = spinner_for(console)
    live = Live(
        spinner, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    async with anyio.create_task_group() as group:
        with live:
            group.start_soon(_redraw, live)
            yield lambda said: spinner.update(text=Text(visible(said), "quiet"))
            group.cancel_scope.cancel()


def spinner_for(console: Console) -> Spinner:
    """Return a spinner of characters that the console can encode."""
    return Spinner("dots" if mark("…", console) == "…" else "line", style="place")


async def _redraw(live: Live) -> None:
    while True:
        live.refresh()
        await anyio.sleep(0.1)
