"""Watching one search from the terminal: start it, show it, and end it when the user says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio

from certo.cli.signals import SignalEnding, ending_signals
from certo.search.board import SearchState
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.events import Event

REDRAW_SECONDS = 0.1


class WatchView(Protocol):
    """Shows a search. `on_event` hears each event after the board did and must not raise; `tick` comes every 0.1 s."""

    def on_event(self, board: SearchState, event: Event) -> None:
        """Hear one event."""
        ...

    def tick(self) -> None:
        """Redraw what moves."""
        ...

    def close(self) -> None:
        """Show the end and let go of the terminal."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedSearch:
    """A search that has ended; `signal` is the signal that ended it, None when it ended by itself.

    `said` are sentences for the user that are not about this search alone.
    """

    live: LiveSearch
    signal: signal.Signals | None
    said: tuple[str, ...] = ()


async def watch(request: Request, view: WatchView, *, journals: Path | None = None) -> WatchedSearch:
    """Run one search to its end while the view shows it; see `watch_begun`.

    Raises:
        BadRequest: the request cannot be aimed.
        BrokenPipeError: the view has lost its reader; the search has been ended.
    """

    async def begin(searches: Searches) -> LiveSearch:
        return searches.start(request)

    return await watch_begun(begin, view, journals=journals)


async def watch_begun(
    begin: Callable[[Searches], Awaitable[LiveSearch]], view: WatchView, *, journals: Path | None = None
) -> WatchedSearch:
    """Show the search that `begin` begins until its end; SIGINT, SIGTERM and SIGHUP cancel it and its processes.

    Searches that follow it are shown too, and the last of them is what was watched.
    It is kept below `journals`, where that is given. Raises what `begin` does, and BrokenPipeError as `watch`.
    """
    ending = SignalEnding()
    said: list[str] = []
    with closing(view):
        async with anyio.create_task_group() as group:
            searches = Searches(group, environ=os.environ, journals=journals)
            searches.subscribe(lambda live, event: view.on_event(live.state, event), said=said.append)
            live = await begin(searches)
            group.start_soon(_until_signalled, searches, ending)
            await _shown(live, view)
            while (after := live.followed_by) is not None:
                live = searches.get(after)
                await _shown(live, view)
            group.cancel_scope.cancel()
        view.tick()
    return WatchedSearch(live=live, signal=ending.signal, said=tuple(said))


async def _shown(live: LiveSearch, view: WatchView) -> None:
    """Show one search until its end."""
    while live.running:
        view.tick()
        with anyio.move_on_after(REDRAW_SECONDS):
            await live.run.stopped.wait()


async def _until_signalled(searches: Searches, ending: SignalEnding) -> None:
    """End the search at the first signal. A second one finds Python's own answer in place, which is to go at once."""
    with anyio.open_signal_receiver(*ending_signals()) as signals:
        async for number in signals:
            ending.signal = signal.Signals(number)
            break
    for live in searches:
        await searches.cancel(live)
