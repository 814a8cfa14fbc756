"""Application of a candidate: rebased onto the current text, checked again, and applied by the editor."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import replace

import anyio
from lsprotocol import types

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.features.editor.conversion import joined, whole_edit, workspace_edit
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.other_files import (
    applied_elsewhere,
    are_unmoved,
    arrived_elsewhere,
    edits_elsewhere,
    need_several,
)
from certo.features.lsp.progress import TOKEN_PREFIX, shown_working
from certo.presentation.status import short_name
from certo.sessions.acceptance.acceptance import VerifiedEdit, have_files_changed, prepare_acceptance
from certo.sessions.applied import AppliedEdit
from certo.sessions.live import LiveSearch, Stated
from certo.vocabulary.errors import StaleText
from certo.vocabulary.records import dataclass

TRIES = 3
"""Maximum number of rebases if the text keeps changing."""

ARRIVAL_SECONDS = 5.0
"""Maximum time for an editor to send the text after applying an edit."""

LULL_SECONDS = 0.5
"""Time without changes after which a text that differs from the verified one counts as final.

Some editors send an edit of several places as several changes.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """Current text in the editor; from the file, and without a document, if it is not open."""

    document: Document | None
    text: str

    @property
    def version(self) -> int | None:
        """The editor's version of the document; None if it is not open."""
        return None if self.document is None else self.document.version

    @property
    def own(self) -> str:
        """The text of the document alone, which for a notebook cell is the last part of `text`."""
        return self.text if self.document is None else self.document.text

    @property
    def start(self) -> int:
        """Offset of the document's own text in `text`."""
        return 0 if self.document is None else self.document.start


async def apply(
    desk: EditorSession, live: LiveSearch, wanted: str, *, hunks: Collection[int] = (), version: int | None = None
) -> AppliedEdit | None:
    """Have the editor apply a candidate, or some of its hunks, exactly once.

    With `version`, only if the document has that version. None if the search was dismissed meanwhile.

    Raises:
        StaleText: The text has conflicting changes, changes faster than it can be verified, or already contains another
            candidate of the search.
        CertoError: Any other obstacle.
    """
    desk.client.need_edits()
    live.acceptance.accepting = wanted
    desk.searches.notice(live)
    try:
        async with desk.searches.turns.of(live.document):
            known = desk.searches.applied(live.id)
            if known is not None:
                return again(known, wanted, hunks, version)
            return await _apply(desk, live, wanted, tuple(sorted(set(hunks))), version)
    finally:
        live.acceptance.accepting = None
        desk.searches.notice(live)
        document = desk.documents.of_file(live.document)
        if document is not None:
            desk.ambient.typed(live.document, document.whole)


def again(known: AppliedEdit, wanted: str, hunks: Collection[int], version: int | None) -> AppliedEdit:
    """Return the earlier application if it is the requested one.

    Raises:
        StaleText: It is another one, so the text no longer fits this candidate.
    """
    if (known.wanted, known.hunks) != (wanted, tuple(sorted(set(hunks)))):
        raise StaleText("another candidate of this search, or another part of it, is in the text already; undo that")
    if version is not None and version != known.before:
        raise StaleText(f"the candidate was applied to version {known.before} already; it is not applied once more")
    return known


async def _apply(
    desk: EditorSession, live: LiveSearch, wanted: str, hunks: tuple[int, ...], version: int | None
) -> AppliedEdit | None:
    """Rebase and apply, again if the text changed in between."""
    refused = False
    for _ in range(TRIES):
        current, ready = await _ready(desk, live, wanted, hunks, version)
        if live not in desk.searches:
            return None
        now = current_text(desk, live)
        if (now.version, now.text) != (current.version, ready.expected) or not are_unmoved(desk, live, ready):
            continue
        if ready.is_in:
            return await _applied(desk, live, wanted, hunks, now.document, ready)
        result = await _hand_over(desk, live, now.version, ready)
        if result is not None and result.applied:
            return await _applied(desk, live, wanted, hunks, now.document, ready)
        # An edit can be refused because the document changed on its way; its change has arrived before the refusal.
        if result is None or refused:
            reason = "it gave no answer" if result is None else result.failure_reason or "it gave no reason"
            part = applied_elsewhere(desk, live, ready)
            rest = f"Undo what it changed in {', '.join(part)}" if part else "Try to accept it again"
            raise StaleText(f"the editor did not apply the edit to {live.resolved.path}: {reason}. {rest}")
        refused = True
    raise StaleText(
        f"{live.resolved.path} keeps changing while the candidate is verified on it; pause and accept it again"
    )


