"""The sessions of protocol.md are replayed, message by message, with a real daemon."""

from __future__ import annotations

import os
import re
from pathlib import Path

import anyio
import pytest

from support.lsp.peer import SILENCE, Message, Peer, lsp_peer
from support.lsp.transcript import Line, Meaning, lines_of, one_by_one

PROTOCOL = (Path(__file__).parents[2] / "protocol.md").read_text(encoding="utf-8")
SECTION = PROTOCOL.partition("\n## Worked sessions\n")[2].partition("\n## ")[0]
SESSIONS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", SECTION, re.MULTILINE | re.DOTALL))
PROJECT = re.findall(r"^```python (\S+)\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
HOME = "/home/ada/shop"
PATIENCE = 500.0
STAND_INS = frozenset({"5f0c2a9e", "6a3e1a60582d", "0d5a3f6c8f3e4b0f9f1c1d7b6d2e8a41", "c2f1", "c2f2"})


class Silent(dict[str, object]):
    """A client that leaves every question of the server to the transcript."""

    def get(self, _method: str, _default: object = None) -> object:  # type: ignore[override]  # what is got is never a default
        return SILENCE


class Heard:
    """The server's messages, and those that the transcript has reached."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._taken: set[int] = set()
        self._told = 0

    async def wait_for(self, written: Message, meaning: Meaning) -> None:
        """Wait for the written message once.

        Answers and notifications come in any order; messages of one token keep theirs.
        """
        in_order = written.get("method") == "$/progress"
        with anyio.fail_after(PATIENCE):
            while True:
                heard = [each for message in self._peer.received for each in one_by_one(message)]
                for place in range(self._told if in_order else 0, len(heard)):
                    if place not in self._taken and meaning.fits(written, heard[place]):
                        self._taken.add(place)
                        self._told = place if in_order else self._told
                        return
                await self._peer.wait_for_message(lambda _: True, patience=PATIENCE)


def test_there_is_a_session_of_every_kind() -> None:
    assert list(SESSIONS) == ["Any editor", "A client of certo's own protocol"]
    assert [name for name, _ in PROJECT] == ["till.py"]


@pytest.mark.usual_cases("A client of certo's own protocol")
@pytest.mark.parametrize("title", SESSIONS)
async def test_a_session_goes_as_it_is_written(title: str, tmp_path: Path) -> None:
    root = (tmp_path / "shop").resolve()
    root.mkdir()
    for name, text in PROJECT:
        await anyio.Path(root / name).write_text(text)
    meaning = Meaning({HOME: str(root)}, STAND_INS, {4711: os.getpid()})
    async with lsp_peer() as peer:
        peer.replies = Silent()
        heard = Heard(peer)
        for line in lines_of(SESSIONS[title]):
            await _have(line, peer, heard, meaning)
        assert await peer.ended() == 0


async def _have(line: Line, peer: Peer, heard: Heard, meaning: Meaning) -> None:
    """Send the client's message, or wait for the server's."""
    if line.sent:
        message = meaning.now({"jsonrpc": "2.0", **line.message})
        if message.get("method") == "initialize":
            peer.declare(message["params"]["capabilities"], message["params"].get("initializationOptions"))
        await peer.send(message)
    else:
        for each in one_by_one(line.message):
            try:
                await heard.wait_for(each, meaning)
            except TimeoutError:
                raise AssertionError(f"the server did not send {each}; it sent {peer.received[-8:]}") from None
