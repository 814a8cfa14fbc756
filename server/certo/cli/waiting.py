"""A line that shows on a terminal that something goes on; elsewhere there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from certo.cli.words import mark
from certo.vocabulary.visible import visible


@asynccontextmanager
async def waiting(console: Console) -> AsyncIterator[Callable[[str], None]]:
    """Show a spinner with the sentence last said while the block runs, and wipe it away at the end.

    It is drawn by a task of anyio's, where rich alone would start a thread.
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
    """A spinner of signs that the console can write."""
    return Spinner("dots" if mark("…", console) == "…" else "line", style="place")


async def _redraw(live: Live) -> None:
    while True:
        live.refresh()
        await anyio.sleep(0.1)
