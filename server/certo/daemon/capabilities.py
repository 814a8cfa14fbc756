"""What certo can do, as plain JSON, so that `initialize` is answered before anything heavy is imported."""

from __future__ import annotations

from certo.daemon.framing import MAX_BODY
from certo.protocol.negotiation import INSTANCE, REQUESTS, agreed, said

COMMANDS = (
    "certo.generate",
    "certo.cancel",
    "certo.accept",
    "certo.retry",
    "certo.showDiff",
    "certo.dismiss",
    "certo.next",
)
"""Every command of `workspace/executeCommand`."""

CODE_ACTION_KINDS = ("quickfix.certo", "refactor.rewrite.certo")
"""Every kind of code action we offer."""

SCHEME = "certo"
"""What the URI of every document begins with that we serve ourselves."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")
"""The units of `Position.character` we can count in."""


def position_encoding(client: dict[str, object]) -> str:
    """The client's most preferred encoding of those we know; UTF-16 when it names none, as LSP has it."""
    general = client.get("general")
    preferred = general.get("positionEncodings") if isinstance(general, dict) else None
    for encoding in preferred if isinstance(preferred, list) else ():
        if encoding in ENCODINGS:
            return str(encoding)
    return "utf-16"


def server_capabilities(client: dict[str, object], options: object = None) -> dict[str, object]:
    """The `ServerCapabilities` of LSP 3.17 for a client with the given `ClientCapabilities`.

    `options` are its initialization options, where it may ask for our own protocol as well.
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
    """The offer of diagnostics for a client that pulls them: of our own documents and no others."""
    document = client.get("textDocument")
    if not isinstance(document, dict) or not isinstance(document.get("diagnostic"), dict):
        return {}
    ours = {"interFileDependencies": False, "workspaceDiagnostics": False, "documentSelector": [{"scheme": SCHEME}]}
    return {"diagnosticProvider": {"identifier": "certo", **ours}}


def _notebooks(client: dict[str, object]) -> dict[str, object]:
    """The wish to hear of the Python cells of notebooks of any kind, for a client that tells of notebooks."""
    if not isinstance(client.get("notebookDocument"), dict):
        return {}
    return {"notebookDocumentSync": {"notebookSelector": [{"notebook": "*", "cells": [{"language": "python"}]}]}}


def _documents(client: dict[str, object]) -> dict[str, object]:
    """The offer of documents that are no files, which LSP knows from 3.18 on, for a client that knows them too."""
    workspace = client.get("workspace")
    if not isinstance(workspace, dict) or not isinstance(workspace.get("textDocumentContent"), dict):
        return {}
    return {"textDocumentContent": {"schemes": [SCHEME]}}


def _own_protocol(version: int) -> dict[str, object]:
    """What a client is told that asked for our own protocol."""
    return {
        "version": version,
        "instance": INSTANCE,
        "methods": list(REQUESTS),
        "limits": {"messageBytes": MAX_BODY},
    }


def _code_action_provider(client: dict[str, object]) -> object:
    """The options, or plain `true` for a client without code action literals, to which LSP forbids the options."""
    document = client.get("textDocument")
    action = document.get("codeAction") if isinstance(document, dict) else None
    if isinstance(action, dict) and action.get("codeActionLiteralSupport"):
        return {"codeActionKinds": list(CODE_ACTION_KINDS), "resolveProvider": _resolves_commands(action)}
    return True


def _resolves_commands(action: dict[str, object]) -> bool:
    """Whether a client can be given code actions first, and their commands when it needs them."""
    support = action.get("resolveSupport")
    properties = support.get("properties") if isinstance(support, dict) else None
    return bool(action.get("dataSupport")) and isinstance(properties, list) and "command" in properties
