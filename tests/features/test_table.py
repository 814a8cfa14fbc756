"""The table of features agrees with what the daemon says it can do before the table is there."""

from __future__ import annotations

from lsprotocol import types

from certo.daemon.capabilities import CODE_ACTION_KINDS, COMMANDS, SCHEME, server_capabilities
from certo.features import table
from certo.features.editor import documents
from certo.features.lsp import commands, offers

PROVIDERS = {
    types.TEXT_DOCUMENT_CODE_ACTION: "codeActionProvider",
    types.CODE_ACTION_RESOLVE: "codeActionProvider",
    types.TEXT_DOCUMENT_CODE_LENS: "codeLensProvider",
    types.TEXT_DOCUMENT_HOVER: "hoverProvider",
    types.TEXT_DOCUMENT_INLAY_HINT: "inlayHintProvider",
    types.TEXT_DOCUMENT_DIAGNOSTIC: "diagnosticProvider",
    types.WORKSPACE_EXECUTE_COMMAND: "executeCommandProvider",
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: "textDocumentContent",
}
EVERYTHING: dict[str, object] = {"textDocument": {"diagnostic": {}}, "workspace": {"textDocumentContent": {}}}
"""A client that knows what not every client knows."""


def test_what_is_announced_is_what_is_answered() -> None:
    whole = server_capabilities(EVERYTHING)
    announced = {name for name in whole if name.endswith("Provider")} | {"textDocumentContent"}
    of_lsp = [feature.method for feature in table.FEATURES if not feature.method.startswith("certo/")]
    assert {PROVIDERS[method] for method in of_lsp} == announced
    assert whole["workspace"]["textDocumentContent"] == {"schemes": [SCHEME]}  # type: ignore[index]  # it is JSON


def test_features_unknown_to_clients_are_not_announced() -> None:
    said = server_capabilities({"textDocument": {}, "workspace": 7})
    assert "diagnosticProvider" not in said
    assert "notebookDocumentSync" not in said
    assert said["workspace"] == {"workspaceFolders": {"supported": True, "changeNotifications": True}}
    assert documents.SCHEME == SCHEME


def test_announced_commands_and_kinds_exist() -> None:
    assert tuple(commands.COMMANDS) == COMMANDS
    assert {offers.QUICK_FIX, offers.REWRITE} == set(CODE_ACTION_KINDS)


def test_no_method_is_in_the_table_twice() -> None:
    methods = [feature.method for feature in table.FEATURES] + [listener.method for listener in table.LISTENERS]
    assert len(set(methods)) == len(methods)
