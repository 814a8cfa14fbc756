"""The start and the end of a daemon, as a real process at the other end of real pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from certo.daemon.lifecycle import gone
from support.lsp.editor_profiles import EDITORS
from support.lsp.peer import CERTO, Peer, frame, lsp_peer
from support.lsp.slow_daemon import SLOW_DAEMON
from support.lsp.slow_daemon_commands import ask_command, command, event

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}


@pytest.mark.parametrize("editor", [EDITORS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in EDITORS[1:])])
async def test_clean_shutdown_is_code_0(editor: str, tmp_path: Path) -> None:
    """With the capabilities of each real editor."""
    async with lsp_peer() as peer:
        result = await peer.initialize(editor, root=tmp_path)
        assert result["serverInfo"]["name"] == "certo"
        assert result["capabilities"]["executeCommandProvider"]["commands"]
        assert await peer.shut_down() == 0
    assert peer.log == ""


@pytest.mark.usual_cases("offered2-utf-32")
@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        pytest.param([], "utf-16", marks=pytest.mark.slow),
        (["utf-32", "utf-8"], "utf-32"),
        pytest.param(["utf-8", "utf-16"], "utf-8", marks=pytest.mark.slow),
        (["utf-7", "utf-8"], "utf-8"),
        pytest.param(["utf-7"], "utf-16", marks=pytest.mark.slow),
    ],
)
async def test_the_client_chooses_the_position_encoding(offered: list[str] | None, chosen: str) -> None:
    client = {} if offered is None else {"general": {"positionEncodings": offered}}
    async with lsp_peer(SLOW_DAEMON) as peer:
        result = await peer.initialize(client=client or {"general": {}})
        assert result["capabilities"]["positionEncoding"] == chosen
        units = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[chosen]
        document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "🐍x\n"}
        await peer.notify("textDocument/didOpen", {"textDocument": document})
        change = {"range": {"start": {"line": 0, "character": units}, "end": {"line": 0, "character": units + 1}}}
        await peer.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": "file:///a.py", "version": 2}, "contentChanges": [{**change, "text": "y"}]},
        )
        assert await command(peer, "test.text", "file:///a.py") == "🐍y\n"


async def test_early_messages_keep_their_order() -> None:
    async with lsp_peer(SLOW_DAEMON) as peer:
        peer.expect(1, "initialize")
        messages = [INITIALIZE, {"jsonrpc": "2.0", "method": "initialized", "params": {}}]
        messages += [
            {"jsonrpc": "2.0", "id": number, "method": "test/echo", "params": {"number": number}}
            for number in range(2, 200)
        ]
        for number in range(2, 200):
            peer.expect(number)
        await peer.send_bytes(b"".join(frame(message) for message in messages))
        assert [await peer.answer(number) for number in range(2, 200)] == [{"number": n} for n in range(2, 200)]
        assert [message["id"] for message in peer.received] == list(range(1, 200))
        peer.capabilities = {"general": {}}


@pytest.mark.slow
async def test_exit_without_shutdown_is_code_1() -> None:
    async with lsp_peer() as peer:
        await peer.initialize()
        await peer.notify("exit")
        assert await peer.ended() == 1


async def test_exit_before_initialize_is_code_1() -> None:
    async with lsp_peer() as peer:
        await peer.notify("exit")
        assert await peer.ended() == 1


async def test_input_end_before_initialize_is_code_1() -> None:
    async with lsp_peer() as peer:
        await peer.close_input()
        assert await peer.ended() == 1
    assert peer.log == ""


@pytest.mark.slow
async def test_input_end_after_shutdown_is_code_0() -> None:
    async with lsp_peer() as peer:
        await peer.initialize()
        await peer.request("shutdown")
        await peer.close_input()
        assert await peer.ended() == 0


async def test_conversation_can_come_from_a_file(tmp_path: Path) -> None:
    """Regular files cannot be polled; shutdown and exit in one breath must still get their answer."""
    messages = [INITIALIZE, {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}]
    script = tmp_path / "conversation"
    script.write_bytes(b"".join(map(frame, messages)))
    with script.open("rb") as conversation:
        ran = await anyio.run_process(CERTO, stdin=conversation, check=False)
    assert ran.returncode == 0
    assert ran.stdout.endswith(b'{"id":2,"jsonrpc":"2.0","result":null}')


async def close_input(peer: Peer) -> None:
    await peer.close_input()


async def exit_alone(peer: Peer) -> None:
    await peer.notify("exit")


async def terminate(peer: Peer) -> None:
    peer.process.send_signal(signal.SIGTERM)


async def interrupt(peer: Peer) -> None:
    peer.process.send_signal(signal.SIGINT)


async def hang_up(peer: Peer) -> None:
    peer.process.send_signal(signal.SIGHUP)


@pytest.mark.usual_cases("terminate")
@pytest.mark.parametrize(
    "end",
    [close_input, exit_alone, terminate, hang_up, pytest.param(interrupt, marks=pytest.mark.slow)],
)
async def test_every_sudden_end_reaps_work_and_requests(end) -> None:
    async with lsp_peer(SLOW_DAEMON) as peer:
        await peer.initialize()
        await command(peer, "test.work", "search")
        await command(peer, "test.process")
        running = await ask_command(peer, "test.rest", "command")
        for name in ("search", "command", "command's child"):
            await event(peer, "begun", name)
        sleeper = (await peer.wait_for("test/event", lambda params: params["event"] == "process"))["pid"]
        await end(peer)
        assert (await peer.refusal(running)).code == -32800
        for name in ("search", "command", "command's child"):
            await event(peer, "ended", name)
        assert await peer.ended() == 1
        assert not alive(sleeper)


async def test_shutdown_reaps_work_before_it_answers() -> None:
    async with lsp_peer(SLOW_DAEMON) as peer:
        await peer.initialize()
        await command(peer, "test.work", "search")
        await command(peer, "test.process")
        sleeper = (await peer.wait_for("test/event", lambda params: params["event"] == "process"))["pid"]
        running = await ask_command(peer, "test.rest", "command")
        await event(peer, "begun", "command's child")
        assert await peer.request("shutdown") is None
        assert not alive(sleeper)
        assert (await peer.refusal(running)).code == -32800
        ended = [m["params"]["name"] for m in peer.received if m.get("params", {}).get("event") == "ended"]
        assert sorted(ended) == ["command", "command's child", "search"]
        with pytest.raises(Exception, match="after shutdown") as caught:
            await command(peer, "test.kept")
        assert caught.value.code == -32600
        await peer.close_input()  # with or without `exit`
        assert await peer.ended() == 0


@pytest.fixture
def client_process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that counts as the client, while this one keeps the streams."""
    with subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL) as client:
        yield client
        client.kill()


