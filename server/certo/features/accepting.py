"""Accepting a candidate: made ready for the text as it is, checked to be still that text, applied by the editor."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.features.convert import workspace_edit
from certo.features.desk import Desk
from certo.features.wording import short_name
from certo.sessions.accepting import Ready, make_ready
from certo.sessions.searches import LiveSearch
from certo.vocabulary.errors import CertoError, StaleText

TRIES = 3
"""How often a candidate is made ready again because the text went on changing."""


async def accept(desk: Desk, live: LiveSearch, candidate_id: str) -> None:
    """Apply a candidate, or say in one sentence why not; the search is forgotten once its candidate is in the text."""
    view = desk.view(live)
    view.accepting = candidate_id
    desk.refresh()
    try:
        await _apply(desk, live, candidate_id)
    except CertoError as refused:
        desk.doors.say(str(refused), types.MessageType.Error)
    else:
        desk.settle(live)
    finally:
        view.accepting = None
        desk.refresh()


async def _apply(desk: Desk, live: LiveSearch, candidate_id: str) -> None:
    """Make ready and apply, again when the text changed in between.

    Raises:
        StaleText: the text changed in a way that cannot be reconciled, or faster than it can be verified.
        CertoError: whatever else is in the way.
    """
    refusals = 0
    for _ in range(TRIES):
        version, ready = await _ready(desk, live, candidate_id)
        if _version_and_text(desk, live) != (version, ready.before):
            continue
        refusal = await _hand_over(desk, live, version, ready)
        if refusal is None:
            return
        refusals += 1
        # An edit can be refused because the document changed on its way; its change has arrived before the refusal.
        if refusals > 1:
            raise StaleText(f"the editor did not apply the edit to {live.aim.path}{refusal}. Accept it again")
    raise StaleText(f"{live.aim.path} keeps changing while candidate and text are verified; pause and accept it again")


async def _ready(desk: Desk, live: LiveSearch, candidate_id: str) -> tuple[int | None, Ready]:
    """Make a candidate ready for the text as it is now, and say for which version that is."""
    version, text = _version_and_text(desk, live)
    request = await desk.request(desk.uri_of(live), ByName(live.aim.target.qualname))
    unsaved = replace(live.aim, request=request).unsaved
    return version, await make_ready(live, candidate_id, text, unsaved)


def _version_and_text(desk: Desk, live: LiveSearch) -> tuple[int | None, str]:
    """The text as the editor has it; as its file has it, with no version, when the document is closed."""
    document = desk.documents.of_file(live.document)
    return (document.version, document.text) if document is not None else (None, read_source(live.document))


async def _hand_over(desk: Desk, live: LiveSearch, version: int | None, ready: Ready) -> str | None:
    """Ask the editor to apply the edits to exactly this version; None when it did, else its reason."""
    edit = workspace_edit(
        uri=desk.uri_of(live),
        version=version,
        before=ready.before,
        after=ready.after,
        encoding=desk.client.encoding,
        versioned=desk.client.document_changes,
    )
    result = await desk.doors.apply(edit, f"Certo: {short_name(live.aim.target)}")
    if result is None:
        return ": it gave no answer"
    if result.applied:
        return None
    return f": {result.failure_reason}" if result.failure_reason else ""
