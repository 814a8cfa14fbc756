"""The board of a search that is kept, folded from its events once more."""

from __future__ import annotations

from collections.abc import Iterable

from certo.search.board import Board
from certo.storage.lines import Unreadable, event_of
from certo.vocabulary.errors import BadRequest


def board_of(lines: Iterable[str]) -> Board:
    """What is known of a search, by its events as lines.

    Raises:
        BadRequest: another version of certo wrote them.
    """
    board = Board()
    try:
        for line in lines:
            board.tell(event_of(line))
    except (Unreadable, KeyError) as error:
        raise BadRequest("another version of certo wrote this search; --json prints what it wrote") from error
    return board
