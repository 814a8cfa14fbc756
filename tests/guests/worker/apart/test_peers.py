"""A candidate's process that breaks the protocol: the question fails, and nothing hangs or is run."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from certo_worker.apart.client import Client
from certo_worker.apart.frames import MAX_SIZE, PeerFailed
from certo_worker.apart.original_classes import OriginalClasses
from certo_worker.apart.proxies import Proxy
from certo_worker.observation.case_record import CaseRecord


def framed(text: bytes) -> bytes:
    return struct.pack("!I", len(text)) + text


def send(peer: socket.socket, text: bytes) -> None:
    with contextlib.suppress(OSError):  # the other side does not hear it out
        peer.sendall(text)
        peer.shutdown(socket.SHUT_WR)


def answered(*texts: bytes, seconds: float = 5.0) -> Any:
    """Return the answer to one question when the peer has sent only these bytes."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(seconds)
        sending = threading.Thread(target=send, args=(theirs, b"".join(texts)))
        sending.start()
        try:
            return Client(ours, CaseRecord(), "/nowhere", OriginalClasses("/nowhere/shop.py", "", 0)).ask(
                "get", 0, "name"
            )
        finally:
            ours.shutdown(socket.SHUT_RDWR)
            sending.join()


def gave(value: Any) -> bytes:
    return framed(json.dumps({"gave": value}).encode())


def described(**lies: Any) -> list[Any]:
    parts = {
        "number": 1,
        "module": "shop",
        "name": "Thing",
        "qualname": "Thing",
        "exception": False,
        "bases": [],
        "methods": [],
        "documented": None,
    }
    return ["K", *{**parts, **lies}.values()]


def test_proxy_is_made_from_an_honest_description() -> None:
    made = answered(gave(["r", 2, described(methods=["__len__", "__eq__"])]))
    assert isinstance(made, Proxy)
    assert type(made).__name__ == "Thing"
    assert {"__len__", "__eq__"} <= set(type.__dict__["__dict__"].__get__(type(made)))


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0",
        struct.pack("!I", MAX_SIZE + 1),
        struct.pack("!I", 100) + b"{",
        framed(b""),
        framed(b"garbage"),
        framed(b"[]"),
        framed(b"\xff\xfe"),
        framed(b"[" * 1_000_000),
        framed(b'{"gave":' * 100_000),
        framed(b'{"gave":' + b"9" * 1_000_000 + b"}"),
        framed(b'{"gave": NaN}'),
        gave(["r"]),
        gave(["r", 2]),
        gave(["r", -1, described()]),
        gave(["r", "2", described()]),
        gave(["r", 2, ["k", 7]]),
        gave(["n", "os", "system"]),
        gave(["cb", 5]),
        gave(["x", 0]),
        gave(["u"]),
        gave(["E", 1, described(exception=True), [], "", {}, None]),
        gave(["E", 1, described(), ["t"], "", ["d", 1, None, []], None]),
        framed(b'{"ask": "callback"}'),
        framed(b'{"ask": "get", "of": 0, "name": "__globals__", "values": []}'),
        framed(b'{"ask": "callback", "of": 0, "name": "", "values": [["l", 1, null, []], ["d", 3, null, []]]}'),
        framed(b'{"ask": 7, "of": 0, "name": "", "values": []}'),
        framed(b'{"gave": 1, "changes": 7}'),
        framed(b'{"gave": 1, "changes": [[0, []]]}'),
    ],
    ids=lambda sent: repr(sent[:40]),
)
def test_nonsense_is_a_failure_of_the_peer(sent: bytes) -> None:
    with pytest.raises(PeerFailed):
        answered(sent)


@pytest.mark.parametrize(
    "lies",
    [
        {"name": "x" * 1000},
        {"name": "a\0b"},
        {"name": 5},
        {"number": "1"},
        {"bases": [described()] * 100},
        {"bases": "Proxy"},
        {"methods": ["__class__"]},
        {"methods": ["__getattribute__"]},
        {"methods": ["__reduce_ex__"]},
        {"methods": ["__array_interface__"]},
        {"methods": ["run"]},
        {"methods": [["__len__"]]},
        {"methods": 7},
        {"bases": [["k", 1]]},
    ],
    ids=str,
)
def test_wrong_class_description_is_a_peers_failure(lies: dict[str, Any]) -> None:
    with pytest.raises(PeerFailed):
        answered(gave(["r", 2, described(**lies)]))


def test_endless_description_is_a_peers_failure() -> None:
    deep = described(number=1000)
    for number in range(80):
        deep = described(number=number, bases=[deep])
    with pytest.raises(PeerFailed):
        answered(gave(["r", 2000, deep]))


NONSENSE = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=3),
    lambda inner: some.lists(
        inner | some.sampled_from(["r", "K", "k", "E", "x", "cb", "u", "l", "d", "t", "@", described()])
    ),
    max_leaves=20,
)


@given(NONSENSE, some.sampled_from(["gave", "raised"]))
def test_any_answer_is_a_value_or_failure(value: Any, how: str) -> None:
    with contextlib.suppress(PeerFailed, *((Exception,) if how == "raised" else ())):
        answered(framed(json.dumps({how: value}).encode()))


def test_silent_peer_is_waited_for_until_timeout() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(0.05)
        client = Client(ours, CaseRecord(), "/nowhere", OriginalClasses("/nowhere/shop.py", "", 0))
        with pytest.raises(PeerFailed, match="did not answer in time"):
            client.ask("get", 0, "name")
        theirs.sendall(gave(42))
        with pytest.raises(PeerFailed, match="did not answer in time"):
            client.ask("get", 0, "name")


@pytest.fixture
def pipe() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(5)
        yield ours, theirs


def test_only_objects_handed_over_are_called_back(pipe: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pipe
    client = Client(ours, CaseRecord(), "/nowhere", OriginalClasses("/nowhere/shop.py", "", 0))
    called: list[int] = []
    give: Callable[[int], None] = called.append
    question = {"ask": "callback", "of": 0, "name": "", "values": [["l", 1, None, [5]], ["d", 3, None, []]]}
    theirs.sendall(framed(json.dumps(question).encode()) + gave(None))
    client.ask("call", 0, "", [[lambda number: give(number)], {}])
    assert called == [5]
    theirs.sendall(framed(json.dumps({**question, "of": 1}).encode()))
    with pytest.raises(PeerFailed):
        client.ask("call", 0, "", [[], {}])
    assert called == [5]


@pytest.mark.parametrize(("kind", "values"), [("await", []), ("await", [1]), ("callback", [])])
def test_questions_about_unknown_objects_run_nothing(kind: str, values: list[Any]) -> None:
    question = {"ask": kind, "of": 0, "name": "", "keep": False, "values": values, "changes": []}
    with pytest.raises(PeerFailed):
        answered(framed(json.dumps(question).encode()))


def test_only_coroutines_are_awaited_for_a_candidate() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client = Client(ours, CaseRecord(), "/nowhere", OriginalClasses("/nowhere/shop.py", "", 0))
        client.account.begin()
        number = client.refer(lambda: "called")[1]
        with pytest.raises(PeerFailed, match="awaited what is no coroutine"):
            client.reply("await", number, "", [])
