"""A search on a terminal: the table of candidates, redrawn while it grows."""

from __future__ import annotations

import time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from certo.cli.table import candidates, drafts, header
from certo.cli.waiting import spinner_for
from certo.cli.words import mark, passed_on, price
from certo.search.board import Board
from certo.search.wording import amount
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.visible import one_line, visible

_AROUND = 8
"""Lines of the screen that are neither header nor rows: headings, blank lines, the status, and the prompt above."""


class LiveTable:
    """Shows a board on a terminal and leaves its last state standing. It is drawn by `tick`, by no thread of rich's."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._board = Board()
        self._began = time.monotonic()
        self._spinner = spinner_for(console)
        self._live = Live(
            console=console,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self.render,
        )

    def tell(self, board: Board, event: Event) -> None:
        """Take the board, to be drawn at the next tick; until the first event there is nothing to draw.

        That of a search which another follows is left standing above.
        """
        self._board = board
        if isinstance(event, SearchStopped) and event.followed_by is not None:
            self._console.print(self.render(), Text(visible(passed_on(event))), Text(), sep="\n")
            self._board = Board()
        if not self._live.is_started:
            self._live.start()

    def tick(self) -> None:
        """Draw."""
        if self._live.is_started:
            self._live.refresh()

    def close(self) -> None:
        """Draw a last time and leave the cursor below."""
        self._live.stop()

    def render(self) -> RenderableType:
        """The board as it is now."""
        parts: list[RenderableType] = []
        taken = _AROUND
        if self._board.started is not None:
            said = header(self._board.started, self._console)
            taken += said.plain.count("\n") + 1
            parts.append(said)
        if self._board.drafts:
            taken += len(self._board.drafts) + 1
        if self._board.rows:
            rows = max(3, self._console.size.height - taken)
            parts += [Text(), candidates(self._board, self._console, rows=rows)]
        if self._board.drafts:
            parts += [Text(), drafts(self._board, self._console)]
        parts.append(self._status())
        return Group(*parts)

    def _status(self) -> RenderableType:
        """The last line: what goes on, or nothing once it is over."""
        board = self._board
        if board.stopped is not None:
            return Text()
        words = [f"{time.monotonic() - self._began:.0f} s"]
        if board.rows:
            words.append(amount(len(board.rows), "candidate"))
        best = board.best_row
        if best is not None:
            words.append(f"best: #{best.number}, {price(best.cost)}")
        if board.message:
            words.append(one_line(board.message))
        self._spinner.update(text=Text(f" {mark('·', self._console)} ".join(words), "quiet"))
        return Group(Text(), self._spinner) if board.started is not None else self._spinner
