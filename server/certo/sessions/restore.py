"""Offering again the candidates of earlier processes that were not accepted yet."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import anyio

from certo.edits.patch import apply_edits
from certo.project.root import find_root
from certo.search.board import SearchState
from certo.sessions.assembly.models import NO_CLIENT_SERVICES, ClientServices
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.history import History
from certo.sessions.live import Acceptance, LiveSearch, Restored
from certo.sessions.persistence.requests import asked_again
from certo.sessions.searches import Searches
from certo.storage.journal import Journal
from certo.storage.search_record import StoredSearch
from certo.storage.serialization import Unreadable, event_of
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped, Winner
from certo.vocabulary.outcome import Outcome

log = logging.getLogger(__name__)

RECALLED_DAYS = 1.0
"""How old a search may be to be offered again."""

_AT_ONCE = 50
"""So many events are read before others have their turn."""

_UNFINISHED = {Outcome.INTERRUPTED, Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT, Outcome.BUDGET_SPENT}
"""Ends without a candidate after which trying again, or with more to go by, may help."""


async def restore_searches(
    searches: Searches,
    document: Path,
    folders: tuple[Path, ...],
    client: Mapping[str, Any] | None = None,
    services: ClientServices = NO_CLIENT_SERVICES,
) -> None:
    """Restore the searches of a document's project whose processes are dead, once for each project.

    Of those about one function it is the newest, and none where one is here already; of those that found nothing, the
    ones that may find something yet. One that had not ended is marked as interrupted.
    """
    try:
        root = find_root(document, folders)
        options = searches.settings(root, client).journal
    except BadRequest:
        return  # It is said when somebody wants a search.
    journals = searches.journals
    left = journals.left(root, options, days=RECALLED_DAYS) if journals is not None else ()
    found: list[LiveSearch] = []
    for kept in reversed(left):
        # Reading may have made the journal unusable, so it is asked for anew each time.
        journal = journals.of(root, options) if journals is not None else None
        if journals is None or journal is None:
            break
        if kept.asked.ambient:
            # Nobody asked for it, and the text may be another one by now.
            journal.erase(kept.id)
            continue
        try:
            state, history = await _folded(kept, journals.lines(root, kept.id), journal)
            resolved = searches.resolve(asked_again(kept.asked, root, folders, client))
        except (BadRequest, Unreadable, KeyError) as error:
            # KeyError: what a candidate was is not there, because the disk was full then.
            log.warning("search %s of an earlier process cannot be offered again: %r", kept.id, error)
            continue
        if _is_worth_it(state, kept) and not _is_about_one_of(resolved, found):
            said = journals.opinions(root, kept.id)
            live = LiveSearch(
                id=kept.id,
                resolved=resolved,
                services=services,
                journal=journal,
                state=state,
                history=history,
                acceptance=Acceptance(feedback=[each for each in said if each.candidate_id in state.rows]),
                origin=Restored(searches.restate),
            )
            found.append(live)
    # They are listed in the order in which they began; and the user may have begun another one meanwhile.
    for live in reversed(found):
        if not _is_about_one_of(live.resolved, searches.of_document(live.document)):
            searches.adopt(live)


def _is_about_one_of(resolved: ResolvedRequest, others: Iterable[LiveSearch]) -> bool:
    """True if one of these searches is about the same function of the same document."""
    return any(
        resolved.request.document == other.document and resolved.target.is_same(other.resolved.target)
        for other in others
    )


async def folded(lines: Iterable[str]) -> tuple[SearchState, History]:
    """Return the state and history of a search from its journal's lines; raise what `event_of` does, and KeyError."""
    state, history = SearchState(), History()
    for number, line in enumerate(lines, start=1):
        event = event_of(line)
        state.apply(event)
        history.append(event)
        if number % _AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
    return state, history


async def _folded(kept: StoredSearch, lines: Iterable[str], journal: Journal) -> tuple[SearchState, History]:
    """Return the state and history of a stored search, ended as interrupted if it has no end, and adopt it.

    Raises:
        Unreadable: another version of certo wrote it.
        KeyError: it is not whole.
    """
    state, history = await folded(lines)
    if state.stopped is None:
        event = _interruption(kept, state, history)
        state.apply(event)
        history.append(event)
        journal.on_event(event)
    journal.adopt(kept.id)
    return state, history


def _is_worth_it(state: SearchState, kept: StoredSearch) -> bool:
    """True if the user may want anything of it yet; one that they ended themselves, only if it has a candidate."""
    if state.stopped is None or state.ranked() or state.stopped.outcome in _UNFINISHED:
        return True
    return state.stopped.outcome is Outcome.CANCELLED and kept.standing == "open"


def _interruption(kept: StoredSearch, state: SearchState, history: History) -> SearchStopped:
    """Return the last event of a search whose process died: what it had found counts."""
    best, last = state.best_row, history.newest
    winner = None
    if best is not None and best.cost is not None:
        winner = Winner(
            candidate_id=best.candidate_id,
            diff=best.diff,
            source=apply_edits(kept.asked.text, best.edits),
            evidence=best.report,
            cost=best.cost,
            elsewhere=best.elsewhere,
        )
    return SearchStopped(
        seq=history.last + 1,
        search=kept.id,
        at=last.at if last is not None else 0.0,
        outcome=Outcome.INTERRUPTED,
        reason="",
        verified=best is not None and best.verified,
        winner=winner,
        spent=state.spent,
    )
