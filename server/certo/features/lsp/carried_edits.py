"""Edits inside code actions, for editors that accept no edits sent by a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lsprotocol import types

from certo.features.editor.conversion import whole_edit
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.search.board import CandidateState
from certo.sessions.acceptance.acceptance import have_files_changed
from certo.sessions.applied import AppliedEdit
from certo.sessions.live import LiveSearch, Stated
from certo.vocabulary.errors import StaleText


async def carried_edit(
    desk: EditorSession, document: Document, about: Mapping[str, object]
) -> types.WorkspaceEdit | None:
    """Return the edit of a passing candidate; None unless the text is the one it was verified on.

    Otherwise it would have to be verified again first, which code actions cannot wait for.
    """
    live = desk.searches.get(str(about["searchId"]))
    if await have_files_changed(live):
        return None
    row = live.state.rows[str(about["candidateId"])]
    # What changes several files is applied as one, with the editor's answer to it.
    if row.elsewhere:
        return None
    others = {path: text for path, text in desk.documents.unsaved().items() if path != live.document}
    unsaved = replace(live.resolved, request=replace(live.resolved.request, unsaved=others)).unsaved
    if live.needs_rejudging or not isinstance(live.phase, Stated) or not live.phase.is_of(document.whole, unsaved):
        return None
    try:
        return whole_edit(document, live.text_with(row), desk.client)
    except StaleText:
        return None


def notice_carried(desk: EditorSession, document: Document) -> None:
    """Settle the searches whose candidate is now in the text, since the editor does not report that it applied one."""
    for live in desk.searches.of_document(document.path) if document.path is not None else ():
        own = (row for row in live.state.ranked() if not row.elsewhere)
        row = next((row for row in own if document.whole == live.text_with(row)), None)
        if row is not None:
            desk.searches.settle(live, _carried(live, row, document))


def _carried(live: LiveSearch, row: CandidateState, document: Document) -> AppliedEdit:
    """Return the record of a whole candidate applied to a text of unknown version."""
    return AppliedEdit(
        wanted=row.candidate_id,
        hunks=(),
        candidate_id=row.candidate_id,
        text_before=live.base,
        text_after=document.whole,
        before=None,
        moved=False,
        merged=False,
        report=row.report,
        version=document.version,
        exact=True,
    )
