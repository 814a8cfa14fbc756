"""Commands of the slow daemon, for tests."""

from __future__ import annotations

from support.lsp.peer import Peer


async def ask_command(peer: Peer, name: str, *arguments: object) -> int:
    """Send a command without waiting, and return the id of the request."""
    return await peer.ask("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


async def command(peer: Peer, name: str, *arguments: object) -> object:
    """Run a command and return its result."""
    return await peer.answer(await ask_command(peer, name, *arguments))


async def event(peer: Peer, kind: str, name: str) -> None:
    """Wait until the daemon tells the beginning or the end of the work of this name."""
    await peer.wait_for("test/event", lambda params: (params["event"], params.get("name")) == (kind, name))
