"""Capabilities of certo as plain JSON, so that `initialize` is answered before any heavy import."""

from __future__ import annotations

from certo.daemon.framing import MAX_BODY
from certo.protocol.negotiation import INSTANCE, REQUESTS, agreed, said

COMMANDS = (
    "certo.generate",
    "certo.tests",
    "certo.cancel",
    "certo.accept",
    "certo.retry",
    "certo.showDiff",
    "certo.dismiss",
    "certo.next",
    "certo.diff",
    "certo.traceback",
    "certo.more",
)
"""All commands of `workspace/executeCommand`."""

CODE_ACTION_KINDS = ("quickfix.certo", "refactor.rewrite.certo")
"""All kinds of code actions that certo offers."""

SCHEME = "certo"
"""URI scheme of the documents that certo serves."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")
"""Supported units of `Position.character`."""


def position_encoding(client: dict[str, object]) -> str:
    """Return the client's most preferred supported encoding; UTF-16 if it names none, as LSP says."""
    general = client.get("general")
    preferred = general.get("positionEncodings") if isinstance(general, dict) else None
    for encoding in preferred if isinstance(preferred, list) else ():
        if encoding in ENCODINGS:
            return str(encoding)
    return "utf-16"


def server_capabilities(client: dict[str, object], options: object = None) -> dict[str, object]:
    """Return the `ServerCapabilities` of LSP 3.17 for a client's `ClientCapabilities`.

    `options` are its initialization options, which may ask for certo's own protocol as well.
    """
    version = agreed(said(client, options))
    return {
        **({} if version is None else {"experimental": {"certo": _own_protocol(version)}}),
        "positionEncoding": position_encoding(client),
        "textDocumentSync": {"openClose": True, "change": 2, "save": True},
        "codeActionProvider": _code_action_provider(client),
        "hoverProvider": True,
        "codeLensProvider": {"resolveProvider": False},
        "inlayHintProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": list(COMMANDS)},
        **_diagnostics(client),
        **_notebooks(client),
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}, **_documents(client)},
    }


def _diagnostics(client: dict[str, object]) -> dict[str, object]:
    """Return the diagnostics capability, for documents that certo serves only."""
    document = client.get("textDocument")
    if not isinstance(document, dict) or not isinstance(document.get("diagnostic"), dict):
        return {}
    ours = {"interFileDependencies": False, "workspaceDiagnostics": False, "documentSelector": [{"scheme": SCHEME}]}
    return {"diagnosticProvider": {"identifier": "certo", **ours}}


def _notebooks(client: dict[str, object]) -> dict[str, object]:
    """Return the request to be notified of Python cells in notebooks of any kind."""
    if not isinstance(client.get("notebookDocument"), dict):
        return {}
    return {"notebookDocumentSync": {"notebookSelector": [{"notebook": "*", "cells": [{"language": "python"}]}]}}


def _documents(client: dict[str, object]) -> dict[str, object]:
    """Return the capability of virtual documents, which exists in LSP from 3.18 on."""
    workspace = client.get("workspace")
    if not isinstance(workspace, dict) or not isinstance(workspace.get("textDocumentContent"), dict):
        return {}
    return {"textDocumentContent": {"schemes": [SCHEME]}}


def _own_protocol(version: int) -> dict[str, object]:
    """Return the description of certo's own protocol for a client that asked for it."""
    return {
        "version": version,
        "instance": INSTANCE,
        "methods": list(REQUESTS),
        "limits": {"messageBytes": MAX_BODY},
    }


def _code_action_provider(client: dict[str, object]) -> object:
    """Return the options, or plain `true` for a client without code action literals, as LSP demands."""
    document = client.get("textDocument")
    action = document.get("codeAction") if isinstance(document, dict) else None
    if isinstance(action, dict) and action.get("codeActionLiteralSupport"):
        return {"codeActionKinds": list(CODE_ACTION_KINDS), "resolveProvider": _resolves_commands(action)}
    return True


def _resolves_commands(action: dict[str, object]) -> bool:
    """True if the client supports code actions whose commands are resolved later."""
    support = action.get("resolveSupport")
    properties = support.get("properties") if isinstance(support, dict) else None
    return bool(action.get("dataSupport")) and isinstance(properties, list) and "command" in properties
