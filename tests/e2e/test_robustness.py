"""Clients that make mistakes, change their minds, do not read, or mean harm."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator

import pytest

from support.lsp.peer import SILENCE, Peer, Refusal, frame, lsp_peer
from support.lsp.slow_daemon import SLOW_DAEMON
from support.lsp.slow_daemon_commands import NOTHING, ask_command, command, event, frame_of, kept, refused

WORKING_CLIENT = {"window": {"workDoneProgress": True}, "workspace": {"applyEdit": True}}
HOVER = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Let the tests share a loop, and with it one conversation."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[Peer]:
    """A conversation that none of its tests ends: to start a daemon takes longer than most of them."""
    async with lsp_peer(SLOW_DAEMON) as peer:
        await peer.initialize(client=WORKING_CLIENT)
        yield peer


@pytest.fixture
async def peer(shared: Peer) -> AsyncIterator[Peer]:
    """That conversation, in which nothing has been said yet; each test answers for what it brings about."""
    shared.forget()
    replies = dict(shared.replies)
    yield shared
    await command(shared, "test.log", "That is all.")
    await shared.wait_for_log("That is all.")
    shared.settle()
    shared.replies, shared.tracebacks_expected = replies, False
    shared.forget()


async def test_requests_before_initialize_are_refused() -> None:
    """And so is an `initialize` that is malformed, which may be repeated."""
    malformed = [
        (None, "params"),
        ([], "params"),
        ({}, "capabilities"),
        ({"capabilities": []}, "capabilities"),
        ({"capabilities": {}, "processId": "7"}, "processId"),
        ({"capabilities": {}, "rootUri": 7}, "rootUri"),
        ({"capabilities": {}, "workspaceFolders": {}}, "workspaceFolders"),
        ({"capabilities": {}, "workspaceFolders": [{"uri": "file:///a"}]}, "workspaceFolders"),
    ]
    async with lsp_peer(SLOW_DAEMON) as peer:
        peer.expect("early")
        await peer.send_bytes(
            frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}})
            + frame({"jsonrpc": "2.0", "id": "early", "method": "textDocument/hover", "params": HOVER})
        )
        assert (await peer.refusal("early")).code == -32002
        for params, named in malformed:
            refusal = await refused(peer, {"jsonrpc": "2.0", "id": "bad", "method": "initialize", "params": params})
            assert (refusal.code, named in refusal.message) == (-32602, True), params
        await peer.initialize()


async def test_odd_values_and_garbage_end_nothing() -> None:
    """The answer is sent before they are read, so they cannot be refused; nothing else may suffer from them.

    Neither may it from seeded mutations of real messages: the daemon lives and answers the next request.
    """
    async with lsp_peer(SLOW_DAEMON) as peer:
        peer.tracebacks_expected = True
        peer.expect("odd", "initialize")
        params = {
            "trace": "compact",
            "clientInfo": 7,
            "workspaceFolders": [{"uri": "file:///a", "name": "a"}],
            "capabilities": {"textDocument": 7, "general": {"positionEncodings": ["utf-8", 7]}, **WORKING_CLIENT},
        }
        await peer.send_bytes(frame({"jsonrpc": "2.0", "id": "odd", "method": "initialize", "params": params}))
        result = await peer.answer("odd")
        assert result["capabilities"]["positionEncoding"] == "utf-8"
        assert await peer.request("test/echo", {"still": "alive"}) == {"still": "alive"}
        dice = random.Random(7)
        for number in range(300):
            message = {"jsonrpc": "2.0", "id": f"g{number}", "method": "textDocument/hover", "params": HOVER}
            body = bytearray(json.dumps(message).encode())
            for _ in range(dice.randint(1, 4)):
                body[dice.randrange(len(body))] = dice.randrange(256)
            await peer.send_bytes(frame_of(bytes(body)))
        assert await peer.request("test/echo", 1) == 1
        await peer.shut_down()
        peer.violations = [violation for violation in peer.violations if "not waited for" not in violation]


async def test_a_second_initialize_is_refused(peer: Peer) -> None:
    with pytest.raises(Refusal) as caught:
        await peer.initialize()
    assert caught.value.code == -32600


async def test_malformed_params_are_refused(peer: Peer) -> None:
    for params in (None, [], {}, 7, "text", {"textDocument": 7, "position": {}}, [HOVER]):
        message = {"jsonrpc": "2.0", "id": "bad", "method": "textDocument/hover", "params": params}
        assert (await refused(peer, message)).code == -32602, params


async def test_a_malformed_notification_is_ignored(peer: Peer) -> None:
    await peer.send_bytes(frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 7}}))
    await peer.send_bytes(frame({"jsonrpc": "2.0", "method": "$/cancelRequest"}))
    await peer.send_bytes(frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [[]]}}))
    await peer.send_bytes(frame({"jsonrpc": "2.0", "method": "$/whatever", "params": {"class": 1}}))
    assert await peer.request("test/echo", 1) == 1
    assert [message.get("result") for message in peer.received] == [1]


async def test_params_of_our_methods_arrive_unchanged(peer: Peer) -> None:
    for params in (None, {}, {"class": 1, "type_name": "x", "jsonrpc": "2.0", "id": 3}, [1, [2]], "text"):
        assert await peer.request("test/echo", params) == params


async def test_unknown_methods_are_refused_by_name(peer: Peer) -> None:
    for params in (None, {}, []):
        with pytest.raises(Refusal, match="test/unknown") as caught:
            await peer.request("test/unknown", params)
        assert caught.value.code == -32601


async def test_a_notification_with_an_id_is_refused(peer: Peer) -> None:
    params = {"textDocument": {"uri": "file:///a.py"}}
    message = {"jsonrpc": "2.0", "id": "x", "method": "textDocument/didSave", "params": params}
    assert (await refused(peer, message)).code == -32600


async def test_every_broken_envelope_is_answered(peer: Peer) -> None:
    named = [
        {"id": "x", "method": "test/echo"},
        {"jsonrpc": "1.0", "id": "x", "method": "test/echo"},
        {"jsonrpc": "2.0", "id": "x", "method": 7},
        {"jsonrpc": "2.0", "id": "x"},
    ]
    for broken in named:
        assert (await refused(peer, broken)).code == -32600, broken
    nameless = [
        {"jsonrpc": "2.0", "id": [], "method": "test/echo"},
        {"jsonrpc": "2.0", "id": True, "method": "test/echo"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "test/echo"},
        {"jsonrpc": "2.0", "id": None, "method": "test/echo"},
        {"jsonrpc": "2.0"},
        [{"jsonrpc": "2.0", "id": "x", "method": "test/echo"}],
        "text",
        None,
    ]
    for broken in nameless:
        await peer.send_bytes(frame(broken))
        assert (await peer.wait_for_nameless_error()).code == -32600, broken


async def test_what_is_not_json_is_answered(peer: Peer) -> None:
    for body in (
        b"",
        b"{",
        b"nonsense",
        b'{"jsonrpc": "\xff"}',
        b'"\xed\xa0\x80"',
        '"text"'.encode("utf-16"),
        b"[" * 100_000,
        b'{"id": 1' + b"0" * 9_999 + b"}",
    ):
        await peer.send_bytes(frame_of(body))
        assert (await peer.wait_for_nameless_error()).code == -32700, body[:20]
    assert await peer.request("test/echo", 1) == 1


async def test_deep_nesting_is_answered(peer: Peer) -> None:
    """The answer to a readable message has its id; the echo may be refused, but not left out."""
    peer.tracebacks_expected = True

    async def echo(depth: int) -> None:
        body = f'{{"jsonrpc": "2.0", "id": {depth}, "method": "test/echo", "params": {"[" * depth}{"]" * depth}}}'
        await peer.send_bytes(frame_of(body.encode()))

    peer.expect(100)
    await echo(100)
    assert json.dumps(await peer.answer(100)) == "[" * 100 + "]" * 100
    peer.expect(400)
    await echo(400)
    assert (await peer.refusal(400)).code == -32603
    await echo(100_000)
    assert (await peer.wait_for_nameless_error()).code == -32700


async def test_headers_are_read_as_http_has_them(peer: Peer) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "test/echo", "params": 1}).encode()
    for number, head in enumerate(
        (
            b"content-length: %d\r\n\r\n",
            b"Content-Length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
            b"Content-Type: application/vscode-jsonrpc\r\nCONTENT-LENGTH: %d \r\n\r\n",
        )
    ):
        own = body.replace(b'"x"', b'"%d"' % number)
        peer.expect(str(number))
        await peer.send_bytes(head % len(own) + own)
        assert await peer.answer(str(number)) == 1


async def test_next_message_follows_an_unreadable_header(peer: Peer) -> None:
    for head in (b"", b"Content-Length: many", b"Content-Length: -5", b"X" * 20_000):
        await peer.send_bytes(head + b'\r\n\r\n{"lost": "body"}')
        peer.expect("next")
        await peer.send_bytes(frame({"jsonrpc": "2.0", "id": "next", "method": "test/echo", "params": 1}))
        assert (await peer.wait_for_nameless_error()).code == -32700
        assert await peer.answer("next") == 1


async def test_a_message_may_come_byte_by_byte(peer: Peer) -> None:
    peer.expect("slow")
    for byte in frame({"jsonrpc": "2.0", "id": "slow", "method": "test/echo", "params": "é"}):
        await peer.send_bytes(bytes([byte]))
    assert await peer.answer("slow") == "é"


async def test_bodies_of_10_megabytes_pass_both_ways(peer: Peer) -> None:
    text = "x = '🐍'\n" * 1_000_000
    assert await peer.request("test/echo", {"text": text}) == {"text": text}


async def test_cancelled_requests_really_end_with_their_children(peer: Peer) -> None:
    command = await ask_command(peer, "test.rest", "command")
    hover = await peer.ask("textDocument/hover", HOVER)
    names = ["command", "command's child", "hover"]
    for name in names:
        await event(peer, "begun", name)
    for id_ in (command, hover):
        await peer.cancel(id_)
        await peer.cancel(id_)  # an impatient user
        assert (await peer.refusal(id_)).code == -32800
    for name in names:
        await event(peer, "ended", name)
    await peer.cancel(command)  # too late, and no harm
    assert await kept(peer) == NOTHING


async def test_a_command_that_gives_up_is_answered(peer: Peer) -> None:
    with pytest.raises(Refusal) as caught:
        await command(peer, "test.give_up")
    assert caught.value.code == -32800
    assert await kept(peer) == NOTHING


async def test_the_client_cannot_cancel_what_we_ask(peer: Peer) -> None:
    peer.replies["workspace/applyEdit"] = SILENCE
    asking = await ask_command(peer, "test.ask")
    question = (await peer.wait_for_message(is_question))["id"]
    await peer.cancel(question)
    await peer.send({"jsonrpc": "2.0", "id": question, "result": {"applied": True}})
    assert await peer.answer(asking) is True


async def test_unasked_answers_are_ignored(peer: Peer) -> None:
    resting = await ask_command(peer, "test.rest", "command")
    await event(peer, "begun", "command")
    for id_ in (resting, "unasked"):
        await peer.send_bytes(frame({"jsonrpc": "2.0", "id": id_, "result": None}))
    await peer.send_bytes(frame({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what?"}}))
    await peer.cancel(resting)
    assert (await peer.refusal(resting)).code == -32800
    await event(peer, "ended", "command")


async def test_second_request_with_one_id_is_refused(peer: Peer) -> None:
    resting = await ask_command(peer, "test.rest", "command")
    await event(peer, "begun", "command")
    await peer.send_bytes(frame({"jsonrpc": "2.0", "id": resting, "method": "test/echo"}))
    assert (await peer.refusal(resting)).code == -32600
    peer.expect(resting)
    await peer.cancel(resting)
    assert (await peer.refusal(resting)).code == -32800
    await event(peer, "ended", "command")


async def test_a_question_is_answered_or_refused(peer: Peer) -> None:
    assert await command(peer, "test.ask") is True
    peer.replies["workspace/applyEdit"] = lambda _params: {"applied": False}
    assert await command(peer, "test.ask") is False
    peer.tracebacks_expected = True
    peer.replies["workspace/applyEdit"] = refuse
    with pytest.raises(Refusal):
        await command(peer, "test.ask")
    assert await kept(peer) == NOTHING


async def test_abandoned_question_is_withdrawn(peer: Peer) -> None:
    peer.replies["workspace/applyEdit"] = SILENCE
    asking = await ask_command(peer, "test.ask")
    question = (await peer.wait_for_message(is_question))["id"]
    await peer.cancel(asking)
    assert (await peer.refusal(asking)).code == -32800
    assert await peer.wait_for("$/cancelRequest") == {"id": question}
    await peer.send_bytes(frame({"jsonrpc": "2.0", "id": question, "result": {"applied": True}}))
    assert await kept(peer) == NOTHING


async def test_unreadable_answer_is_an_error_for_askers(peer: Peer) -> None:
    peer.tracebacks_expected = True
    peer.replies["workspace/applyEdit"] = SILENCE
    asking = await ask_command(peer, "test.ask")
    question = (await peer.wait_for_message(is_question))["id"]
    await peer.send_bytes(frame({"jsonrpc": "2.0", "id": question, "result": 7}))
    assert (await peer.refusal(asking)).code in (-32602, -32603)
    assert await kept(peer) == NOTHING


async def test_nothing_is_kept_of_what_is_over(peer: Peer) -> None:
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": ""}
    await peer.notify("textDocument/didOpen", {"textDocument": document})
    for version in range(2, 200):
        change = {
            "textDocument": {"uri": "file:///a.py", "version": version},
            "contentChanges": [{"text": str(version)}],
        }
        await peer.notify("textDocument/didChange", change)
    for _ in range(20):
        await command(peer, "test.progress")
        await command(peer, "test.ask")
    await peer.notify("textDocument/didClose", {"textDocument": {"uri": "file:///a.py"}})
    assert await kept(peer) == NOTHING


async def test_nothing_of_our_insides_reaches_the_client(peer: Peer) -> None:
    peer.tracebacks_expected = True
    for arguments in (["test.crash"], ["test.unspeakable", "object"], ["test.unspeakable", "nan"]):
        with pytest.raises(Refusal) as caught:
            await command(peer, *arguments)
        assert caught.value.code == -32603
        assert caught.value.extra is None
        assert "/" not in caught.value.message
    await peer.notify("workspace/didChangeConfiguration", {"settings": {}})
    assert await peer.request("test/echo", 1) == 1
    assert not [message for message in peer.received if message.get("method") == "window/showMessage"]
    assert "slow_daemon.py" in peer.log


async def test_wrong_commands_and_arguments_are_refused(peer: Peer) -> None:
    for arguments in (["test.unknown"], ["test.rest"], ["test.rest", "a", "b"], ["test.flood", "x", []]):
        with pytest.raises(Refusal) as caught:
            await command(peer, *arguments)
        assert caught.value.code == -32602, arguments


async def test_stray_prints_do_not_touch_the_protocol(peer: Peer) -> None:
    """Neither do children that read the input."""
    printing = await ask_command(peer, "test.print")
    numbers = [await peer.ask("test/echo", number) for number in range(50)]
    await peer.answer(printing)
    assert [await peer.answer(id_) for id_ in numbers] == list(range(50))
    await peer.wait_for_log("more garbage")


async def test_paused_client_blocks_nobody_and_misses_nothing(peer: Peer) -> None:
    assert await peer.request("test/echo", "everything is imported") is not None
    peer.pause()
    await ask_command(peer, "test.flood", 400, 20_000)
    await ask_command(peer, "test.log", "still here")
    await peer.wait_for_log("still here")
    peer.resume()
    for number in range(400):
        await peer.wait_for("test/event", lambda params, number=number: params.get("number") == number)


async def test_client_that_never_reads_is_dropped() -> None:
    async with lsp_peer(SLOW_DAEMON) as peer:
        await peer.initialize()
        peer.pause()
        await ask_command(peer, "test.flood", 80, 1_000_000)
        assert await peer.ended() == 1
    assert "unread" in peer.log


def is_question(message: dict[str, object]) -> bool:
    return "method" in message and "id" in message


def refuse(_params: object) -> object:
    raise Refusal(-32803, "not now")
