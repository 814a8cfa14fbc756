"""Between our values and LSP's: spans, edits and files in one direction, and back in the other."""

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
    """An offset as the editor counts."""
    position = index.position(offset)
    return types.Position(line=position.line, character=position.character)


def lsp_range(index: LineIndex, span: Span) -> types.Range:
    """A span as the editor counts."""
    return types.Range(start=lsp_position(index, span.start), end=lsp_position(index, span.end))


def lsp_head(position: types.Position) -> types.Range:
    """The empty range at the start of a position's line, over which a lens is shown."""
    start = types.Position(line=position.line, character=0)
    return types.Range(start=start, end=start)


def workspace_edit(
    *, uri: str, version: int | None, before: str, after: str, encoding: Encoding, versioned: bool
) -> types.WorkspaceEdit:
    """What makes one document's text another, in small edits that leave the cursor and marks of the user alone.

    It is for the exact version when the editor takes `documentChanges`; the version is None for a document that is not
    open: then its file is meant.
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
    """Edits of several documents, all of them written in the same of the two ways, as one."""
    if any(edit.changes is not None for edit in edits):
        return types.WorkspaceEdit(changes={uri: made for edit in edits for uri, made in (edit.changes or {}).items()})
    return types.WorkspaceEdit(document_changes=tuple(made for edit in edits for made in edit.document_changes or ()))


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return path.as_uri()


def whole_edit(document: Document, whole: str, client: Client) -> types.WorkspaceEdit:
    """The edit by which a document's module becomes `whole`, of exactly the versions that are known.

    Raises:
        StaleText: the module is of several documents, and there is no such edit.
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
