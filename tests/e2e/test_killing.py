"""Nothing survives the daemon: killed outright in the middle of a search, it takes every process with it."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from certo.sandbox.process.process_table import descendants, members
from support.lsp.editor import editor_on, script
from support.projects.shop import TOTAL, build_shop

ENDLESS = TOTAL.replace("    ...\n", "    while True: pass\n")


@pytest.mark.parametrize("isolation", ["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
async def test_killed_daemon_leaves_no_process(tmp_path: Path, isolation: str) -> None:
    settings = {**script(tmp_path, ENDLESS), "sandbox": {"isolation": isolation}}
    async with editor_on(build_shop(tmp_path), settings=settings) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for("$/progress", lambda params: "checking #1" in params["value"].get("message", ""))
        daemon = editor.peer.process.pid
        with anyio.fail_after(500):
            while not (below := descendants(daemon)):
                await anyio.lowlevel.checkpoint()
        watched = [os.pidfd_open(process.pid) for process in below]
        editor.peer.process.kill()
        with anyio.fail_after(500):
            await editor.peer.process.wait()
            for watch in watched:
                await anyio.wait_readable(watch)
                os.close(watch)
            # What it started after that look is known by the name of its scratch directory.
            while members(-1, f"certo-{daemon}-"):
                await anyio.lowlevel.checkpoint()
