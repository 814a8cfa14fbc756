"""Display of a running search: work-done progress and lenses, at a bearable pace."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from lsprotocol import types

from certo.features.editor.session import EditorSession, View
from certo.presentation.status import ending, passing_line, short_name
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import CancelIncomplete

TOKEN_PREFIX = "certo:"

REPORT_SECONDS = 0.25
"""Minimum time between two reports; events in between are combined."""

LENS_SECONDS = 0.5
"""Minimum time between two refreshes of the lenses."""

TICK_SECONDS = 1.0
"""Interval at which the elapsed seconds are updated."""


async def watch(desk: EditorSession, live: LiveSearch) -> None:
    """Show a search until it ends."""
    token, view = f"{TOKEN_PREFIX}{live.id}", desk.view(live)
    desk.refresh()
    wanted = await desk.window.create_progress(token) if desk.client.work_done_progress else False
    if wanted:
        title = f"Certo: {short_name(live.resolved.target)}"
        begin = types.WorkDoneProgressBegin(title=title, cancellable=True, message=passing_line(live))
        desk.window.report(token, begin)
    refreshed = time.monotonic()
    while live.running:
        await _next_news(view, live)
        if wanted:
            desk.window.report(token, types.WorkDoneProgressReport(cancellable=True, message=passing_line(live)))
        if time.monotonic() - refreshed >= LENS_SECONDS:
            refreshed = time.monotonic()
            desk.refresh()
    if wanted:
        desk.window.report(token, types.WorkDoneProgressEnd(message=ending(live)[0]))
    desk.refresh()


async def _next_news(view: View, live: LiveSearch) -> None:
    """Wait for news or the next tick, but at least for the minimum interval."""
    with anyio.move_on_after(TICK_SECONDS):
        await view.stirred.wait()
    view.stirred = anyio.Event()
    with anyio.move_on_after(REPORT_SECONDS):
        await live.run.stopped.wait()


@asynccontextmanager
async def shown_working(
    desk: EditorSession, token: str, title: str, message: str
) -> AsyncIterator[Callable[[str], None]]:
    """Show a progress until the block ends; calling what it yields changes the message."""
    wanted = await desk.window.create_progress(token) if desk.client.work_done_progress else False
    if wanted:
        desk.window.report(token, types.WorkDoneProgressBegin(title=title, message=message))

    def say(message: str) -> None:
        if wanted:
            desk.window.report(token, types.WorkDoneProgressReport(message=message))

    try:
        yield say
    finally:
        if wanted:
            desk.window.report(token, types.WorkDoneProgressEnd())


def cancel_progress(desk: EditorSession, params: types.WorkDoneProgressCancelParams) -> None:
    """End the search whose progress the user cancelled, if it still exists."""
    for live in desk.searches:
        if params.token == f"{TOKEN_PREFIX}{live.id}":
            desk.start(_cancel, desk, live)


async def _cancel(desk: EditorSession, live: LiveSearch) -> None:
    """End a search and report processes that are left."""
    try:
        await desk.searches.cancel(live)
    except CancelIncomplete as error:
        desk.window.say(str(error), types.MessageType.Error)
