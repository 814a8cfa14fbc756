"""Further files of a candidate: current text, part in the edit, and arrival in the editor."""

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
"""Maximum time for an editor to send the other files after applying an edit."""


def need_several(client: Client, ready: VerifiedEdit) -> None:
    """Check that the editor can change several files at once.

    Raises:
        BadRequest: It cannot.
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
    """True if every other file still has the text the change was made for."""
    return all(_text_of(desk, live, change) == change.before for change in ready.elsewhere)


def edits_elsewhere(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> Iterator[types.WorkspaceEdit]:
    """Yield the edits of the other files, bound to the known versions."""
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
    """Return the paths of the other files that have their new text."""
    return tuple(
        change.path for change in ready.elsewhere if _text_of(desk, live, change) == change.after != change.before
    )


async def arrived_elsewhere(desk: EditorSession, live: LiveSearch, ready: VerifiedEdit) -> bool | None:
    """Wait until every other file has the verified text; False if one differs, None if one was not reported.

    Editors open the files they edit and send them soon after; others remain unknown.
    """
    with anyio.move_on_after(ARRIVAL_SECONDS):
        while len(applied_elsewhere(desk, live, ready)) < len(ready.elsewhere):
            await desk.documents.stirred()
        return True
    opened = [desk.documents.of_file(live.resolved.root / change.path) is not None for change in ready.elsewhere]
    return False if any(opened) else None


def _text_of(desk: EditorSession, live: LiveSearch, change: FileChange) -> str | None:
    """Return a file's text in the editor, or on disk if it is not open; None if it does not exist."""
    path: Path = live.resolved.root / change.path
    document = desk.documents.of_file(path)
    if document is not None:
        return document.whole
    return read_source(path) if path.exists() else None
