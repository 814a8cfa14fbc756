"""The answer to `initialize` against the feature table, the metamodel and clients that say little."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from certo.daemon.assembly import assemble_alone
from certo.daemon.capabilities import CODE_ACTION_KINDS, COMMANDS, server_capabilities
from certo.daemon.server import Server
from certo.features.lsp import commands, offers
from certo.protocol.agreement import Agreement
from support.lsp.editor_profiles import EDITORS, capabilities
from support.lsp.metamodel import metamodel


def plain(value: Any) -> Any:
    """Return the capabilities without those that are null or false, as in JSON."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if part is not None and part is not False}
    return value


async def test_announced_capabilities_match_the_feature_table() -> None:
    async with anyio.create_task_group() as group:
        server = Server()
        assemble_alone(server, group)
        features = server.protocol.fm
        registered = ServerCapabilitiesBuilder(
            types.ClientCapabilities(),
            {*features.features, *features.builtin_features},
            features.feature_options,
            list(commands.COMMANDS),
            types.TextDocumentSyncKind.Incremental,
        ).build()
        group.cancel_scope.cancel()
    offered = plain(server.converter.unstructure(registered))
    answered = plain(server_capabilities({"textDocument": {"diagnostic": {}}}))
    providers = {name for name in offered if name.endswith("Provider")} - {"executeCommandProvider"}
    assert {name for name in answered if name.endswith("Provider")} == providers | {"executeCommandProvider"}
    assert types.WORKSPACE_EXECUTE_COMMAND in features.features
    assert answered["textDocumentSync"] == offered["textDocumentSync"]
    assert answered["workspace"]["workspaceFolders"] == offered["workspace"]["workspaceFolders"]
    assert list(commands.COMMANDS) == list(COMMANDS)
    assert set(CODE_ACTION_KINDS) == {offers.QUICK_FIX, offers.REWRITE}


@pytest.mark.parametrize("editor", EDITORS)
def test_the_metamodel_allows_the_answer(editor: str) -> None:
    client = capabilities(editor)
    client["workspace"]["textDocumentContent"] = {}
    client["notebookDocument"] = {"synchronization": {}}
    assert metamodel().value(server_capabilities(client), "ServerCapabilities") == []


def test_clients_without_code_action_literals_get_true() -> None:
    """They get `True` in place of the options of code actions."""
    assert server_capabilities({})["codeActionProvider"] is True
    assert server_capabilities({"textDocument": 7, "general": 7})["positionEncoding"] == "utf-16"


def test_agreement_has_the_documented_form() -> None:
    told = server_capabilities({"experimental": {"certo": {"versions": [1]}}})["experimental"]
    assert Agreement.model_validate(told, by_alias=True, by_name=False).model_dump(mode="json", by_alias=True) == told
    assert "experimental" not in server_capabilities({"experimental": {"certo": {"versions": [99]}}})
