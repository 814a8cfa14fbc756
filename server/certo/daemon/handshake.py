"""First answer: reads `initialize` and answers it with plain JSON before any heavy import.

Importing pygls and lsprotocol takes some 400 ms, ten times as long as everything else. So the answer is sent first, and
the imports run while the editor processes it; messages that arrive meanwhile wait in the pipe in order.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from certo import __version__
from certo.daemon.capabilities import server_capabilities
from certo.daemon.framing import INVALID_PARAMS, NOT_INITIALIZED, Frames, Message, Refused, decode, encode, is_request

TYPE_CHECKING = False  # as type checkers understand it: importing `typing` for real takes as long as all the rest
if TYPE_CHECKING:
    from certo.daemon.reader import MessageFraming

_CHUNK = 64 * 1024


class Greeting:
    """State after `initialize` was answered: its params, the two streams, and input read beyond it.

    `unanswered` are later messages that have been read and not dealt with.
    """

    def __init__(self, params: Message, source: int, sink: int, frames: MessageFraming) -> None:
        self.params = params
        self.source = source
        self.sink = sink
        self.frames = frames
        self.unanswered: list[bytes | Refused] = []


def claim_streams() -> tuple[int, int]:
    """Reserve standard input and output for the protocol; return their new descriptors.

    From here on a stray `print` goes to standard error, and a child process that inherits descriptor 0 reads nothing;
    otherwise the one would corrupt and the other consume messages.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink


def greet(source: int, sink: int) -> Greeting | None:
    """Answer the first well-formed `initialize` and return it; None if the client left instead.

    Other requests are answered with an error and notifications are dropped, as LSP demands. SIGTERM and SIGINT end the
    process with code 1 and no traceback.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    frames = Frames()
    try:
        while received := os.read(source, _CHUNK):
            frames.feed(received)
            for body in frames.bodies():
                params = _hear(body, sink)
                if params == "exit":
                    return None
                if isinstance(params, dict):
                    return Greeting(params, source, sink, frames)
    except BrokenPipeError:
        pass  # the client closed its end before it was answered, which is one more way of leaving
    return None


def _hear(body: bytes | Refused, sink: int) -> Message | str | None:
    """Answer one message; return the params of a valid `initialize`, or "exit"."""
    try:
        if isinstance(body, Refused):
            raise body
        message = decode(body)
        if not is_request(message):
            return "exit" if message.get("method") == "exit" else None
        id_, params = read_initialize(message)
        write(sink, welcome(id_, params))
        return params
    except Refused as refused:
        write(sink, refused.answer())
        return None


def read_initialize(request: Message) -> tuple[int | str, Message]:
    """Return the id and params of a valid `initialize`.

    Raises:
        Refused: It is another request, or its params violate LSP.
    """
    id_ = request["id"]
    assert isinstance(id_, int | str)  # decode has seen to it
    if request["method"] != "initialize":
        raise Refused(NOT_INITIALIZED, f"{request['method']} came before initialize", id_)
    params = request.get("params")
    objection = _objection(params)
    if objection:
        raise Refused(INVALID_PARAMS, f"initialize: {objection}", id_)
    assert isinstance(params, dict)  # or there would be an objection
    return id_, params


def welcome(id_: int | str, params: Message) -> Message:
    """Return the response to an `initialize` with these params."""
    capabilities = params["capabilities"]
    assert isinstance(capabilities, dict)  # read_initialize has seen to it
    result = {
        "capabilities": server_capabilities(capabilities, params.get("initializationOptions")),
        "serverInfo": {"name": "certo", "version": __version__},
    }
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def _objection(params: object) -> str | None:
    """Return an error in the params of `initialize`, as far as the daemon depends on them; None if there is none."""
    if not isinstance(params, dict):
        return "params must be an object"
    if not isinstance(params.get("capabilities"), dict):
        return "capabilities must be an object"
    process = params.get("processId")
    if isinstance(process, bool) or not isinstance(process, int | None):
        return "processId must be an integer or null"
    for name in ("rootUri", "rootPath"):
        if not isinstance(params.get(name), str | None):
            return f"{name} must be a string or null"
    folders = params.get("workspaceFolders")
    if not isinstance(folders, list | None):
        return "workspaceFolders must be an array or null"
    for folder in folders or ():
        if not (
            isinstance(folder, dict) and isinstance(folder.get("uri"), str) and isinstance(folder.get("name"), str)
        ):
            return "every one of workspaceFolders must have a uri and a name"
    return None


def write(sink: int, message: Message) -> None:
    """Write a message in its frame, however long that takes."""
    frame = Frames().wrap(encode(message))
    while frame:
        frame = frame[os.write(sink, frame) :]


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End the process silently: it has no children yet."""
    sys.exit(1)