async def make_ready_now(
    desk: EditorSession, live: LiveSearch, wanted: str, hunks: Collection[int], current: Current
) -> VerifiedEdit:
    """Rebase a candidate onto the current text, showing progress if it must be verified again."""
    request = await desk.request(desk.uri_of(live), ByName.of(live.resolved.target))
    unsaved = replace(live.resolved, request=request).unsaved
    known = isinstance(live.phase, Stated) and live.phase.is_of(current.text, unsaved)
    if known and not (hunks or live.needs_rejudging or await have_files_changed(live)):
        return await prepare_acceptance(live, wanted, current.text, unsaved)
    row = live.state.rows.get(wanted)
    message = f"verifying #{row.number if row is not None else '?'} on the current text"
    token, title = f"{TOKEN_PREFIX}accept:{secrets.token_hex(4)}", f"Certo: {short_name(live.resolved.target)}"
    async with shown_working(desk, token, title, message) as say:
        return await prepare_acceptance(live, wanted, current.text, unsaved, hunks=hunks, say=say)


def current_text(desk: EditorSession, live: LiveSearch) -> Current:
    """Return the current text of a search's document."""
    document = desk.documents.of_file(live.document)
    return Current(document=document, text=read_source(live.document) if document is None else document.whole)


async def _ready(
    desk: EditorSession, live: LiveSearch, wanted: str, hunks: tuple[int, ...], version: int | None
) -> tuple[Current, VerifiedEdit]:
    current = current_text(desk, live)
    if version is not None and current.version != version:
        raise StaleText(f"{live.resolved.path} is at version {current.version}, and not {version}; look at it again")
    return current, await make_ready_now(desk, live, wanted, hunks, current)


async def _hand_over(
    desk: EditorSession, live: LiveSearch, version: int | None, ready: VerifiedEdit
) -> types.ApplyWorkspaceEditResult | None:
    """Ask the editor to apply the change to exactly this version, together with those of other files.

    Raises:
        BadRequest: It cannot change several files at once.
    """
    need_several(desk.client, ready)
    document = desk.documents.of_file(live.document)
    if document is not None:
        edit = whole_edit(document, ready.after, desk.client)
    else:
        edit = workspace_edit(
            uri=desk.uri_of(live),
            version=version,
            before=ready.before,
            after=ready.after,
            encoding=desk.client.encoding,
            versioned=desk.client.document_changes,
        )
    if ready.elsewhere:
        edit = joined([edit, *edits_elsewhere(desk, live, ready)])
    return await desk.window.apply(edit, f"Certo: {short_name(live.resolved.target)}")


async def _applied(
    desk: EditorSession,
    live: LiveSearch,
    wanted: str,
    hunks: tuple[int, ...],
    document: Document | None,
    ready: VerifiedEdit,
) -> AppliedEdit:
    """Settle the search, then check that the editor's text is the verified one.

    An editor without `documentChanges` gets no version and applies the edit to its current text.
    """
    applied = AppliedEdit(
        wanted=wanted,
        hunks=hunks,
        candidate_id=ready.candidate_id,
        text_before=ready.before,
        text_after=ready.after,
        before=None if document is None else document.version,
        moved=ready.moved,
        merged=ready.merged,
        report=ready.report,
    )
    desk.searches.settle(live, applied)
    now = current_text(desk, live)
    if document is None or now.text == ready.after:
        applied.version, applied.exact = now.version, True if now.text == ready.after else None
    else:
        with anyio.move_on_after(ARRIVAL_SECONDS):
            await _compare(document, ready.after, applied)
    if ready.elsewhere and applied.exact is True:
        applied.exact = await arrived_elsewhere(desk, live, ready)
    return applied


async def _compare(document: Document, wanted: str, applied: AppliedEdit) -> None:
    """Follow a document until it has the wanted text, or no more changes come."""
    following = await document.follower()
    while following is not None:
        applied.version, applied.exact = following.version, following.whole == wanted
        if applied.exact:
            return
        last, following = following, None
        with anyio.move_on_after(LULL_SECONDS):
            following = await last.follower()
