"""Our own protocol is for clients that ask for a version of it; every other client sees LSP and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from certo.protocol.errors import CODES
from certo.protocol.negotiation import REQUESTS, VERSIONS
from support.lsp.editor_profiles import EDITORS, capabilities
from support.lsp.peer import lsp_peer

ASKED = {"certo": {"versions": [*VERSIONS, 99]}}


@pytest.mark.parametrize("place", ["experimental", pytest.param("options", marks=pytest.mark.slow)])
async def test_asking_client_is_told_the_agreement(place: str) -> None:
    async with lsp_peer() as peer:
        more = {"client": {"experimental": ASKED}} if place == "experimental" else {"initializationOptions": ASKED}
        answer = await peer.initialize(**more)
        told = answer["capabilities"]["experimental"]["certo"]
        assert told["version"] == max(VERSIONS)
        assert told["methods"] == list(REQUESTS)
        assert len(told["instance"]) == 32
        assert told["limits"]["messageBytes"] > 0


@pytest.mark.parametrize("editor", [EDITORS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in EDITORS[1:])])
async def test_other_clients_are_told_nothing(editor: str) -> None:
    async with lsp_peer() as peer:
        answer = await peer.initialize(editor, initializationOptions={"certo": {"model": True, "secrets": True}})
        assert "experimental" not in answer["capabilities"]
    assert [message for message in peer.received if "certo/" in str(message.get("method"))] == []


async def test_unsupported_version_is_told_once() -> None:
    """The client still has plain LSP."""
    async with lsp_peer() as peer:
        client: dict[str, Any] = {**capabilities("neovim"), "experimental": {"certo": {"versions": [98, 99]}}}
        answer = await peer.initialize(client=client)
        assert "experimental" not in answer["capabilities"]
        said = await peer.wait_for("window/showMessage")
        assert said["type"] == 2
        assert "versions [98, 99]" in said["message"]
        command = {"command": "certo.cancel", "arguments": [{"searchId": "x"}]}
        answer = await peer.request("workspace/executeCommand", command)
        assert (answer["state"], answer["name"]) == ("failed", "SearchNotFound")
        refused = await peer.refusal(await peer.ask(REQUESTS[0], {"searchId": "x"}))
        assert refused.code == CODES["UnsupportedVersion"]
        assert refused.extra == {"name": "UnsupportedVersion", "retriable": False, "searchId": "x"}
    assert len([message for message in peer.received if "certo's protocol" in str(message)]) == 1