async def test_daemon_dies_with_its_client(client_process) -> None:
    """Although nobody closes the streams."""
    async with lsp_peer(SLOW_DAEMON) as peer:
        await peer.initialize(process=client_process.pid)
        await command(peer, "test.work", "search")
        await event(peer, "begun", "search")
        client_process.kill()  # and not waited for: a dead process that nobody buries is dead all the same
        assert await peer.ended() == 1
        await event(peer, "ended", "search")


@pytest.mark.slow
async def test_dead_client_is_not_served(client_process) -> None:
    client_process.kill()
    client_process.wait()
    async with lsp_peer() as peer:
        await peer.initialize(process=client_process.pid)
        assert await peer.ended() == 1


async def test_daemon_ends_when_its_parent_is_killed() -> None:
    """As when an editor crashes: it held the other ends of all three streams."""
    starter = (
        "import subprocess, sys, time\n"
        "daemon = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"daemon.stdin.write({frame(INITIALIZE)!r}); daemon.stdin.flush(); daemon.stdout.read(20)\n"
        "print(daemon.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    async with await anyio.open_process([sys.executable, "-c", starter, *CERTO], stderr=None) as editor:
        assert editor.stdout is not None
        daemon = int(await editor.stdout.receive())
        editor.kill()
        with anyio.fail_after(500):
            await gone(daemon)


async def test_closed_output_ends_the_daemon() -> None:
    ours, theirs = os.pipe()
    async with await anyio.open_process(SLOW_DAEMON, stdin=subprocess.PIPE, stdout=theirs, stderr=None) as daemon:
        os.close(theirs)
        assert daemon.stdin is not None
        initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
        await daemon.stdin.send(frame(initialize))
        await anyio.wait_readable(ours)
        os.close(ours)
        await daemon.stdin.send(frame({"jsonrpc": "2.0", "id": 2, "method": "test/echo"}))
        with anyio.fail_after(500):
            assert await daemon.wait() == 1


async def test_stuck_work_cannot_keep_the_daemon() -> None:
    async with lsp_peer(SLOW_DAEMON) as peer:
        peer.tracebacks_expected = True
        await peer.initialize()
        await command(peer, "test.cling")
        await event(peer, "begun", "clinging")
        assert await peer.request("shutdown") is None
        await peer.notify("exit")
        assert await peer.ended() == 1
    assert "Timeout" in peer.log  # the watchdog says where it was stuck


async def test_uninitialized_daemon_ends_quietly_on_signal() -> None:
    async with lsp_peer() as peer:
        peer.expect(1)
        await peer.send_bytes(frame({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}))
        assert (await peer.refusal(1)).code == -32002  # by now its signal handlers stand
        peer.process.send_signal(signal.SIGINT)
        assert await peer.ended() == 1
    assert peer.log == ""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] != "Z"
