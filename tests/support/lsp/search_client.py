"""A client that follows searches itself: it agrees on our own protocol, and keeps the events by token."""

from __future__ import annotations

from typing import Any

from support.lsp.editor import Editor
from support.lsp.editor_profiles import capabilities
from support.lsp.peer import Message


def rich(**more: Any) -> Message:
    """Return the capabilities of a client that asks for our own protocol; `more` are the services it offers."""
    return {**capabilities("visual_studio_code"), "experimental": {"certo": {"versions": [1], **more}}}


async def start(editor: Editor, path: str, qualname: str, key: str, **more: Any) -> Message:
    """Start a search by its own request; its `key` is that of no search of another project on the same daemon."""
    params = {"key": f"{editor.root}/{key}", "uri": editor.uri(path), "qualname": qualname, **more}
    return dict(await editor.peer.request("certo/search/start", params))


async def attach(editor: Editor, search: str, token: int | str | None = None, seq: int = 0) -> int:
    """Attach to a search without waiting for its end, and return the id of the request."""
    params = {"searchId": search, "fromSeq": seq, "partialResultToken": token}
    return await editor.peer.ask("certo/search/attach", params)


def events(editor: Editor, token: int | str) -> list[Message]:
    """Return the events that came with a token so far."""
    told = [message["params"] for message in editor.peer.received if message.get("method") == "$/progress"]
    return [event for params in told if params["token"] == token for event in params["value"]]


async def event(editor: Editor, token: int | str, kind: str) -> Message:
    """Wait for the first event of a kind with a token, and return it."""

    def has(message: Message) -> bool:
        params = message.get("params")
        if message.get("method") != "$/progress" or params["token"] != token:
            return False
        return any(each["type"] == kind for each in params["value"])

    message = await editor.peer.wait_for_message(has)
    return next(each for each in message["params"]["value"] if each["type"] == kind)
