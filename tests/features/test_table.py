"""The table of features agrees with what the daemon says it can do before the table is there."""

from __future__ import annotations

from lsprotocol import types

from certo.daemon.capabilities import CODE_ACTION_KINDS, COMMANDS, server_capabilities
from certo.features import code_actions, commands, table

PROVIDERS = {
    types.TEXT_DOCUMENT_CODE_ACTION: "codeActionProvider",
    types.CODE_ACTION_RESOLVE: "codeActionProvider",
    types.TEXT_DOCUMENT_CODE_LENS: "codeLensProvider",
    types.TEXT_DOCUMENT_HOVER: "hoverProvider",
    types.TEXT_DOCUMENT_INLAY_HINT: "inlayHintProvider",
    types.WORKSPACE_EXECUTE_COMMAND: "executeCommandProvider",
}


def test_what_is_announced_is_what_is_answered() -> None:
    announced = {name for name in server_capabilities({}) if name.endswith("Provider")}
    assert {
        PROVIDERS[feature.method] for feature in table.FEATURES if not feature.method.startswith("certo/")
    } == announced


def test_the_commands_and_kinds_announced_are_those_there_are() -> None:
    assert tuple(commands.COMMANDS) == COMMANDS
    assert {code_actions.QUICK_FIX, code_actions.REWRITE} == set(CODE_ACTION_KINDS)


def test_no_method_is_in_the_table_twice() -> None:
    methods = [feature.method for feature in table.FEATURES] + [hearing.method for hearing in table.HEARINGS]
    assert len(set(methods)) == len(methods)
