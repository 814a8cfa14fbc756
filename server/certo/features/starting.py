"""Starting a search from the editor: where it is about, and whether one runs there already."""

from __future__ import annotations

from certo.edits.positions import Position
from certo.edits.target import ByLine, ByName, ByOffset, Place
from certo.features.desk import Desk
from certo.protocol.commands import TargetArguments, Wish
from certo.sessions.live import LiveSearch
from certo.sessions.request import Request
from certo.sessions.stating import Aim
from certo.vocabulary.errors import BadRequest, StaleText
from certo.vocabulary.text import Span


async def request_of(desk: Desk, argument: Wish) -> Request:
    """The wish that a client's arguments make.

    Raises:
        StaleText: the document is not the version that was looked at.
        BadRequest: there is no such document, or a position was given in one that is not open.
    """
    return await desk.request(
        argument.uri,
        place_of(desk, argument),
        instruction=argument.instruction,
        selected=_selected(desk, argument),
        flags=argument.settings,
        background=argument.background,
    )


def _selected(desk: Desk, argument: Wish) -> Span | None:
    """The stretch of the module's text that the user has selected."""
    if argument.range is None:
        return None
    document = desk.documents.get(argument.uri)
    if document is None:
        raise BadRequest(f"{argument.uri} is not open in the editor; open it, or give no range")
    start, end = (
        document.start + document.index.offset(Position(place.line, place.character))
        for place in (argument.range.start, argument.range.end)
    )
    return Span(start, max(start, end))


def place_of(desk: Desk, argument: TargetArguments) -> Place:
    """A place of a document in our own terms; raises what `request_of` does."""
    document = desk.documents.get(argument.uri)
    if argument.version is not None and (document is None or argument.version != document.version):
        changed = f"{argument.uri} is not open any more" if document is None else f"{document.name} has changed"
        raise StaleText(f"{changed} since this was offered; look at it again")
    if argument.qualname is not None:
        return ByName(argument.qualname)
    if argument.line is not None:
        above = 0 if document is None else document.whole.count("\n", 0, document.start)
        return ByLine(argument.line + above)
    if document is None:
        raise BadRequest(f"{argument.uri} is not open in the editor; open it, or give a line or qualname")
    assert argument.position is not None  # the argument's own check saw to it
    return ByOffset(
        document.start + document.index.offset(Position(argument.position.line, argument.position.character))
    )


def begin(desk: Desk, aim: Aim, *, instead_of: LiveSearch | None = None) -> tuple[LiveSearch, bool]:
    """Begin a search, and say so, or find the one that runs for that function.

    A finished one makes room for it, and so does the one it is made `instead_of`, which may run.
    """
    if instead_of is not None and instead_of.successor is not None:
        return instead_of.successor, False
    others = [each for each in desk.searches.of_document(aim.request.document) if each.aim.target.is_same(aim.target)]
    for other in others:
        if other.running and other is not instead_of and other.successor is None:
            return other, False
    olds = {each.id: each for each in (*others, instead_of) if each is not None}
    return desk.searches.begin(aim, desk.loans, olds.values()), True
