"""Code actions on a function, answered from memory and completed on demand."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from certo.features.editor.documents import PYTHON, Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import Action, ActionContext, offers_at
from certo.features.lsp.carried_edits import carried_edit
from certo.vocabulary.display import as_message
from certo.vocabulary.errors import CertoError

QUICK_FIX = "quickfix.certo"
REWRITE = "refactor.rewrite.certo"


async def code_actions(
    desk: EditorSession, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command] | None:
    """Return the actions at a range; None if there are none. No action is ever preferred or run on save."""
    document = desk.documents.get(params.text_document.uri)
    kind = _kind(params.context)
    if document is None or document.language != PYTHON or document.is_ours or kind is None:
        return None
    unasked = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    offers = offers_at(_scene(desk, document, params.range), unasked=unasked)
    return [action for offer in offers if (action := await _action(desk, document, offer, kind)) is not None] or None


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


def _scene(desk: EditorSession, document: Document, asked: types.Range) -> ActionContext:
    """Return the place of the function that holds the selection, or its start, or its end."""
    places = (asked.start, asked.end)
    around = document.target_around(asked) if asked.start != asked.end else None
    target = around or next(filter(None, map(document.target_at, places)), None)
    searches = desk.searches_about(document, target)
    if document.flaw is not None and document.path is not None:
        # The function under the cursor is unknown now, but running searches can still be stopped.
        searches = tuple(live for live in desk.searches.of_document(document.path) if live.running)
    return ActionContext(
        document=document,
        target=target,
        searches=searches,
        instructions=desk.client.instructions,
        selected=asked if asked.start != asked.end else None,
    )


def _kind(context: types.CodeActionContext) -> str | None:
    """Return the kind of certo's actions here, a quick fix at a diagnostic; None if no kind of theirs is wanted."""
    ours = (QUICK_FIX, REWRITE) if context.diagnostics else (REWRITE,)
    if not context.only:
        return ours[0]
    # lsprotocol makes enumerations of the kinds it knows and leaves the others strings.
    wanted = [str(each.value) if isinstance(each, types.CodeActionKind) else each for each in context.only]
    return next((kind for kind in ours if any(_is_within(kind, each) for each in wanted)), None)


def _is_within(kind: str, wanted: str) -> bool:
    """True if a kind equals `wanted` or is below it, as `refactor.rewrite` is below `refactor`; "" is above all."""
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


async def _action(
    desk: EditorSession, document: Document, offer: Action, kind: str
) -> types.CodeAction | types.Command | None:
    """Return an offer in a form the editor supports; None if there is none."""
    if offer.command != "certo.accept" or desk.client.apply_edit:
        return _lsp(desk, offer, kind)
    edit = await carried_edit(desk, document, offer.argument)
    if edit is None or not desk.client.code_action_literals:
        return None
    return types.CodeAction(title=as_message(offer.title), kind=kind, edit=edit, tags=_tags(desk))


def _tags(desk: EditorSession) -> tuple[types.CodeActionTag, ...] | None:
    return (types.CodeActionTag.LlmGenerated,) if desk.client.generated_tag else None


def _lsp(desk: EditorSession, offer: Action, kind: str) -> types.CodeAction | types.Command | None:
    """Return an offer in a form the editor supports; None if it cannot show disabled actions."""
    client = desk.client
    command = types.Command(title=as_message(offer.title), command=offer.command, arguments=(offer.argument,))
    if offer.disabled is not None and not (client.disabled_actions and client.code_action_literals):
        return None
    if not client.code_action_literals:
        return command
    action = types.CodeAction(
        title=as_message(offer.title),
        kind=kind,
        disabled=types.CodeActionDisabled(reason=as_message(offer.disabled)) if offer.disabled is not None else None,
        tags=_tags(desk),
    )
    if offer.disabled is None and client.lazy_actions:
        action.data = {"command": offer.command, "argument": offer.argument}
    elif offer.disabled is None:
        action.command = command
    return action
