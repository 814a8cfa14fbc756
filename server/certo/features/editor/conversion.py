"""Conversion between certo's values and LSP's: spans, edits and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from certo.edits.patch import edits_between
from certo.edits.positions import Encoding, LineIndex
from certo.features.editor.client import Client
from certo.features.editor.documents import Document
from certo.vocabulary.text import Span


def lsp_position(index: LineIndex, offset: int) -> types.Position:
    """Return an offset in the editor's units."""
    position = index.position(offset)
    return types.Position(line=position.line, character=position.character)


def lsp_range(index: LineIndex, span: Span) -> types.Range:
    """Return a span in the editor's units."""
    return types.Range(start=lsp_position(index, span.start), end=lsp_position(index, span.end))


def lsp_head(position: types.Position) -> types.Range:
    """Return the empty range at the start of a position's line, for a lens."""
    start = types.Position(line=position.line, character=0)
    return types.Range(start=start, end=start)


def workspace_edit(
    *, uri: str, version: int | None, before: str, after: str, encoding: Encoding, versioned: bool
) -> types.WorkspaceEdit:
    """Return an edit from `before` to `after`, in small pieces so that cursor and marks stay.

    With `documentChanges` the edit is bound to the exact version; `version` is None for a file that is not open.
    """
    index = LineIndex(before, encoding)
    changes = tuple(
        types.TextEdit(range=lsp_range(index, edit.span), new_text=edit.replacement)
        for edit in edits_between(before, after)
    )
    if not versioned:
        return types.WorkspaceEdit(changes={uri: changes})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return types.WorkspaceEdit(document_changes=(types.TextDocumentEdit(text_document=document, edits=changes),))


def joined(edits: Sequence[types.WorkspaceEdit]) -> types.WorkspaceEdit:
    """Return edits of several documents, all in the same of LSP's two forms, as one."""
    if any(edit.changes is not None for edit in edits):
        return types.WorkspaceEdit(changes={uri: made for edit in edits for uri, made in (edit.changes or {}).items()})
    return types.WorkspaceEdit(document_changes=tuple(made for edit in edits for made in edit.document_changes or ()))


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return path.as_uri()


def whole_edit(document: Document, whole: str, client: Client) -> types.WorkspaceEdit:
    """Return the edit that makes a document's module `whole`, bound to the known versions.

    Raises:
        StaleText: The module consists of several documents, and the change cannot be divided among them.
    """
    return joined(
        [
            workspace_edit(
                uri=part.uri,
                version=part.version,
                before=part.text,
                after=after,
                encoding=client.encoding,
                versioned=client.document_changes,
            )
            for part, after in document.parts(whole)
        ]
    )
