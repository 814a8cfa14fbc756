"""The addresses on which a daemon listens for clients."""

from __future__ import annotations

import json

import pytest

from certo.daemon.listener import open_entrance
from certo.protocol.agreement import Announcement
from certo.vocabulary.errors import BadRequest


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("0", "127.0.0.1"),
        ("localhost:0", "127.0.0.1"),
        ("127.0.0.2:0", "127.0.0.2"),
        ("[::1]:0", "::1"),
        (":0", "127.0.0.1"),
    ],
)
def test_local_addresses_are_listened_on_and_announced(address: str, host: str) -> None:
    entrance = open_entrance("tcp", address)
    with entrance.listener:
        line = entrance.announcement("/private/token")
        Announcement.model_validate_json(line, by_alias=True, by_name=False)
        told = json.loads(line)["certo"]
    assert told.pop("version")
    assert told == {"transport": "tcp", "host": host, "port": entrance.port, "tokenFile": "/private/token"}
    assert entrance.port > 0


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:0", "::ffff:192.0.2.1:0"])
def test_addresses_reachable_by_others_are_refused(address: str) -> None:
    with pytest.raises(BadRequest, match="listens on this machine alone"):
        open_entrance("tcp", address)


@pytest.mark.parametrize("address", ["", "here", "localhost", "65536", "-1", "localhost:", "1.5", "²"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadRequest, match="no address to listen at"):
        open_entrance("ws", address)


def test_a_port_that_is_taken_is_refused() -> None:
    first = open_entrance("tcp", "0")
    with first.listener, pytest.raises(BadRequest, match="Address already in use; give another port"):
        open_entrance("tcp", str(first.port))
