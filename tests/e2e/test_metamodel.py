"""That the checker of every frame finds what is wrong, or the other tests of this folder prove little."""

from __future__ import annotations

from typing import Any

import pytest

from support.lsp.editor_profiles import EDITORS, capabilities
from support.lsp.metamodel import Side, metamodel

POSITION = {"line": 0, "character": 0}
HOVER = {"textDocument": {"uri": "file:///a"}, "position": POSITION}


def call(method: str, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params}) | more


@pytest.mark.parametrize("editor", EDITORS)
def test_what_editors_declare_is_right(editor: str) -> None:
    params = {"processId": 1, "rootUri": None, "capabilities": capabilities(editor)}
    assert metamodel().message(call("initialize", params, id=1), "client", {}) == []


@pytest.mark.parametrize(
    ("message", "sender"),
    [
        (call("textDocument/hover", HOVER, id=1), "client"),
        (call("exit"), "client"),
        (call("test/own", {"any": "thing"}), "server"),
        (call("$/progress", {"token": 1, "value": {"kind": "begin", "title": "t"}}), "server"),
        ({"jsonrpc": "2.0", "id": "asked", "result": None}, "server"),
        ({"jsonrpc": "2.0", "id": "asked", "result": {"contents": "text"}}, "server"),
        ({"jsonrpc": "2.0", "id": "asked", "error": {"code": -32800, "message": "m"}}, "server"),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "m"}}, "server"),
    ],
)
def test_right_messages_pass(message: dict[str, Any], sender: Side) -> None:
    assert metamodel().message(message, sender, {"asked": "textDocument/hover"}) == []


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"id": 1, "result": None}, "jsonrpc"),
        (call("textDocument/hover", {**HOVER, "position": {"line": 0}}, id=1), "character is missing"),
        (call("textDocument/hover", {**HOVER, "position": {**POSITION, "line": -1}}, id=1), "not a uinteger"),
        (call("textDocument/hover", {**HOVER, "position": {**POSITION, "line": True}}, id=1), "not a uinteger"),
        (call("textDocument/hover", {**HOVER, "extra": 1}, id=1), "extra is not known"),
        (call("textDocument/hover", HOVER), "no notification"),
        (call("textDocument/publishDiagnostics", {"uri": "u", "diagnostics": []}), "not for the client"),
        (call("window/none", {}), "no notification"),
        (call("exit", {"why": 1}), "takes no params"),
        (call("exit", extra=1), "JSON-RPC does not know"),
        (call("$/setTrace", {"value": "loud"}), "is none of"),
        (call("$/progress", {"token": 1, "value": {"kind": "begin"}}), "title is missing"),
        ({"jsonrpc": "2.0", "id": "unasked", "result": None}, "not waited for"),
        ({"jsonrpc": "2.0", "id": "asked"}, "either a result or an error"),
        ({"jsonrpc": "2.0", "id": "asked", "result": 7}, "not a"),
        ({"jsonrpc": "2.0", "id": "asked", "error": {"code": "7"}}, "an error with a code"),
        ({"jsonrpc": "2.0", "id": "asked", "error": {"code": 7}}, "without a message"),
    ],
)
def test_wrong_messages_are_found(message: dict[str, Any], named: str) -> None:
    assert any(
        named in violation for violation in metamodel().message(message, "client", {"asked": "textDocument/hover"})
    )
