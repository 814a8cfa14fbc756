"""From what a module becomes to one edit of the documents it is made of."""

from __future__ import annotations

from lsprotocol import types

from certo.features.client import Client
from certo.features.convert import joined, workspace_edit
from certo.features.documents import Document


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
