"""Notifications of the editor: folders, settings and document changes."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from certo import __version__
from certo.features.editor.client_settings import SECTION
from certo.features.editor.documents import PYTHON
from certo.features.editor.session import EditorSession
from certo.features.lsp.ambient import begin_ambient, look_at_open, look_at_save, show_offers, watch_tests
from certo.features.lsp.carried_edits import notice_carried
from certo.features.lsp.last_commit import read_commit
from certo.protocol.negotiation import VERSIONS


def initialized(desk: EditorSession, _: types.InitializedParams) -> None:
    """Request the settings and notifications of changes, which is allowed only now."""
    if desk.client.misunderstood:
        desk.window.say(
            f"this editor asks for versions {list(desk.client.versions or ())} of certo's protocol, and certo "
            f"{__version__} speaks {list(VERSIONS)}; only what every editor has is there. Update whichever is older.",
            types.MessageType.Warning,
        )
    desk.start(_learn_settings, desk)
    begin_ambient(desk)
    if desk.client.configuration_by_request:
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        desk.start(desk.window.register, types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)


def did_open(desk: EditorSession, params: types.DidOpenTextDocumentParams) -> None:
    """Add a document; from now on its text counts instead of its file's."""
    desk.documents.open(params.text_document)
    desk.start(desk.read_ahead, params.text_document.uri)
    if params.text_document.language_id == PYTHON:
        desk.recall(params.text_document.uri)
        desk.start(read_commit, desk, params.text_document.uri)
        _offer_again(desk, params.text_document.uri)


def _offer_again(desk: EditorSession, uri: str) -> None:
    """Remember a text that later ones are compared with, and show what is offered in it already."""
    document = desk.documents.get(uri)
    if document is not None and document.path is not None:
        desk.ambient.opened(document.path, document.whole)
        desk.ambient.typed(document.path, document.whole)  # while it was closed, others may have changed it
        desk.start(look_at_open, desk, document.path)
        if any(desk.ambient.offers(document.path)):
            show_offers(desk, document)


def did_change(desk: EditorSession, params: types.DidChangeTextDocumentParams) -> None:
    """Store a document's next version."""
    desk.documents.change(params)
    document = desk.documents.get(params.text_document.uri)
    if document is not None and document.path is not None:
        desk.comparisons.changed(document.path)
    if document is not None and not desk.client.apply_edit:
        notice_carried(desk, document)
    _reread(desk, params.text_document.uri)
    if document is not None and document.path is not None:
        desk.ambient.typed(document.path, document.whole)
    desk.start(desk.read_ahead, params.text_document.uri)


def _reread(desk: EditorSession, uri: str) -> None:
    """Tell the searches of a document's text: an accepted candidate may have been undone."""
    document = desk.documents.get(uri)
    if document is not None and document.path is not None:
        desk.searches.reread(document.path, document.whole)


def did_close(desk: EditorSession, params: types.DidCloseTextDocumentParams) -> None:
    """Remove a document; searches about it go on, and its file counts again."""
    document = desk.documents.get(params.text_document.uri)
    if document is not None and document.path is not None:
        desk.comparisons.close(document.path)
    desk.documents.close(params.text_document.uri)


def did_save(desk: EditorSession, params: types.DidSaveTextDocumentParams) -> None:
    """Read the last commit again, which may be another one by now, and make ready for the next search of the file."""
    document = desk.documents.get(params.text_document.uri)
    if document is not None and document.path is not None:
        desk.searches.saved(document.path)
    if document is not None and document.language == PYTHON:
        desk.start(read_commit, desk, params.text_document.uri)
        desk.start(look_at_save, desk, document)


def notebook_did_open(desk: EditorSession, params: types.DidOpenNotebookDocumentParams) -> None:
    """Add a notebook with its cells."""
    desk.notebooks.open(params)


def notebook_did_change(desk: EditorSession, params: types.DidChangeNotebookDocumentParams) -> None:
    """Store a notebook's next version."""
    desk.notebooks.change(params)
    for content in (params.change.cells.text_content if params.change.cells is not None else None) or ():
        _reread(desk, content.document.uri)


def notebook_did_close(desk: EditorSession, params: types.DidCloseNotebookDocumentParams) -> None:
    """Remove a notebook; searches about its cells go on."""
    desk.notebooks.close(params)


def did_change_configuration(desk: EditorSession, params: types.DidChangeConfigurationParams) -> None:
    """Store changed settings, or request them if that is how they come."""
    desk.settings.send(params.settings)
    desk.start(_learn_settings, desk)


def did_change_workspace_folders(desk: EditorSession, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Add and remove workspace folders."""
    desk.change_folders(
        added=[folder.uri for folder in params.event.added],
        removed=tuple(folder.uri for folder in params.event.removed),
    )
    desk.start(_learn_settings, desk)


async def _learn_settings(desk: EditorSession) -> None:
    """Request the settings if that is how they come, and report errors in them early."""
    await desk.ask_settings()
    wrong = desk.settings.new_objections()
    if wrong:
        desk.window.say("\n".join(wrong), types.MessageType.Warning)
    await watch_tests(desk)


def model_delta(desk: EditorSession, params: Any) -> None:
    """Pass on a piece of an answer of the editor's model."""
    desk.model.hear(params)
