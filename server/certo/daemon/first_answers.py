"""First code actions: answered while the rest of the server is being imported.

That takes most of a second, in which an editor has opened a file and asked what can be done at the cursor. As long as
nothing but documents has been opened there are no searches, so the answer needs neither pygls nor a search. All other
messages wait in order for the whole server, which hears of the opened documents too.
"""

from __future__ import annotations

import importlib
import os
import select
from typing import Any, TypeGuard

from certo.daemon.framing import Frames, Message, Refused, decode, encode
from certo.daemon.handshake import Greeting
from certo.edits.positions import Position
from certo.features.editor.client import read_client
from certo.features.editor.documents import PYTHON, Document
from certo.features.lsp.offers import STARTS, ActionContext, EditorSelection, as_json, offered_first, target_of

STEPS = (
    "lsprotocol.types",
    "pygls.lsp.server",
    "certo.settings.loader",
    "certo.sessions.live",
    "certo.features.table",
    "certo.daemon.assembly",
)
"""Modules to import one after the other, of which each imports a part of the next. Messages are read between them."""

_CHUNK = 64 * 1024
_MAX_CHUNKS = 16
"""Maximum number of chunks read at a time, so that a client that never pauses does not hold up the imports."""

_WRITABLE = select.PIPE_BUF
"""Number of bytes that a stream which is ready for writing takes without waiting."""

_INVOKED, _AUTOMATIC = 1, 2
"""LSP's `CodeActionTriggerKind` of requests that a user has made, and of others."""

_MAX_NUMBER = 2**31 - 1
"""Maximum of LSP's numbers."""

_NO_MATTER = frozenset(
    {
        "initialized",
        "textDocument/didSave",
        "textDocument/hover",
        "textDocument/codeLens",
        "textDocument/inlayHint",
        "textDocument/diagnostic",
        "workspace/didChangeConfiguration",
        "workspace/didChangeWorkspaceFolders",
        "$/cancelRequest",
        "$/setTrace",
    }
)
"""Methods that change nothing about later code actions. After any other, the whole server answers."""


class FirstAnswers:
    """Answers to code actions, until a message comes that may matter to them and needs the whole server."""

    def __init__(self, greeting: Greeting) -> None:
        self._greeting = greeting
        self._client = read_client(greeting.params)
        self._documents: dict[str, Document] = {}
        self._able = True

    def import_server(self) -> None:
        """Import the whole server step by step; answer before each step what can be answered."""
        for name in STEPS:
            self.hear()
            importlib.import_module(name)

    def hear(self) -> None:
        """Read what has arrived, without waiting. Messages that are not answered are kept for the whole server."""
        greeting = self._greeting
        for _ in range(_MAX_CHUNKS):
            greeting.unanswered += [body for body in greeting.frames.bodies() if not self._is_answered(body)]
            if not self._able or not select.select([greeting.source], [], [], 0)[0]:
                return
            received = os.read(greeting.source, _CHUNK)
            if not received:
                return  # the whole server sees the end of the stream as well
            greeting.frames.feed(received)

    def _is_answered(self, body: bytes | Refused) -> bool:
        """Answer a message if that needs no server; note an opened document."""
        if not self._able or isinstance(body, Refused):
            return False
        try:
            message = decode(body)
        except Refused:
            return False
        method = message.get("method")
        if method == "textDocument/codeAction" and "id" in message:
            return self._answer(message)
        if method == "textDocument/didOpen":
            self._open(message)
        elif "method" in message and method not in _NO_MATTER:
            self._able = False
        return False

    def _open(self, message: Message) -> None:
        """Add an opened document."""
        params = message.get("params")
        match params.get("textDocument") if isinstance(params, dict) else None:
            case {"uri": str(uri), "languageId": str(language), "version": int(version), "text": str(text)}:
                self._documents[uri] = Document(
                    uri=uri, language=language, version=version, text=text, encoding=self._client.encoding
                )
            case _:
                self._able = False

    def _answer(self, request: Message) -> bool:
        """Answer a request for code actions; False if it is left to the whole server.

        That is so for one that is not as LSP says, for one at a problem, which is more to check, and for an answer that
        the client would have to make room for.
        """
        match request.get("params"):
            case {
                "textDocument": {"uri": str(uri)},
                "range": {"start": start, "end": end},
                "context": {"diagnostics": [], **context},
            }:
                first, last = _position(start), _position(end)
            case _:
                return False
        only, trigger = context.get("only") or [], context.get("triggerKind", _INVOKED)
        if first is None or last is None or not _are_texts(only) or trigger not in (_INVOKED, _AUTOMATIC):
            return False
        actions = []
        if trigger != _AUTOMATIC:
            actions = self._actions(uri, EditorSelection(first, last), only)
        frame = Frames().wrap(encode({"jsonrpc": "2.0", "id": request["id"], "result": actions or None}))
        sink = self._greeting.sink
        if len(frame) > _WRITABLE or not select.select([], [sink], [], 0)[1]:
            return False
        os.write(sink, frame)
        return True

    def _actions(self, uri: str, asked: EditorSelection, only: list[str]) -> list[dict[str, Any]]:
        """Return the actions at a selection."""
        document = self._documents.get(uri)
        if document is None or document.language != PYTHON or document.is_ours:
            return []
        scene = ActionContext(
            document=document,
            target=target_of(document, asked),
            instructions=self._client.instructions,
            selected=asked if asked.start != asked.end else None,
        )
        offers = (offer for each in STARTS for offer in each.offers(scene))
        first = offered_first(scene, offers, only, menu=self._client.questions)
        shown = (as_json(self._client, offer, kind) for offer, kind in first)
        return [action for action in shown if action is not None]


def _position(place: object) -> Position | None:
    """Return a position of LSP; None if it is none."""
    match place:
        case {"line": int(line), "character": int(character)} if min(line, character) >= 0:
            return Position(line, character) if max(line, character) <= _MAX_NUMBER else None
    return None


def _are_texts(values: object) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
