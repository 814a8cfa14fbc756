"""Several clients on one daemon: real sockets, real processes, whole conversations."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import anyio
import pytest

from certo.daemon.multi_client import MAX_STRANGERS
from support.lsp.multi_client import TRANSPORTS, Company, Rejected, WebSocketLine, a_company, standing
from support.lsp.peer import Refusal, frame
from support.projects.shop import TOTAL_DONE

HOVER = {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": 0, "character": 0}}
FOREIGN = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"Content-Length: 99999999\r\n\r\n" + bytes(5_000_000),
)
SLOW = {"source": TOTAL_DONE, "delaySeconds": 60}


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    """A daemon shared by all tests that leave it unchanged."""
    with standing("--origin", "http://localhost:3000") as company:
        yield company


@pytest.mark.slow
async def test_daemon_stays_while_clients_come_and_go(company: Company) -> None:
    for transport in TRANSPORTS:
        async with company.client("tcp") as other, company.client(transport) as peer:
            assert await peer.request("textDocument/hover", HOVER) is None
            assert await peer.request("shutdown") is None
            await peer.notify("exit")
            await peer.gone.wait()
            assert await other.request("textDocument/hover", HOVER) is None
    assert company.process.poll() is None


async def test_token_file_is_private_and_temporary() -> None:
    async with a_company(transports=("tcp",)) as company:
        file = anyio.Path(company.where["tcp"]["tokenFile"])
        assert stat.S_IMODE((await file.stat()).st_mode) == 0o600
        assert stat.S_IMODE((await file.parent.stat()).st_mode) == 0o700
        assert company.where["tcp"]["host"] == "127.0.0.1"
        assert await company.end() == 0
        assert not await file.parent.exists()


@pytest.mark.slow
async def test_users_own_token_is_in_no_file() -> None:
    """Neither is it in the environment of child processes."""
    async with a_company(environment={"CERTO_TOKEN": "mine-and-long-enough"}) as company:
        assert company.where["tcp"]["tokenFile"] is None
        async with company.client("tcp"), company.client("ws"):
            pass


async def test_clients_without_the_token_are_refused_once(company: Company) -> None:
    options = [None, {"certo": {"token": "wrong" * 9}}]
    for transport, tried in zip(TRANSPORTS, options, strict=True):
        async with company.stranger(transport) as peer:
            asked = {"processId": None, "capabilities": {}, "initializationOptions": tried}
            messages = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}]
            messages += [{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}]
            peer.expect(1, "initialize")
            await peer.send_bytes(b"".join(map(frame, messages)))
            refused = await peer.refusal(1)
            assert (refused.code, refused.extra) == (4019, {"name": "NotAuthorised", "retriable": False})
            assert company.token not in refused.message
            await peer.gone.wait()
            assert len(peer.received) == 1


async def test_nothing_is_answered_before_initialize(company: Company) -> None:
    for transport in TRANSPORTS:
        async with company.stranger(transport) as peer:
            peer.expect(7)
            await peer.send_bytes(frame({"jsonrpc": "2.0", "id": 7, "method": "shutdown"}))
            assert (await peer.refusal(7)).code == -32002
            await peer.gone.wait()


async def test_pages_of_unnamed_origins_are_refused(company: Company) -> None:
    for refused in ("https://evil.example", "null", "http://localhost:3001"):
        with pytest.raises(Rejected, match=r"^403: .*may not speak with certo"):
            await company.line("ws", origin=refused)
    # As when a page has had its own name pointed to this machine.
    with pytest.raises(Rejected, match=r"^403: certo is not at evil\.example"):
        await company.line("ws", host=f"evil.example:{company.where['ws']['port']}")
    async with company.stranger("ws", origin="http://localhost:3000") as peer:
        with pytest.raises(Refusal, match="token"):
            await peer.initialize()
        await peer.gone.wait()


async def test_what_speaks_another_language_is_put_out(company: Company) -> None:
    for transport, sent in product(TRANSPORTS, FOREIGN):
        where = company.where[transport]
        async with await anyio.connect_tcp(where["host"], where["port"]) as stream:
            with suppress(anyio.EndOfStream, anyio.BrokenResourceError), anyio.fail_after(500):
                await stream.send(sent)
                await stream.send_eof()
                while True:
                    await stream.receive()
    async with company.client("tcp"), company.client("ws"):
        pass


async def test_websocket_answers_pings_and_closing(company: Company) -> None:
    async with company.client("ws") as peer:
        assert isinstance(peer.line, WebSocketLine)
        await peer.line.ping()
        assert await peer.request("textDocument/hover", HOVER) is None
        await peer.line.send_eof()
        await peer.gone.wait()


async def test_client_that_does_not_read_delays_nobody(company: Company) -> None:
    async with company.client("tcp") as deaf, company.client("ws") as other:
        deaf.pause()
        unknown = [{"jsonrpc": "2.0", "id": number, "method": "x" * 100_000} for number in range(100, 200)]
        for message in unknown:
            deaf.expect(message["id"])
            await deaf.send_bytes(frame(message))
        for _ in range(20):
            assert await other.request("textDocument/hover", HOVER) is None
        deaf.resume()
        for message in unknown:
            assert (await deaf.refusal(message["id"])).code == -32601


async def test_killed_client_ends_only_its_own_connection(company: Company) -> None:
    async with company.client("ws") as other:
        before = company.descriptors()
        where = company.where["tcp"]
        hello = {"processId": None, "capabilities": {}, "initializationOptions": {"certo": {"token": company.token}}}
        message = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        program = (
            "import socket, sys, time\n"
            f"line = socket.create_connection(({where['host']!r}, {where['port']}))\n"
            f"line.sendall({message!r}); line.recv(20)\n"
            "print('greeted', flush=True); time.sleep(600)\n"
        )
        async with await anyio.open_process([sys.executable, "-c", program], stderr=None) as client:
            assert client.stdout is not None
            assert (await client.stdout.receive()).strip() == b"greeted"
            assert company.descriptors() > before
            client.kill()
        await company.has_open(before)
        assert await other.request("textDocument/hover", HOVER) is None


async def test_fifty_clients_leave_no_descriptor_open(company: Company) -> None:
    async with company.client("tcp"), company.client("ws"):
        pass
    before = company.descriptors()
    for number in range(50):
        transport = TRANSPORTS[number % 2]
        if number % 5 == 0:
            await (await company.line(transport)).aclose()
        else:
            async with company.client(transport):
                pass
    await company.has_open(before)


async def test_too_many_strangers_block_nobody_for_good(company: Company) -> None:
    async with company.client("tcp") as friend:
        lines = [await company.line("tcp") for _ in range(MAX_STRANGERS + 8)]
        assert await friend.request("textDocument/hover", HOVER) is None
    for line in lines:
        await line.aclose()
    async with company.client("tcp"):
        pass


async def test_hundreds_of_silent_connections_block_nobody(company: Company) -> None:
    before = company.descriptors()
    async with company.client("ws") as friend:
        where = company.where["tcp"]
        lines = []
        for number in range(500):
            line = await anyio.connect_tcp(where["host"], where["port"])
            lines.append(line)
            if number % 2:
                with suppress(anyio.BrokenResourceError):
                    await line.send(b"Content-Length: 50\r\n\r\n{")
        async with company.client("tcp"), company.client("ws"):
            assert await friend.request("textDocument/hover", HOVER) is None
        assert company.descriptors() <= before + MAX_STRANGERS + 10
    for line in lines:
        await line.aclose()
    await company.has_open(before)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
async def test_signal_ends_the_daemon_despite_clients(number: signal.Signals) -> None:
    async with a_company() as company, company.client("tcp") as one, company.client("ws") as other:
        stranger = await company.line("tcp")
        assert await company.end(number) == 0
        for peer in (one, other):
            await peer.gone.wait()
        await stranger.aclose()


async def test_idle_daemon_ends_after_its_limit() -> None:
    async with a_company("--idle", "0.3", transports=("tcp",)) as company:
        async with company.client("tcp"):
            await anyio.sleep(0.6)
        assert await company.ended() == 0


def serve(*flags: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run `certo serve` to its end."""
    command = [sys.executable, "-m", "certo", "serve", *flags]
    environ = os.environ | (environment or {})
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environ, timeout=300)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--tcp", "0.0.0.0:0"], "listens on this machine alone"),
        (["--ws", "example.org:80"], "listens on this machine alone"),
        (["--tcp", "[::]:0"], "listens on this machine alone"),
        (["--tcp", "65536"], "no address to listen at"),
        (["--tcp", "here"], "no address to listen at"),
        (["--tcp", "0", "--stdio"], "--stdio goes with neither"),
        (["--idle", "3"], "say --tcp or --ws"),
        (["--tcp", "0", "--idle", "0"], "above 0"),
        (["--tcp", "0", "--idle", "nan"], "above 0"),
    ],
)
def test_invalid_serve_options_are_refused(flags: list[str], words: str) -> None:
    ran = serve(*flags)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr


def test_taken_port_and_weak_token_are_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = serve("--tcp", str(taken.getsockname()[1]))
    assert ran.returncode == 2
    assert "Address already in use; give another port" in ran.stderr
    ran = serve("--tcp", "0", environment={"CERTO_TOKEN": "guess"})
    assert ran.returncode == 2
    assert "guess" not in ran.stderr.replace("guessed", "")


@pytest.mark.editors
def test_websocket_of_node_js_holds_a_conversation(company: Company) -> None:
    script = Path(__file__).parent / "node" / "websocket.mjs"
    url = f"ws://127.0.0.1:{company.where['ws']['port']}"
    for token, heard in (
        (company.token, ["1 certo", "2 null", "closed 1000 true"]),
        ("nobody's", ["1 NotAuthorised", "closed 1000 true"]),
    ):
        command = ["node", "--no-warnings", "--experimental-websocket", script, url, token]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert (ran.stdout.splitlines(), ran.stderr) == (heard, "")
