"""Progress of a search: a live table, or one line per notable event without a terminal."""

from __future__ import annotations

import time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from certo.cli.view.table import candidates, drafts, header
from certo.cli.view.terminal import mark, spinner_for
from certo.presentation.phrases import fraction, objection, passed_on, price
from certo.presentation.status import status_in_words
from certo.search.board import CandidateState, SearchState
from certo.vocabulary.display import amount, ended_lanes, lane, looked_up, one_line, visible
from certo.vocabulary.events import (
    CandidateDeclined,
    CandidateRepeated,
    CandidateScored,
    Event,
    ModelLooked,
    SearchStarted,
    SearchStopped,
)


class Lines:
    """Prints the header, then each judged candidate.

    Ended lanes are printed with the next line, so that lanes with the same reason share one. If the search itself ended
    for that reason, they are not printed: its outcome says it.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed = False
        self._ended: dict[str, list[int]] = {}

    def on_event(self, board: SearchState, event: Event) -> None:
        """Print the line of this event, if it has one."""
        match event:
            case SearchStarted():
                self._printed = True
                self._console.print(header(event, self._console), soft_wrap=True)
            case CandidateScored():
                self._tell_ended()
                self._console.print(self._told(board.rows[event.candidate_id]), soft_wrap=True)
            case CandidateRepeated():
                number = board.rows[event.candidate_id].number
                said = f"{lane(event.origin.slot)}: the same as #{number} again"
                self._tell_ended()
                self._console.print(Text(said), soft_wrap=True)
            case ModelLooked(model=model, tool=tool, arguments=arguments):
                self._tell_ended()
                said = f"{lane(event.slot)}: {looked_up(model, tool, arguments)}, {event.characters} characters"
                self._console.print(Text(visible(said)), soft_wrap=True)
            case CandidateDeclined():
                self._ended.setdefault(event.reason, []).append(event.slot)
            case SearchStopped():
                self._tell_ended(told_by=event.reason)
                if event.followed_by is not None:
                    self._console.print(Text(visible(passed_on(event))), soft_wrap=True)
                    self._console.print()

    def tick(self) -> None:
        """Do nothing, because lines are printed for events only."""

    def close(self) -> None:
        """Print a final blank line if anything was printed."""
        if self._printed:
            self._console.print()

    def _tell_ended(self, told_by: str = "") -> None:
        """Print the lanes that ended since the last line, except for a reason that `told_by` gives already."""
        for reason, slots in self._ended.items():
            if reason not in told_by:
                self._console.print(Text(ended_lanes(slots, one_line(reason))), soft_wrap=True)
        self._ended.clear()

    def _told(self, row: CandidateState) -> Text:
        sign = mark("✓" if row.passed else "✗", self._console)
        standing = f"{status_in_words(row, over=True)}, {price(row.cost)}" if row.passed else objection(row.report)
        said = (f"#{row.number}", one_line(row.origin.note), f"{sign} {fraction(row.report)}".strip(), standing)
        return Text("  ".join(filter(None, said)))


_AROUND = 8
"""Screen lines other than header and rows: headings, blank lines, the status, and the prompt above."""


class LiveTable:
    """Live table of a search that stays on the terminal at the end. It is redrawn by `tick`, not by rich's thread."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._board = SearchState()
        self._began = time.monotonic()
        self._spinner = spinner_for(console)
        self._live = Live(
            console=console,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self.render,
        )

    def on_event(self, board: SearchState, event: Event) -> None:
        """Store the board for the next tick; nothing is drawn before the first event.

        The table of a search that another one follows stays above.
        """
        self._board = board
        if isinstance(event, SearchStopped) and event.followed_by is not None:
            self._console.print(self.render(), Text(visible(passed_on(event))), Text(), sep="\n")
            self._board = SearchState()
        if not self._live.is_started:
            self._live.start()

    def tick(self) -> None:
        """Redraw the table."""
        if self._live.is_started:
            self._live.refresh()

    def close(self) -> None:
        """Draw a last time and leave the cursor below."""
        self._live.stop()

    def render(self) -> RenderableType:
        """Return the table in its current state."""
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
        """Return the last line: the current activity, empty at the end."""
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
