"""Menu of the actions that are not offered at first, in editors that can ask their user to choose."""

from __future__ import annotations

from lsprotocol import types

from certo.edits.positions import Position
from certo.features.editor.conversion import lsp_position
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import offers_at
from certo.features.lsp.code_actions import scene_at
from certo.features.lsp.offers import MAX_OFFERS, Action, offered_first
from certo.features.lsp.search_end import Run
from certo.features.lsp.search_start import place_of
from certo.protocol.commands import CommandAnswer, MoreArguments
from certo.vocabulary.errors import BadRequest


async def show_more(desk: EditorSession, argument: MoreArguments, run: Run) -> CommandAnswer:
    """Begin to ask which of the further actions at a place is to be done.

    Raises:
        BadRequest: The document is not open, or the editor cannot ask its user.
        StaleText: It has another version than the arguments.
    """
    place_of(desk, argument)
    document = desk.documents.get(argument.uri)
    if document is None or argument.position is None or not desk.client.questions:
        raise BadRequest("this editor cannot show a menu; ask for code actions of the kind refactor.rewrite.certo")
    offers = _further(desk, document, Position(argument.position.line, argument.position.character))
    desk.start(_choose, desk, offers, run)
    return CommandAnswer(state="shown")


def _further(desk: EditorSession, document: Document, place: Position) -> dict[str, Action]:
    """Return the actions that are not offered at first, by their titles.

    Those that need an instruction are left out, because no message of LSP asks for one.
    """
    at = lsp_position(document.index, document.index.offset(place))
    scene = scene_at(desk, document, types.Range(start=at, end=at))
    offers = [offer for offer, _ in offered_first(scene, offers_at(scene), (), menu=False)]
    further = offers[MAX_OFFERS:]
    return {offer.title.removeprefix("Certo: "): offer for offer in further if "ask" not in offer.argument}


async def _choose(desk: EditorSession, offers: dict[str, Action], run: Run) -> None:
    """Ask for one of the actions, and run its command."""
    title = await desk.window.ask("what else?", types.MessageType.Info, tuple(offers))
    if title is not None and (chosen := offers.get(title)) is not None:
        await run(desk, types.ExecuteCommandParams(command=chosen.command, arguments=(chosen.argument,)))
