"""A search without a terminal: a quiet line for each thing worth a line in a log."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from certo.cli.standing import standing_of
from certo.cli.table import header
from certo.cli.words import fraction, mark, objection, passed_on, price
from certo.search.board import Board, Row
from certo.search.wording import ended, line_of_tries
from certo.vocabulary.events import (
    CandidateDeclined,
    CandidateRepeated,
    CandidateScored,
    Event,
    SearchStarted,
    SearchStopped,
)
from certo.vocabulary.visible import one_line, visible


class Lines:
    """Prints the header, then each candidate when it has been judged.

    Lines of tries that ended are told with what is printed next, so that those which ended for one reason share a line,
    and not at all when the search itself ended for that reason: then the user is told of it once, as its outcome.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed = False
        self._ended: dict[str, list[int]] = {}

    def tell(self, board: Board, event: Event) -> None:
        """Print what this event is worth."""
        match event:
            case SearchStarted():
                self._printed = True
                self._console.print(header(event, self._console), soft_wrap=True)
            case CandidateScored():
                self._tell_ended()
                self._console.print(self._told(board.rows[event.candidate_id]), soft_wrap=True)
            case CandidateRepeated():
                number = board.rows[event.candidate_id].number
                said = f"{line_of_tries(event.origin.slot)}: the same as #{number} again"
                self._tell_ended()
                self._console.print(Text(said), soft_wrap=True)
            case CandidateDeclined():
                self._ended.setdefault(event.reason, []).append(event.slot)
            case SearchStopped():
                self._tell_ended(told_by=event.reason)
                if event.followed_by is not None:
                    self._console.print(Text(visible(passed_on(event))), soft_wrap=True)
                    self._console.print()

    def tick(self) -> None:
        """Lines come with events; time alone is worth none."""

    def close(self) -> None:
        """Leave room before what comes next, if anything came."""
        if self._printed:
            self._console.print()

    def _tell_ended(self, told_by: str = "") -> None:
        """Print which lines of tries have ended since, but for reasons that are told as another's."""
        for reason, slots in self._ended.items():
            if reason not in told_by:
                self._console.print(Text(ended(slots, one_line(reason))), soft_wrap=True)
        self._ended.clear()

    def _told(self, row: Row) -> Text:
        sign = mark("✓" if row.passed else "✗", self._console)
        if not row.passed:
            standing = objection(row.report)
        else:
            standing = f"{standing_of(row, over=True).value}, {price(row.cost)}"
        said = (f"#{row.number}", one_line(row.origin.note), f"{sign} {fraction(row.report)}".strip(), standing)
        return Text("  ".join(filter(None, said)))
