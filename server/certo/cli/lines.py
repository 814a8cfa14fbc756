"""A search without a terminal: a quiet line for each thing worth a line in a log."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from certo.cli.table import header
from certo.cli.words import fraction, mark, objection, price, printable
from certo.search.board import Board, Row
from certo.vocabulary.events import CandidateDeclined, CandidateRepeated, CandidateScored, Event, SearchStarted


class Lines:
    """Prints the header, then each candidate when it has been judged."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed = False

    def tell(self, board: Board, event: Event) -> None:
        """Print what this event is worth."""
        match event:
            case SearchStarted():
                self._printed = True
                self._console.print(header(event, self._console), soft_wrap=True)
            case CandidateScored():
                self._console.print(self._told(board.rows[event.candidate_id]), soft_wrap=True)
            case CandidateRepeated():
                number = board.rows[event.candidate_id].number
                self._console.print(Text(f"slot {event.origin.slot}: the same as #{number} again"), soft_wrap=True)
            case CandidateDeclined():
                said = f"slot {event.slot} has ended: {printable(event.reason)}"
                self._console.print(Text(said), soft_wrap=True)

    def tick(self) -> None:
        """Lines come with events; time alone is worth none."""

    def close(self) -> None:
        """Leave room before what comes next, if anything came."""
        if self._printed:
            self._console.print()

    def _told(self, row: Row) -> Text:
        sign = mark("✓" if row.passed else "✗", self._console)
        if not row.passed:
            standing = objection(row.report)
        else:
            standing = f"{'verified' if row.verified else 'not verified'}, {price(row.cost)}"
        said = (f"#{row.number}", row.origin.note, f"{sign} {fraction(row.report)}".strip(), standing)
        return Text("  ".join(filter(None, said)))
