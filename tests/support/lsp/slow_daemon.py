"""`certo serve` with other features: commands that are slow or misbehave, and tell how they ended.

The process, the loop, the transport and the protocol are the real ones. Run as a program; see `SLOW_DAEMON`.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
from anyio.abc import TaskGroup
from lsprotocol import types

from certo.daemon.handshake import claim_streams, greet

SLOW_DAEMON = (sys.executable, str(Path(__file__).resolve()))
"""The command that starts it."""


def assemble(server: Any, group: TaskGroup) -> None:
    """Register the commands."""
    offer_rest(server)
    offer_background_work(server, group)
    offer_mischief(server)
    offer_questions(server)


def say(server: Any, event: str, **more: Any) -> None:
    """Tell the client that something happened."""
    server.protocol.notify("test/event", {"event": event, **more})


async def rest(server: Any, name: str) -> None:
    """Wait for ever, and tell the beginning and the end."""
    say(server, "begun", name=name)
    try:
        await anyio.sleep_forever()
    finally:
        say(server, "ended", name=name)


def offer_rest(server: Any) -> None:
    """Register slow requests."""

    @server.command("test.rest")
    async def rest_with_child(name: str) -> None:
        async with anyio.create_task_group() as children:
            children.start_soon(rest, server, f"{name}'s child")
            await rest(server, name)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(_params: types.HoverParams) -> None:
        await rest(server, "hover")


def offer_background_work(server: Any, group: TaskGroup) -> None:
    """Register work in the daemon's own group, which outlives the request that starts it."""

    @server.command("test.work")
    async def work(name: str) -> None:
        group.start_soon(rest, server, name)

    @server.command("test.process")
    async def start_process() -> None:
        group.start_soon(sleep_in_process)

    async def sleep_in_process() -> None:
        async with await anyio.open_process(["sleep", "600"], stdin=subprocess.DEVNULL) as process:
            say(server, "process", pid=process.pid)
            await process.wait()

    @server.command("test.cling")
    async def cling() -> None:
        group.start_soon(refuse_to_end)

    async def refuse_to_end() -> None:
        importlib.import_module("certo.daemon.lifecycle")._END_SECONDS = 4  # Nobody waits longer than must be.
        with anyio.CancelScope(shield=True):
            say(server, "begun", name="clinging")
            await anyio.sleep_forever()


def offer_mischief(server: Any) -> None:
    """Register handlers that misbehave."""

    @server.command("test.flood")
    async def flood(count: int, size: int) -> None:
        for number in range(count):
            say(server, "flood", number=number, filler="x" * size)

    @server.command("test.print")
    async def stray_print() -> None:
        sys.stdout.write("Content-Length: 7\r\n\r\ngarbage")
        sys.stdout.flush()
        os.write(1, b"more garbage")
        await anyio.run_process(["cat"], stdin=None, stdout=None)

    @server.command("test.log")
    async def log(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    @server.command("test.crash")
    async def crash() -> None:
        raise RuntimeError(f"no {__file__}")

    @server.command("test.give_up")
    async def give_up() -> None:
        gone = asyncio.get_running_loop().create_future()
        gone.cancel()
        await gone

    @server.command("test.unspeakable")
    async def unspeakable(what: str) -> Any:
        return {"object": SimpleNamespace(snake_case=1), "nan": float("nan")}[what]

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def crash_in_notification(_params: Any) -> None:
        raise RuntimeError(f"no {__file__}")


def offer_questions(server: Any) -> None:
    """Register requests that ask the client something, or tell something of the server."""

    @server.command("test.ask")
    async def ask() -> Any:
        edit = types.ApplyWorkspaceEditParams(edit=types.WorkspaceEdit())
        return (await server.workspace_apply_edit_async(edit)).applied

    @server.command("test.progress")
    async def progress() -> None:
        await server.work_done_progress.create_async("token")
        server.work_done_progress.begin("token", types.WorkDoneProgressBegin(title="working"))
        server.work_done_progress.end("token", types.WorkDoneProgressEnd())

    @server.command("test.kept")
    async def kept() -> dict[str, int]:
        protocol = server.protocol
        tables = {"futures": protocol._request_futures, "types": protocol._result_types}
        return {name: len(table) for name, table in (tables | {"tokens": protocol.progress.tokens}).items()}

    @server.command("test.text")
    async def text(uri: str) -> str:
        return str(server.workspace.get_text_document(uri).source)

    @server.feature("test/echo")
    async def echo(params: Any) -> Any:
        return params


def main() -> int:
    """Do as `certo serve`, with other features."""
    greeting = greet(*claim_streams())
    return 1 if greeting is None else int(importlib.import_module("certo.daemon.lifecycle").serve(greeting, assemble))


if __name__ == "__main__":
    sys.exit(main())
