"""The smallest server of pygls that offers a code action: what a start costs at least with that library."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("hello", "1")


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def actions(_params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer one action."""
    return [types.CodeAction(title="Say hello", kind=types.CodeActionKind.RefactorRewrite)]


if __name__ == "__main__":
    server.start_io()
