"""Having the editor ask again for what it shows: one question at a time, however much happens meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

Start = Callable[[Callable[[], Awaitable[None]]], None]
"""Does something in the background."""


class Refresh:
    """The question to ask for one kind of thing again. An editor that does not read is not asked twice."""

    def __init__(self, ask: Callable[[], Awaitable[None]], start: Start) -> None:
        self._ask = ask
        self._start = start
        self._asking = False
        self._due = False

    def stir(self) -> None:
        """Have it asked, now or as soon as the last question is answered; asked once, all that came before shows."""
        self._due = True
        if not self._asking:
            self._asking = True
            self._start(self._keep_asking)

    async def _keep_asking(self) -> None:
        try:
            while self._due:
                self._due = False
                await self._ask()
        finally:
            self._asking = False
