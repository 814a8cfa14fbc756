"""A session of a client with the server of its own version, kept to be sent again to the servers that follow.

As a program: records one with this version, in tests/upgrades/VERSION/session.jsonl. Each line has a message and who
sent it: `client` or `server`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any

import anyio

import certo
from support.lsp.client import Client, client_of
from support.lsp.editor import script
from support.projects.bare_environment import bare_environ
from support.projects.shop import TOTAL, TOTAL_DONE, TOTAL_WRONG, build_shop
from support.upgrades.kept import FOLDER

HERE = "/home/ada/shop"
"""The project's folder, as it stands in the record."""


def recorded(version: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield who sent each message of the session of a version, and the message."""
    for line in (FOLDER / version / "session.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        yield told["by"], told["message"]


def settings_in(folder: Path) -> Mapping[str, Any]:
    """Return the settings of the session: what is proposed is always the same."""
    return script(folder, TOTAL_WRONG, TOTAL_DONE)


class Recording(Client):
    """A client that notes all messages of both sides."""

    said: list[tuple[str, Mapping[str, Any]]] = []  # noqa: RUF012  # one session is recorded in a process

    async def _send(self, message: dict[str, Any]) -> None:
        self.said.append(("client", message))
        await super()._send(message)

    def _hear(self, message: dict[str, Any]) -> None:
        self.said.append(("server", message))
        super()._hear(message)


async def record() -> None:
    """Let a client start and follow a search, look at what came of it, and write what was said."""
    with tempfile.TemporaryDirectory() as folder:
        root = build_shop(Path(folder) / "shop", TOTAL)
        settings = settings_in(Path(folder))
        async with client_of(root, environment=bare_environ(), settings=dict(settings), kind=Recording) as client:
            await _converse(client, root)
        lines = [json.dumps({"by": by, "message": message}, ensure_ascii=False) for by, message in Recording.said]
        text = "\n".join(lines).replace(str(root), HERE).replace(str(Path(folder)), "/home/ada")
    kept = FOLDER / certo.__version__ / "session.jsonl"
    await anyio.Path(kept).write_text(text.replace(bare_environ()["PATH"], "/usr/bin") + "\n", encoding="utf-8")


async def _converse(client: Client, root: Path) -> None:
    uri = await client.open(root / "shop.py")
    search = (await client.ask("certo/search/start", key="1", uri=uri, version=1, qualname="total"))["searchId"]
    async with aclosing(client.events(search)) as events:
        told = [event async for event in events]
    await client.ask("certo/search/get", searchId=search)
    await client.ask("certo/search/list", uri=uri)
    winner = told[-1]["winner"]["candidateId"]
    await client.ask("certo/candidate/get", searchId=search, candidateId=winner, want=["diff", "report", "hunks"])


if __name__ == "__main__":
    anyio.run(record)
