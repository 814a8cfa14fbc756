"""A client of an earlier version speaks with this server, and understands all that it says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from support.lsp.peer import Message, lsp_peer
from support.lsp.wire_contract import Contract
from support.projects.shop import TOTAL, build_shop
from support.upgrades.kept import VERSIONS, protocol_of
from support.upgrades.session import HERE, recorded, settings_in

NAMES = ("searchId", "candidateId")
"""Ids that are others in each run."""


def meanings(before: Any, now: Any) -> dict[str, str]:
    """Return the ids in an answer of now by those in the recorded one."""
    if isinstance(before, dict) and isinstance(now, dict):
        found = {before[name]: now[name] for name in NAMES if name in before and name in now}
        for key in before.keys() & now.keys():
            found |= meanings(before[key], now[key])
        return found
    if isinstance(before, list) and isinstance(now, list):
        return {old: new for pair in zip(before, now, strict=False) for old, new in meanings(*pair).items()}
    return {}


def kinds_of_events(protocol: Any) -> set[str]:
    """Return the types of events that a protocol has."""
    names = [one["$ref"].rpartition("/")[2] for one in protocol["$defs"]["AnyEvent"]["oneOf"]]
    return {protocol["$defs"][name]["properties"]["type"]["const"] for name in names}


def without_new_events(message: Message, kinds: set[str]) -> Message:
    """Return a message of the server without events of types that came later: clients pass over them."""
    if message.get("method") != "$/progress" or not isinstance(message["params"]["value"], list):
        return message
    known = [event for event in message["params"]["value"] if event["type"] in kinds]
    return {**message, "params": {**message["params"], "value": known}}


def spoken(message: Message, replaced: dict[str, str]) -> Any:
    """Return a recorded message with the folders and ids of this run."""
    text = json.dumps(message)
    for before, now in replaced.items():
        text = text.replace(before, now)
    return json.loads(text)


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_recorded_client_is_understood(version: str, tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop", TOTAL)
    settings_in(tmp_path)
    replaced = {HERE: str(root), str(Path(HERE).parent): str(tmp_path)}
    asked: dict[Any, str] = {}
    async with lsp_peer() as peer:
        for by, message in recorded(version):
            if by == "server" and "method" not in message:
                replaced |= meanings(message["result"], await peer.answer(message["id"]))
            elif by == "client" and "method" in message:
                now = {"jsonrpc": "2.0", **spoken(message, replaced)}
                if message["method"] == "initialize":
                    now["params"]["processId"] = os.getpid()
                    peer.declare(now["params"]["capabilities"], now["params"]["initializationOptions"])
                asked |= {now["id"]: now["method"]} if "id" in now else {}
                await peer.send(now)
        assert await peer.ended() == 0
    protocol = protocol_of(version)
    contract = Contract(protocol)
    assert {"certo/search/start", "certo/search/attach", "certo/candidate/get"} <= set(asked.values())
    kinds = kinds_of_events(protocol)
    known = [without_new_events(message, kinds) for message in peer.received]
    assert [each for message in known for each in contract.violations(message, asked)] == []
    assert any(message.get("method") == "$/progress" for message in peer.received)
