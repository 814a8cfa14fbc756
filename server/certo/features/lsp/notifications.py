"""What an editor tells of itself: who it is, its folders and settings, and its documents as they change."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from certo import __version__
from certo.features.editor.client_settings import SECTION
from certo.features.editor.documents import PYTHON
from certo.features.editor.session import EditorSession
from certo.features.lsp.carried_edits import notice_carried
from certo.protocol.negotiation import VERSIONS


def initialize(desk: EditorSession, params: types.InitializeParams) -> None:
    """Learn who the editor is; its answer has been given by the daemon."""
    desk.begin(params)


def initialized(desk: EditorSession, _: types.InitializedParams) -> None:
    """Ask for what may be asked for only now: settings, and to be told when they change."""
    if desk.client.misunderstood:
        desk.doors.say(
            f"this editor asks for versions {list(desk.client.versions or ())} of certo's protocol, and certo "
            f"{__version__} speaks {list(VERSIONS)}; only what every editor has is there. Update whichever is older.",
            types.MessageType.Warning,
        )
    desk.start(_learn_settings, desk)
    if desk.client.configuration_by_request:
        section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        desk.start(desk.doors.register, types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)


def did_open(desk: EditorSession, params: types.DidOpenTextDocumentParams) -> None:
    """Take in a document; its text counts from now on, not its file's."""
    desk.documents.open(params.text_document)
    desk.start(desk.read_ahead, params.text_document.uri)
    if params.text_document.language_id == PYTHON:
        desk.recall(params.text_document.uri)


def did_change(desk: EditorSession, params: types.DidChangeTextDocumentParams) -> None:
    """Take in a document's next version."""
    desk.documents.change(params)
    document = desk.documents.get(params.text_document.uri)
    if document is not None and not desk.client.apply_edit:
        notice_carried(desk, document)
    _reread(desk, params.text_document.uri)
    desk.start(desk.read_ahead, params.text_document.uri)


def _reread(desk: EditorSession, uri: str) -> None:
    """Let the searches know of a document's text: what was accepted may have been undone in it."""
    document = desk.documents.get(uri)
    if document is not None and document.path is not None:
        desk.searches.reread(document.path, document.whole)


def did_close(desk: EditorSession, params: types.DidCloseTextDocumentParams) -> None:
    """Let a document go; searches about it go on, and its file counts again."""
    desk.documents.close(params.text_document.uri)


def did_save(desk: EditorSession, params: types.DidSaveTextDocumentParams) -> None:
    """Do nothing: whether a text stands in its file is looked up when it matters."""


def notebook_did_open(desk: EditorSession, params: types.DidOpenNotebookDocumentParams) -> None:
    """Take in a notebook with its cells."""
    desk.notebooks.open(params)


def notebook_did_change(desk: EditorSession, params: types.DidChangeNotebookDocumentParams) -> None:
    """Take in a notebook's next version."""
    desk.notebooks.change(params)
    for content in (params.change.cells.text_content if params.change.cells is not None else None) or ():
        _reread(desk, content.document.uri)


def notebook_did_close(desk: EditorSession, params: types.DidCloseNotebookDocumentParams) -> None:
    """Let a notebook go; searches about its cells go on."""
    desk.notebooks.close(params)


def did_change_configuration(desk: EditorSession, params: types.DidChangeConfigurationParams) -> None:
    """Take changed settings, and ask for them where that is how they come."""
    desk.settings.send(params.settings)
    desk.start(_learn_settings, desk)


def did_change_workspace_folders(desk: EditorSession, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take folders in and let others go."""
    desk.change_folders(
        added=[folder.uri for folder in params.event.added],
        removed=tuple(folder.uri for folder in params.event.removed),
    )
    desk.start(_learn_settings, desk)


async def _learn_settings(desk: EditorSession) -> None:
    """Ask for the settings where that is how they come, and say what is wrong with them before anybody misses it."""
    await desk.ask_settings()
    wrong = desk.settings.new_objections()
    if wrong:
        desk.doors.say("\n".join(wrong), types.MessageType.Warning)


def model_delta(desk: EditorSession, params: Any) -> None:
    """Take a piece of what the editor's model is writing."""
    desk.model.hear(params)
