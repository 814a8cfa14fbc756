"""Accepting a candidate: made ready for the text as it is, checked to be still that text, applied by the editor."""

from __future__ import annotations

import secrets
from dataclasses import replace

from lsprotocol import types

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.features.convert import workspace_edit
from certo.features.desk import Desk
from certo.features.progress import TOKEN_PREFIX, shown_working
from certo.features.wording import short_name
from certo.sessions.accepting import Ready, make_ready
from certo.sessions.searches import LiveSearch
from certo.vocabulary.errors import CertoError, StaleText

TRIES = 3
"""How often a candidate is made ready again because the text went on changing."""


async def accept(desk: Desk, live: LiveSearch, candidate_id: str) -> None:
    """Apply a candidate, or say in one sentence why not; the search is forgotten once its candidate is in the text."""
    live.accepting = candidate_id
    desk.searches.notice(live)
    try:
        if await _apply(desk, live, candidate_id):
            desk.searches.settle(live)
    except CertoError as refused:
        desk.doors.say(str(refused), types.MessageType.Error)
    finally:
        live.accepting = None
        desk.searches.notice(live)


async def _apply(desk: Desk, live: LiveSearch, candidate_id: str) -> bool:
    """Make ready and apply, again when the text changed in between; False when the user dismissed it meanwhile.

    Raises:
        StaleText: the text changed in a way that cannot be reconciled, or faster than it can be verified.
        CertoError: whatever else is in the way.
    """
    refused = False
    for _ in range(TRIES):
        version, ready = await _ready(desk, live, candidate_id)
        if live not in desk.searches:
            return False
        if _version_and_text(desk, live) != (version, ready.before):
            continue
        result = await _hand_over(desk, live, version, ready)
        if result is not None and result.applied:
            return True
        # An edit can be refused because the document changed on its way; its change has arrived before the refusal.
        if result is None or refused:
            reason = "it gave no answer" if result is None else result.failure_reason or "it gave no reason"
            raise StaleText(f"the editor did not apply the edit to {live.aim.path}: {reason}. Try to accept it again")
        refused = True
    raise StaleText(f"{live.aim.path} keeps changing while the candidate is verified on it; pause and accept it again")


async def _ready(desk: Desk, live: LiveSearch, candidate_id: str) -> tuple[int | None, Ready]:
    """Make a candidate ready for the text as it is now, and say for which version that is."""
    version, text = _version_and_text(desk, live)
    name = short_name(live.aim.target)
    request = await desk.request(desk.uri_of(live), ByName.of(live.aim.target))
    unsaved = replace(live.aim, request=request).unsaved
    if live.problem is not None and (text, unsaved) == (live.problem.text, live.problem.unsaved):
        return version, await make_ready(live, candidate_id, text, unsaved)
    number = live.board.rows[candidate_id].number
    message = f"verifying #{number} on the text as it is now"
    async with shown_working(desk, f"{TOKEN_PREFIX}accept:{secrets.token_hex(4)}", f"Certo: {name}", message):
        return version, await make_ready(live, candidate_id, text, unsaved)


def _version_and_text(desk: Desk, live: LiveSearch) -> tuple[int | None, str]:
    """The text as the editor has it; as its file has it, with no version, when the document is closed."""
    document = desk.documents.of_file(live.document)
    return (document.version, document.text) if document is not None else (None, read_source(live.document))


async def _hand_over(
    desk: Desk, live: LiveSearch, version: int | None, ready: Ready
) -> types.ApplyWorkspaceEditResult | None:
    """Ask the editor to apply the change to exactly this version."""
    edit = workspace_edit(
        uri=desk.uri_of(live),
        version=version,
        before=ready.before,
        after=ready.after,
        encoding=desk.client.encoding,
        versioned=desk.client.document_changes,
    )
    return await desk.doors.apply(edit, f"Certo: {short_name(live.aim.target)}")
