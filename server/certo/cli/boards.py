"""What is known of a search that is kept, folded from its events once more."""

from __future__ import annotations

from collections.abc import Iterable

from certo.cli.course import Course, course_of
from certo.search.board import Board
from certo.storage.lines import Unreadable, event_of
from certo.vocabulary.errors import BadRequest


def kept_course(lines: Iterable[str]) -> Course:
    """The course of a search, by its events as lines.

    Raises:
        BadRequest: another version of certo wrote them.
    """
    try:
        return course_of(map(event_of, lines))
    except (Unreadable, KeyError) as error:
        raise BadRequest("another version of certo wrote this search; --json prints what it wrote") from error


def board_of(lines: Iterable[str]) -> Board:
    """What is known of a search, by its events as lines.

    Raises:
        BadRequest: another version of certo wrote them.
    """
    return kept_course(lines).board
