"""The other files of a candidate in the editor: what they hold there, their part of an edit, and whether it arrived."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
from lsprotocol import types

from certo.edits.source import read_source
from certo.features.editor.client import Client
from certo.features.editor.conversion import uri_of, whole_edit, workspace_edit
from certo.features.editor.session import EditorSession
from certo.sessions.acceptance.acceptance import VerifiedEdit
from certo.sessions.live import LiveSearch
from certo.vocabulary.candidate import FileChange
from certo.vocabulary.errors import BadRequest

ARRIVAL_SECONDS = 2.0
"""How long an editor that has applied an edit may take to send the other files it made of it."""


def need_several(client: Client, ready: VerifiedEdit) -> None:
    """See to it that the editor can apply a change of several files as one.

    Raises:
        BadRequest: it cannot.
    """
    if ready.elsewhere and not client.document_changes:
        raise BadRequest(
            "this editor cannot apply a change of several files as one; apply it with `certo searches checkout`"
        )
    made = [change.path for change in ready.elsewhere if change.before is None]
    if made and not client.creates_files:
        raise BadRequest(
            f"this editor makes no files for a server, and {made[0]} is new; apply it with `certo searches checkout`"
        )


def are_unmoved(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> bool:
    """Whether every other file still holds what the change was made ready for."""
    return all(_text_of(desk, live, change) == change.before for change in ready.elsewhere)


def edits_elsewhere(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> Iterator[types.WorkspaceEdit]:
    """What makes the other files what they are to be, of exactly the versions that are known."""
    for change in ready.elsewhere:
        path = live.resolved.root / change.path
        document = desk.documents.of_file(path)
        if document is not None:
            yield whole_edit(document, change.after, desk.client)
            continue
        if change.before is None:
            options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
            created = types.CreateFile(uri=uri_of(path), options=options)
            yield types.WorkspaceEdit(document_changes=(created,))
        yield workspace_edit(
            uri=uri_of(path),
            version=None,
            before=change.before or "",
            after=change.after,
            encoding=desk.client.encoding,
            versioned=desk.client.document_changes,
        )


def applied_elsewhere(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> tuple[str, ...]:
    """The other files that hold what they were to become, by their paths."""
    return tuple(
        change.path for change in ready.elsewhere if _text_of(desk, live, change) == change.after != change.before
    )


async def arrived_elsewhere(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> bool | None:
    """Wait until every other file is what was verified; None when nothing was heard of one, False when it is not so.

    Editors open what they edit, and send it soon after; what they keep to themselves nobody knows.
    """
    with anyio.move_on_after(ARRIVAL_SECONDS):
        while len(applied_elsewhere(desk, live, ready)) < len(ready.elsewhere):
            await desk.documents.stirred()
        return True
    opened = [desk.documents.of_file(live.resolved.root / change.path) is not None for change in ready.elsewhere]
    return False if any(opened) else None


def _text_of(desk: EditorSession, live: LiveSearch, change: FileChange) -> str | None:
    """What a file holds in the editor, or on the disk where it is not open; None where it is not there."""
    path: Path = live.resolved.root / change.path
    document = desk.documents.of_file(path)
    if document is not None:
        return document.whole
    return read_source(path) if path.exists() else None
