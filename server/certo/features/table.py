"""Table of features: the handler of each LSP method."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from certo.features.arguments import answering
from certo.features.editor.session import EditorSession
from certo.features.errors import failure, known
from certo.features.extensions import candidates as candidate_requests
from certo.features.extensions import inspection as asked
from certo.features.extensions import searches
from certo.features.lsp import notifications
from certo.features.lsp.ambient import files_changed
from certo.features.lsp.code_actions import code_actions, resolve_code_action
from certo.features.lsp.code_lens import code_lens
from certo.features.lsp.commands import execute_command
from certo.features.lsp.diagnostics import diagnostics
from certo.features.lsp.hover import hover
from certo.features.lsp.inlay_hints import inlay_hints
from certo.features.lsp.progress import cancel_progress
from certo.features.lsp.virtual_documents import text_document_content
from certo.protocol import candidates, inspection
from certo.protocol import searches as searching
from certo.protocol.editor_services import DELTA
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

OURS = "certo/"
"""Prefix of certo's own methods, which are only for clients that asked for them."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One request of the editor, and its handler."""

    method: str
    answer: Callable[[EditorSession, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Listener:
    """One notification of the editor, and its handler, which runs before the next message is read."""

    method: str
    hear: Callable[[EditorSession, Any], None]


FEATURES = (
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, code_actions),
    Feature(types.CODE_ACTION_RESOLVE, resolve_code_action),
    Feature(types.WORKSPACE_EXECUTE_COMMAND, execute_command),
    Feature(types.TEXT_DOCUMENT_HOVER, hover),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, code_lens),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, inlay_hints),
    Feature(types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostics),
    Feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, text_document_content),
    Feature(searching.START, answering(searching.START, searches.start)),
    Feature(searching.RETRY, answering(searching.RETRY, searches.retry)),
    Feature(searching.ATTACH, answering(searching.ATTACH, searches.attach)),
    Feature(searching.CANCEL, answering(searching.CANCEL, searches.cancel)),
    Feature(searching.LIST, answering(searching.LIST, searches.list_searches)),
    Feature(searching.GET, answering(searching.GET, searches.get)),
    Feature(searching.RESUME, answering(searching.RESUME, searches.resume)),
    Feature(searching.FORGET, answering(searching.FORGET, searches.forget)),
    Feature(inspection.VERIFY, answering(inspection.VERIFY, asked.verify)),
    Feature(inspection.TESTS, answering(inspection.TESTS, asked.tests)),
    Feature(inspection.STRENGTH, answering(inspection.STRENGTH, asked.strength)),
    Feature(inspection.DIFF, answering(inspection.DIFF, asked.diff)),
    Feature(inspection.ESTIMATE, answering(inspection.ESTIMATE, asked.estimate_search)),
    Feature(inspection.ENVIRONMENT, answering(inspection.ENVIRONMENT, asked.environment)),
    Feature(inspection.STATUS, answering(inspection.STATUS, asked.status)),
    Feature(candidates.GET, answering(candidates.GET, candidate_requests.get)),
    Feature(candidates.APPLY, answering(candidates.APPLY, candidate_requests.apply)),
    Feature(candidates.REBASE, answering(candidates.REBASE, candidate_requests.rebase)),
    Feature(candidates.EDITED, answering(candidates.EDITED, candidate_requests.edited)),
    Feature(candidates.MIXED, answering(candidates.MIXED, candidate_requests.mixed)),
    Feature(candidates.FEEDBACK, answering(candidates.FEEDBACK, candidate_requests.feedback)),
    Feature(candidates.COMPARE, answering(candidates.COMPARE, candidate_requests.compare)),
)

LISTENERS = (
    Listener(types.INITIALIZED, notifications.initialized),
    Listener(types.TEXT_DOCUMENT_DID_OPEN, notifications.did_open),
    Listener(types.TEXT_DOCUMENT_DID_CHANGE, notifications.did_change),
    Listener(types.TEXT_DOCUMENT_DID_CLOSE, notifications.did_close),
    Listener(types.TEXT_DOCUMENT_DID_SAVE, notifications.did_save),
    Listener(types.NOTEBOOK_DOCUMENT_DID_OPEN, notifications.notebook_did_open),
    Listener(types.NOTEBOOK_DOCUMENT_DID_CHANGE, notifications.notebook_did_change),
    Listener(types.NOTEBOOK_DOCUMENT_DID_CLOSE, notifications.notebook_did_close),
    Listener(types.WORKSPACE_DID_CHANGE_CONFIGURATION, notifications.did_change_configuration),
    Listener(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, notifications.did_change_workspace_folders),
    Listener(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed),
    Listener(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, cancel_progress),
    Listener(DELTA, notifications.model_delta),
)
"""All notifications that are listened to."""

_OURS_ALONE = {
    types.WORKSPACE_EXECUTE_COMMAND,
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
}
"""Methods whose built-in handlers in pygls are removed, because certo handles them differently.

pygls breaks lines where LSP does not (form feeds, \\u2028), which corrupts its copy of a document; and it distributes
the arguments of commands over parameters.
"""


def register(server: LanguageServer, desk: EditorSession) -> None:
    """Register every feature with the server."""
    for method in _OURS_ALONE:
        server.protocol.fm.builtin_features.pop(method, None)
    for feature in FEATURES:
        server.feature(feature.method)(partial(_answer, feature, desk))
    for listener in LISTENERS:
        server.feature(listener.method)(partial(_hear, listener, desk))


async def _answer(feature: Feature, desk: EditorSession, params: Any) -> Any:
    """Answer one request; an expected failure reaches the editor as one sentence, and the log in full.

    Raises:
        JsonRpcException: The request cannot be answered; the message gives the reason.
    """
    try:
        if feature.method.startswith(OURS):
            desk.client.need_version(feature.method)
        return await feature.answer(desk, params)
    except JsonRpcException:
        raise
    except Exception as error:
        refused = known(error)
        if refused is not None:
            raise failure(refused, params) from error
        log.exception("%s met a bug", feature.method)
        said = f"certo hit an internal error in {feature.method}; its log has the details"
        raise JsonRpcInternalError(said) from error


def _hear(listener: Listener, desk: EditorSession, params: Any) -> None:
    """Handle one notification; an expected failure is logged and shown, since no one waits for an answer."""
    try:
        listener.hear(desk, params)
    except Exception:
        log.exception("%s met a bug", listener.method)
        desk.window.say(f"internal error in {listener.method}; its log has the details.", types.MessageType.Error)
