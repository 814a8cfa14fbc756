"""Commands of the slow daemon, for tests."""

from __future__ import annotations

from support.lsp.peer import Peer, Refusal, frame

NOTHING = {"futures": 2, "types": 0, "tokens": 0}
"""What is kept while `test.kept` runs: its request, and the command behind it."""


async def ask_command(peer: Peer, name: str, *arguments: object) -> int:
    """Send a command without waiting, and return the id of the request."""
    return await peer.ask("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


async def command(peer: Peer, name: str, *arguments: object) -> object:
    """Run a command and return its result."""
    return await peer.answer(await ask_command(peer, name, *arguments))


async def event(peer: Peer, kind: str, name: str) -> None:
    """Wait until the daemon tells the beginning or the end of the work of this name."""
    await peer.wait_for("test/event", lambda params: (params["event"], params.get("name")) == (kind, name))


async def kept(peer: Peer) -> object:
    """Return the numbers of things that the daemon keeps for the conversation."""
    return await command(peer, "test.kept")


async def refused(peer: Peer, message: dict[str, object]) -> Refusal:
    """Send a message that the metamodel forbids and return the error of the answer."""
    peer.expect(str(message["id"]))
    await peer.send_bytes(frame(message))
    return await peer.refusal(str(message["id"]))


def frame_of(body: bytes) -> bytes:
    """Put any bytes into the frame of a message."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
