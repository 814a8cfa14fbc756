"""Messages and requests to the editor."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import anyio
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from certo.features.editor.client_settings import SECTION
from certo.vocabulary.display import as_message

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 60.0
"""Maximum wait for an editor's answer; it may be asking its user."""

PROGRESS_PATIENCE_SECONDS = 2.0
"""Maximum wait for the creation of a progress, which needs no user and delays the display."""


@runtime_checkable
class OutboundQueue(Protocol):
    """Outgoing messages to an editor, with a count of those it has not read."""

    @property
    def is_full(self) -> bool:
        """True if the editor leaves too much unread."""
        ...

    async def room(self) -> None:
        """Wait until the queue is no longer full."""
        ...


class EditorWindow:
    """Messages and requests to one editor. A refusal is returned as None or False, never raised.

    Foreign text is escaped so that it is displayed only.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server

    def say(self, sentence: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show the user one sentence."""
        self._server.window_show_message(types.ShowMessageParams(type=kind, message=as_message(f"Certo: {sentence}")))

    async def ask(self, sentence: str, kind: types.MessageType, answers: Sequence[str]) -> str | None:
        """Return the user's choice, waiting as long as it takes; None if there is none.

        Cancellation withdraws the question.
        """
        asked = types.ShowMessageRequestParams(
            type=kind,
            message=as_message(f"Certo: {sentence}"),
            actions=tuple(types.MessageActionItem(title=answer) for answer in answers),
        )
        chosen = await _answer(self._server.window_show_message_request_async(asked), patience=math.inf)
        return None if chosen is None else chosen.title

    def report(
        self,
        token: str,
        value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd,
    ) -> None:
        """Send one step of a work-done progress; dropped if the queue is full, since another will come."""
        if self.is_full and isinstance(value, types.WorkDoneProgressReport):
            return
        if value.message is not None:
            value.message = as_message(value.message)
        if isinstance(value, types.WorkDoneProgressBegin):
            value.title = as_message(value.title)
        self._server.progress(types.ProgressParams(token=token, value=value))

    def partial(self, token: int | str, results: list[dict[str, Any]]) -> None:
        """Send a partial result under the token of the client's request."""
        self._server.protocol.notify(types.PROGRESS, types.ProgressParams(token=token, value=results))

    def publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Show diagnostics of a document in place of those shown before."""
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=tuple(diagnostics))
        )

    @property
    def is_full(self) -> bool:
        """True if so much is unread that optional messages should wait."""
        line = self._server.protocol.writer
        return isinstance(line, OutboundQueue) and line.is_full

    async def room(self) -> None:
        """Wait until the editor has read enough."""
        line = self._server.protocol.writer
        if isinstance(line, OutboundQueue):
            await line.room()

    async def create_progress(self, token: str) -> bool:
        """Request a work-done progress; return False if the editor refuses."""
        asked = types.WorkDoneProgressCreateParams(token=token)
        granted = _granted(self._server.window_work_done_progress_create_async(asked))
        return await _answer(granted, PROGRESS_PATIENCE_SECONDS) or False

    async def apply(self, edit: types.WorkspaceEdit, label: str) -> types.ApplyWorkspaceEditResult | None:
        """Ask the editor to apply an edit; return None if it did not answer or answered with an error."""
        asked = types.ApplyWorkspaceEditParams(edit=edit, label=as_message(label))
        return await _answer(self._server.workspace_apply_edit_async(asked))

    async def show_document(self, uri: str) -> bool:
        """Ask the editor to open a document; return False if it did not."""
        asked = types.ShowDocumentParams(uri=uri, take_focus=True)
        result = await _answer(self._server.window_show_document_async(asked))
        return result is not None and result.success

    async def configuration(self, scopes: Sequence[str | None]) -> Sequence[object]:
        """Request the section `certo` of the settings for each scope; empty if there is no answer."""
        items = tuple(types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes)
        return await _answer(self._server.workspace_configuration_async(types.ConfigurationParams(items=items))) or ()

    async def register(self, method: str, options: object = None) -> None:
        """Register for notifications that the editor sends only on request, with the method's own options."""
        registration = types.Registration(id=f"certo:{method}", method=method, register_options=options)
        asked = types.RegistrationParams(registrations=(registration,))
        await _answer(self._server.client_register_capability_async(asked))

    async def refresh_hints(self) -> None:
        """Ask the editor to request inlay hints again."""
        await _answer(self._server.workspace_inlay_hint_refresh_async(None))

    async def refresh_lenses(self) -> None:
        """Ask the editor to request lenses again."""
        await _answer(self._server.workspace_code_lens_refresh_async(None))


async def _answer(asking: Awaitable[Answer], patience: float = PATIENCE_SECONDS) -> Answer | None:
    """Wait for an answer; None if there is none within `patience` seconds or the editor refuses."""
    with anyio.move_on_after(patience):
        try:
            return await asking
        except JsonRpcException as error:
            log.info("the editor refused: %s", error)
    return None


async def _granted(asking: Awaitable[None]) -> bool:
    """Return True for an answer without content."""
    await asking
    return True


Start = Callable[[Callable[[], Awaitable[None]]], None]
"""Starts background work."""


class Refresh:
    """Request to refresh one kind of information. An editor that has not answered is not asked twice."""

    def __init__(self, ask: Callable[[], Awaitable[None]], start: Start) -> None:
        self._ask = ask
        self._start = start
        self._asking = False
        self._due = False

    def stir(self) -> None:
        """Refresh now or after the pending answer; one refresh covers all changes before it."""
        self._due = True
        if not self._asking:
            self._asking = True
            self._start(self._keep_asking)

    async def _keep_asking(self) -> None:
        try:
            while self._due:
                self._due = False
                await self._ask()
        finally:
            self._asking = False
