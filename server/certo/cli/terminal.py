"""The two consoles: standard output for the answer alone, standard error for everything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import NoReturn, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.theme import Theme

from certo.vocabulary.visible import visible

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
"""Colours by meaning, all from the terminal's own sixteen, which its owner chose to be readable on its background."""

PIPED_WIDTH = 100
"""Columns when nobody's terminal says how many there are."""


class PlainConsole(Console):
    """A console on which text only stands, and that leaves it to the edge of the command when its reader has gone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is printed; nothing in its text plays with the terminal, whoever wrote it."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))

    def on_broken_pipe(self) -> NoReturn:
        """Say so as everything else does, where rich would end the process with the exit code for no winner."""
        raise BrokenPipeError


def answer_console() -> Console:
    """Standard output. To a pipe or a file it is UTF-8 whatever the locale, as the source files are."""
    if not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # a TextIOWrapper
    return console_on(sys.stdout)


def progress_console() -> Console:
    """Standard error."""
    return console_on(sys.stderr)


def console_on(file: TextIO) -> Console:
    """A console that prints what it is given: no markup, no emoji names, no guessed highlighting."""
    known = file.isatty() or "COLUMNS" in os.environ
    return PlainConsole(
        file=file, theme=THEME, markup=False, emoji=False, highlight=False, width=None if known else PIPED_WIDTH
    )
