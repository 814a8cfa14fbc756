"""One search on the terminal: start it, show it, and end it on the user's signal."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import anyio

from certo.cli.signals import SignalEnding, ending_signals
from certo.search.board import SearchState
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.events import Event
from certo.vocabulary.records import dataclass

REDRAW_SECONDS = 0.1


class WatchView(Protocol):
    """Display of a search. `on_event` follows the board's own handling and must not raise; `tick` comes every 0.1 s."""

    def on_event(self, board: SearchState, event: Event) -> None:
        """Handle one event."""
        ...

    def tick(self) -> None:
        """Redraw moving parts."""
        ...

    def close(self) -> None:
        """Show the end and release the terminal."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedSearch:
    """A search that has ended; `signal` is the signal that ended it, None if it ended by itself.

    `said` are sentences for the user that concern more than this search.
    """

    live: LiveSearch
    signal: signal.Signals | None
    said: tuple[str, ...] = ()


async def watch(
    request: Request, view: WatchView, *, journals: Path | None = None, projects: WarmProjects | None = None
) -> WatchedSearch:
    """Run one search to its end while the view shows it; see `watch_begun`.

    Raises:
        BadRequest: The target cannot be found.
        BrokenPipeError: The view has lost its reader; the search was ended.
    """

    async def begin(searches: Searches) -> LiveSearch:
        return searches.start(request)

    return await watch_begun(begin, view, journals=journals, projects=projects)


async def watch_begun(
    begin: Callable[[Searches], Awaitable[LiveSearch]],
    view: WatchView,
    *,
    journals: Path | None = None,
    projects: WarmProjects | None = None,
) -> WatchedSearch:
    """Show the search started by `begin` until its end; SIGINT, SIGTERM and SIGHUP cancel it and its processes.

    Searches that follow it are shown too, and the last of them is returned. It is stored below `journals`, if given.
    Prepared processes come from `projects`, if given.
    Raises the errors of `begin`, and BrokenPipeError as `watch`.
    """
    ending = SignalEnding()
    said: list[str] = []
    with closing(view):
        async with anyio.create_task_group() as group:
            searches = Searches(group, environ=os.environ, journals=journals, projects=projects)
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
    """End the search at the first signal.

    A second one meets Python's default handler, which ends the process at once.
    """
    with anyio.open_signal_receiver(*ending_signals()) as signals:
        async for number in signals:
            ending.signal = signal.Signals(number)
            break
    for live in searches:
        await searches.cancel(live)
