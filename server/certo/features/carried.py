"""Edits that code actions carry with them, for an editor that takes edits only so and none that a server sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lsprotocol import types

from certo.edits.patch import apply_edits
from certo.features.convert import workspace_edit
from certo.features.desk import Desk
from certo.features.documents import Document


def carried_edit(desk: Desk, document: Document, about: Mapping[str, object]) -> types.WorkspaceEdit | None:
    """The edit for a command about a candidate that passed; None unless the text is the one it was verified on.

    On any other text it would have to be verified again before the code actions are shown, and they must not wait.
    """
    live = desk.searches.get(str(about["searchId"]))
    row, problem = live.board.rows[str(about["candidateId"])], live.problem
    others = {path: text for path, text in desk.documents.unsaved().items() if path != live.document}
    unsaved = replace(live.aim, request=replace(live.aim.request, unsaved=others)).unsaved
    if problem is None or (document.text, unsaved) != (problem.text, dict(problem.unsaved)):
        return None
    return workspace_edit(
        uri=document.uri,
        version=document.version,
        before=document.text,
        after=apply_edits(problem.text, row.edits),
        encoding=desk.client.encoding,
        versioned=desk.client.document_changes,
    )


def notice_carried(desk: Desk, document: Document) -> None:
    """Settle the searches of which a candidate is in the text now: an editor does not tell that it applied one."""
    for live in desk.searches.of_document(document.path) if document.path is not None else ():
        problem = live.problem
        if problem is not None and any(
            document.text == apply_edits(problem.text, row.edits) for row in live.board.ranked()
        ):
            desk.searches.settle(live)
