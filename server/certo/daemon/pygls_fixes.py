"""pygls' protocol with the defects of 2.1.1 repaired, one small override each; tests pin every one.

The overridden methods are internal to pygls, which is why its version is pinned. Incoming messages enter by `receive`;
pygls' own reading loop is not used.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import Future
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from cattrs import Converter
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.progress import Progress
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)
from pygls.protocol.json_rpc import MsgId
from pygls.workspace import Workspace

from certo.daemon.capabilities import position_encoding
from certo.daemon.framing import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    Frames,
    Message,
    Refused,
    decode,
    encode,
)
from certo.daemon.stages import Stages

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import MessageCallback, MessageHandler  # which exist for type checkers only

logger = logging.getLogger(__name__)

_OUR_FAULT = "certo hit an internal error; the details are in its log, on standard error"


@cache
def make_converter() -> Converter:
    """Make the converter of lsprotocol, leaving the params of methods that LSP does not know as the JSON they are.

    pygls makes named tuples of them, which lose keys such as "class"; and it does not take a message without params.
    There is one for all clients: it keeps nothing of theirs, and the code that it makes for each type is kept for ever.
    It stops at the first thing that is wrong: a long text in the place of an array has as many errors as letters, and
    gathering them would hold up everybody for seconds.
    """
    converter = converters.get_converter(Converter(detailed_validation=False))

    def structure_request(message: Message, _: type) -> JsonRPCRequestMessage:
        return JsonRPCRequestMessage(message["id"], str(message["method"]), "2.0", message.get("params"))  # type: ignore[arg-type]  # decode has seen to the id

    def structure_notification(message: Message, _: type) -> JsonRPCNotification:
        return JsonRPCNotification(str(message["method"]), "2.0", message.get("params"))

    def structure_response(message: Message, _: type) -> JsonRPCResponseMessage:
        return JsonRPCResponseMessage(message["id"], "2.0", message.get("result"))  # type: ignore[arg-type]  # decode has seen to the id

    converter.register_structure_hook(JsonRPCRequestMessage, structure_request)
    converter.register_structure_hook(JsonRPCNotification, structure_notification)
    converter.register_structure_hook(JsonRPCResponseMessage, structure_response)
    return converter


class ForgettingProgress(Progress):
    """Progress that forgets a token at its end; pygls keeps the token of every progress for ever."""

    def end(self, token: types.ProgressToken, value: types.WorkDoneProgressEnd) -> None:
        """Notify the end of work."""
        super().end(token, value)
        self.tokens.pop(token, None)


class RepairedProtocol(LanguageServerProtocol):
    """Protocol state of one client."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.progress = ForgettingProgress(self)
        self.life = Stages()
        self.wrap: Callable[[bytes], bytes] = Frames().wrap
        """Makes a frame of a body; depends on the transport."""
        self.opening: Message = {"capabilities": {}}
        """The params of `initialize`."""
        self._left = False

    @property
    def was_shut_down(self) -> bool:
        """True if the client sent `shutdown`, which makes the exit code 0."""
        return self._shutdown

    def begin(self, opening: Message) -> None:
        """Start with the params of an `initialize` that the handshake has checked and answered.

        pygls' own handler would work out the answer once more, which takes some 40 ms.
        """
        self.opening = opening
        root = cast("str | None", opening.get("rootUri"))
        encoding = position_encoding(cast("dict[str, object]", opening["capabilities"]))
        self._workspace = Workspace(root, position_encoding=types.PositionEncodingKind(encoding))

    def receive(self, body: bytes | Refused) -> None:
        """Handle one message from the client; every request gets an answer, whatever is wrong with it."""
        try:
            if isinstance(body, Refused):
                raise body
            self._hand_on(decode(body))
        except Refused as refused:
            self._send_data(refused.answer())

    def _hand_on(self, message: Message) -> None:
        """Dispatch a message by its kind; a failure must not end the conversation.

        Raises:
            Refused: The message is answered with an error.
        """
        try:
            if "method" not in message:
                self._receive_response(message)
            elif "id" in message:
                self._receive_request(message)
            else:
                self._receive_notification(message)
        except Refused:
            raise
        except Exception:
            logger.exception("a message of the client met a bug")
            id_ = message.get("id")
            if "method" in message and isinstance(id_, int | str):
                raise Refused(INTERNAL_ERROR, _OUR_FAULT, id_) from None

    def _receive_request(self, message: Message) -> None:
        """Dispatch a request, or refuse it. pygls ignores requests after `shutdown` and unreadable ones."""
        id_, method = message["id"], message["method"]
        assert isinstance(id_, int | str)  # decode has seen to it
        if self._shutdown:
            raise Refused(INVALID_REQUEST, f"{method} came after shutdown", id_)
        if method == types.INITIALIZE:
            raise Refused(INVALID_REQUEST, "initialize was answered already", id_)
        if id_ in self._request_futures:
            raise Refused(INVALID_REQUEST, f"the id {id_!r} belongs to a request that still runs", id_)
        try:
            structured = self.structure_message(message)
        except JsonRpcException:
            raise Refused(INVALID_PARAMS, f"the params of {method} are not what LSP says they are", id_) from None
        if not hasattr(structured, "id"):
            raise Refused(INVALID_REQUEST, f"{method} is a notification; it has no id and gets no answer", id_)
        self.handle_message(structured)

    def _receive_notification(self, message: Message) -> None:
        try:
            structured = self.structure_message(message)
        except JsonRpcException:
            logger.warning("ignored the notification %s: its params are not what LSP says they are", message["method"])
        else:
            self.handle_message(structured)

    def _receive_response(self, message: Message) -> None:
        """Pass a response to its waiter, which in pygls waits for ever if the response is unreadable."""
        id_ = message["id"]
        if id_ not in self._result_types:
            logger.debug("ignored a response to %r, which was not asked, or is not awaited any more", id_)
            return
        try:
            structured = self.structure_message(message)
        except JsonRpcException as error:
            asked = self._request_futures.pop(id_, None)
            if asked is not None:
                asked.set_exception(error)
        else:
            self.handle_message(structured)
        finally:
            self._result_types.pop(id_, None)  # pygls keeps it when the response is an error

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: MsgId | None = None,
    ) -> Future[Any]:
        """Send a request to the client and withdraw it if the wait is cancelled; pygls keeps such requests for ever."""
        if self._left:
            refused: Future[Any] = Future()
            refused.set_exception(_gone())
            return refused
        id_ = str(uuid.uuid4()) if msg_id is None else msg_id
        asked = super().send_request(method, params, callback, id_)

        def take_back(asked: Future[Any]) -> None:
            if asked.cancelled() and id_ in self._result_types:
                del self._result_types[id_]  # it is None for a method that LSP does not know
                self._request_futures.pop(id_, None)
                self.notify(types.CANCEL_REQUEST, types.CancelParams(id=id_))

        asked.add_done_callback(take_back)
        return asked

    def abandon_questions(self) -> None:
        """Fail all present and future requests to a client that has left."""
        self._left = True
        for id_ in list(self._result_types):
            asked = self._request_futures.pop(id_, None)
            del self._result_types[id_]
            if asked is not None and not asked.done():
                asked.set_exception(_gone())

    def cancel_requests(self, *, but: MsgId | None = None) -> None:
        """Cancel every running request, each with an answer."""
        for id_, running in list(self._request_futures.items()):
            if id_ != but and id_ not in self._result_types:
                running.cancel()

    async def requests_done(self) -> None:
        """Wait until no request is running."""
        while tasks := [task for task in self._running() if isinstance(task, asyncio.Task)]:
            await asyncio.wait(tasks)

    def _running(self) -> list[object]:
        return list(self._request_futures.values())

    def _handle_cancel_notification(self, msg_id: object) -> None:
        """Cancel one of the client's requests; in pygls the client could cancel certo's own, or send a list as id."""
        if isinstance(msg_id, int | str) and msg_id not in self._result_types:
            super()._handle_cancel_notification(msg_id)

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: MessageHandler,
        callback: MessageCallback,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler, and forget it afterwards: pygls keeps every notification's future for ever.

        A handler that a generator waits for (the command behind `executeCommand`) is cancelled with the generator; in
        pygls the client is told of the cancellation while the command runs on.
        """
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        running = self._request_futures.get(msg_id)
        if running is None:
            return

        def forget(_: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)

        running.add_done_callback(forget)
        waiting = getattr(callback, "keywords", {}).get("result_future")
        if waiting is not None:
            waiting.add_done_callback(lambda waited: running.cancel() if waited.cancelled() else None)

    def _run_generator(
        self, future: Future[Any] | None, *, gen: Generator[Any, Any, Any], result_future: Future[Any]
    ) -> None:
        """Continue a generator; if its awaited handler was cancelled, cancel it too, where pygls never answers."""
        if future is not None and future.cancelled():
            result_future.cancel()
        super()._run_generator(future, gen=gen, result_future=result_future)

    def _send_response(
        self, msg_id: MsgId | None, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """Answer a request once; pygls puts the traceback of an internal error into the answer."""
        if error is not None and error.code == INTERNAL_ERROR:
            error = types.ResponseError(code=INTERNAL_ERROR, message=_OUR_FAULT)
        super()._send_response(msg_id, result, error)  # type: ignore[arg-type]  # null is LSP's id for the unreadable

    def _serialize_message(self, data: Any) -> Any:
        """Return JSON for LSP's types and enumerations only; pygls sends the `__dict__` of any other object."""
        if hasattr(data, "__attrs_attrs__"):
            return self._converter.unstructure(data)
        if isinstance(data, Enum):
            return data.value
        raise TypeError(f"{type(data).__name__} is no type of LSP")

    def _send_data(self, data: Any) -> None:
        """Send one message. If it has no form in JSON, pygls leaves the client waiting."""
        assert self.writer is not None, "the outbox is set before the first message"
        try:
            body = encode(data, self._serialize_message)
        except Exception:  # whatever a result's own fields make cattrs or json raise
            logger.exception("a message could not be encoded")
            if hasattr(data, "method") or not hasattr(data, "id"):
                return
            body = encode(Refused(INTERNAL_ERROR, _OUR_FAULT, data.id).answer())
        self.writer.write(self.wrap(body))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel all work before answering. pygls cancels none, and fails if a request is running."""
        self._shutdown = True
        self.cancel_requests(but=self.msg_id)
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield handler, args, None
        yield self.life.end_work, (), None

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """End the conversation regularly: pygls raises SystemExit in the middle of the loop."""
        if (handler := self.fm.features.get(types.EXIT)) is not None:
            yield handler, args, None
        self.life.leave()


def _gone() -> JsonRpcException:
    """Return the error for requests to a client that has left."""
    return JsonRpcException("the editor has left")
