"""Code actions on a function, answered from memory and completed on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from certo.edits.positions import Position
from certo.features.editor.documents import PYTHON, Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import offers_at
from certo.features.lsp.ambient import offers_in
from certo.features.lsp.carried_edits import carried_edit
from certo.features.lsp.last_commit import differs
from certo.features.lsp.offers import (
    Action,
    ActionContext,
    EditorSelection,
    as_json,
    code_action,
    offered_first,
    target_of,
)
from certo.vocabulary.display import as_message
from certo.vocabulary.errors import CertoError


async def code_actions(desk: EditorSession, params: types.CodeActionParams) -> list[dict[str, Any]] | None:
    """Return the actions at a range; None if there are none. No action is ever preferred or run on save."""
    document = desk.documents.get(params.text_document.uri)
    if document is None or document.language != PYTHON or document.is_ours:
        return None
    unasked = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    scene = scene_at(desk, document, params.range, at_problem=bool(params.context.diagnostics))
    offers = offered_first(
        scene, offers_at(scene, unasked=unasked), _wanted(params.context), menu=desk.client.questions
    )
    return [
        action for offer, kind in offers if (action := await _action(desk, document, offer, kind)) is not None
    ] or None


async def resolve_code_action(desk: EditorSession, action: types.CodeAction) -> types.CodeAction:
    """Return an action completed with its command, or disabled with the reason.

    Nothing is computed here, since editors wait; foreign or complete actions are returned unchanged.
    """
    kept = action.data
    if not isinstance(kept, Mapping) or action.command is not None:
        return action
    command, argument = kept.get("command"), kept.get("argument")
    if not isinstance(command, str) or not isinstance(argument, Mapping):
        return action
    too_late = _too_late(desk, argument)
    if too_late is not None and desk.client.late_disabled:
        action.disabled = types.CodeActionDisabled(reason=as_message(too_late))
    else:
        # A command that comes too late reports that itself.
        action.command = types.Command(title=action.title, command=command, arguments=(argument,))
    return action


def _too_late(desk: EditorSession, argument: Mapping[str, object]) -> str | None:
    """Return the reason why an offer is outdated, in a sentence; None if it is not."""
    search_id, uri = argument.get("searchId"), argument.get("uri")
    if isinstance(search_id, str):
        try:
            desk.searches.get(search_id)
        except CertoError as gone:
            return str(gone)
    document = desk.documents.get(uri) if isinstance(uri, str) else None
    if document is not None and argument.get("version") != document.version:
        return f"{document.name} has changed since this was offered; ask for the code actions again"
    return None


def scene_at(
    desk: EditorSession, document: Document, selected: types.Range, *, at_problem: bool = False
) -> ActionContext:
    """Return the place of the function at a selection."""
    asked = EditorSelection(*(Position(place.line, place.character) for place in (selected.start, selected.end)))
    target = target_of(document, asked)
    searches = desk.searches_about(document, target)
    if document.flaw is not None and document.path is not None:
        # The function under the cursor is unknown now, but running searches can still be stopped.
        searches = tuple(live for live in desk.searches.of_document(document.path) if live.running)
    return ActionContext(
        document=document,
        target=target,
        searches=searches,
        instructions=desk.client.instructions,
        differs=differs(desk, document, target),
        at_problem=at_problem,
        has_model=document.path is not None and desk.settings.names_model(desk.folder_of(document.path)),
        selected=asked if asked.start != asked.end else None,
    )


def _wanted(context: types.CodeActionContext) -> list[str]:
    """Return the kinds that a client asks for; none if it takes all."""
    # lsprotocol makes enumerations of the kinds it knows and leaves the others strings.
    return [str(each.value) if isinstance(each, types.CodeActionKind) else each for each in context.only or ()]


async def _action(desk: EditorSession, document: Document, offer: Action, kind: str) -> dict[str, Any] | None:
    """Return an offer in a form the editor supports, with the diagnostic that it mends; None if there is none."""
    if offer.command != "certo.accept":
        return as_json(desk.client, offer, kind)
    mended = [each for live, each in offers_in(desk, document) if live.id == offer.argument["searchId"]]
    about = {"diagnostics": mended} if mended else {}
    if desk.client.apply_edit:
        return as_json(desk.client, offer, kind, **about)
    edit = await carried_edit(desk, document, offer.argument)
    if edit is None or not desk.client.code_action_literals:
        return None
    return code_action(desk.client, offer.title, kind, edit=edit, **about)
