"""Going on with a search that has stopped, or whose process has died, without paying again for what was paid."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from certo.sessions.assembly.models import NO_CLIENT_SERVICES, ClientServices
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.live import Acceptance, LiveSearch, PreviousRun, Restored
from certo.sessions.persistence.requests import asked_again
from certo.sessions.restore import folded
from certo.sessions.searches import Searches
from certo.settings.schema import chosen
from certo.storage.process_identity import is_over, own_life
from certo.storage.search_record import StoredSearch
from certo.storage.serialization import Unreadable
from certo.vocabulary.errors import BrokenWorld, NotResumable
from certo.vocabulary.outcome import PAUSES

_FREE = ("search.candidates", "search.seconds", "search.calls", "search.tokens", "search.dollars", "search.record")
"""Settings that may be others when a search goes on: what it may spend, and what is written of it."""

_FREE_GROUPS = ("journal.", "editor.", "memory.", "experiments.")

_PAUSES = {outcome.name.lower().replace("_", "-") for outcome in PAUSES} | {""}


async def resume_search(searches: Searches, kept: StoredSearch, flags: Mapping[str, Any]) -> LiveSearch:
    """Go on with a search of a process that is dead, with these settings besides; returns at once.

    Raises:
        NotResumable: it was done, others have it, or it was asked for otherwise.
        BadRequest: it cannot be resolved any more.
        BrokenWorld: its journal cannot be read.
    """
    root, asked = Path(kept.root), kept.asked
    request = asked_again(asked, root, tuple(map(Path, asked.folders)), None)
    resolved = searches.resolve(replace(request, flags={**asked.flags, **flags}))
    require_resumable(kept, resolved)
    journals = searches.journals
    journal = journals.of(root, resolved.settings.journal) if journals is not None else None
    if journals is None or journal is None:
        raise NotResumable(f"search {kept.id} cannot be resumed without its journal; set journal.enabled = true")
    try:
        state, history = await folded(journals.lines(root, kept.id))
    except (Unreadable, KeyError) as error:
        raise NotResumable(
            f"search {kept.id} cannot be resumed: another version of certo wrote it; start another search"
        ) from error
    live = LiveSearch(
        id=kept.id,
        resolved=resolved,
        journal=journal,
        state=state,
        history=history,
        acceptance=Acceptance(feedback=[*journals.opinions(root, kept.id)]),
        origin=Restored(searches.restate),
    )
    _go_on(searches, live, kept, resolved, NO_CLIENT_SERVICES)
    return live


def resume(searches: Searches, live: LiveSearch, resolved: ResolvedRequest, services: ClientServices) -> None:
    """Go on with a search of this process that has stopped; returns at once, and raises what `resume_search` does."""
    acceptance = live.acceptance
    if acceptance.accepting is not None or acceptance.accepted or acceptance.undone is not None:
        # What models had answered is not kept once a candidate is accepted.
        raise NotResumable(
            f"a candidate of search {live.id} is or was accepted; start another search on the current text"
        )
    try:
        kept = live.journal.search(live.id) if live.journal is not None else None
    except sqlite3.Error as error:
        raise BrokenWorld(f"search {live.id} cannot be resumed: its journal cannot be read ({error})") from error
    if kept is None:
        raise NotResumable(f"search {live.id} is not in a journal and cannot be resumed; retry it")
    require_resumable(kept, resolved)
    _go_on(searches, live, kept, resolved, services)


def require_resumable(kept: StoredSearch, resolved: ResolvedRequest) -> None:
    """Require that a search can go on where it was, under the settings it has now.

    Raises:
        NotResumable: it cannot; the sentence says why, and what to do.
    """
    if kept.life != own_life() and not is_over(kept.life):
        process = kept.life.split("/")[2]
        raise NotResumable(
            f"search {kept.id} belongs to process {process}, which is running; resume it there, or end that process"
        )
    if kept.standing in ("accepted", "dismissed"):
        raise NotResumable(
            f"search {kept.id} is {kept.standing}, so nothing of it is left to resume; start another one"
        )
    if kept.outcome not in _PAUSES:
        raise NotResumable(
            f"search {kept.id} ended by itself ({kept.outcome}), so there is nothing to resume; retry it, or start "
            "another one"
        )
    if kept.asked.settings is None:
        raise NotResumable(
            f"search {kept.id} was made by a version of certo that did not keep what resuming takes; start another one"
        )
    if differing := _differing(kept.asked.settings, chosen(resolved.settings)):
        raise NotResumable(
            f"search {kept.id} was made under other settings: {'; '.join(differing)}. Set them as they were to resume "
            "it, or start another search"
        )


def _differing(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the settings that bear on a search and have changed, each with both values."""
    names = [name for name in {**then, **now} if name not in _FREE and not name.startswith(_FREE_GROUPS)]
    return [
        f"{name} was {_value(then, name)} and is {_value(now, name)}"
        for name in sorted(names)
        if _value(then, name) != _value(now, name)
    ]


def _value(settings: Mapping[str, Any], name: str) -> str:
    return repr(settings[name]) if name in settings else "not set"


def _go_on(
    searches: Searches, live: LiveSearch, kept: StoredSearch, resolved: ResolvedRequest, services: ClientServices
) -> None:
    assert live.journal is not None  # both callers have checked it
    seconds = resolved.settings.search.seconds
    if live.worked >= resolved.budget.seconds:
        spent = resolved.budget.said("seconds").rstrip(",")
        raise NotResumable(
            f"search {live.id} has spent all of search.{spent}; allow it more, as with --timeout {2 * seconds:g}, to "
            "resume it"
        )
    try:
        # The claim comes last: it is what keeps two processes from going on with one search, and nothing after it may
        # refuse, or the search would be ours and not run.
        calls = live.journal.paid.of(live.id)
        is_ours = live.journal.claim(kept)
    except sqlite3.Error as error:
        raise BrokenWorld(
            f"search {live.id} cannot be resumed: its journal cannot be used now ({error}); try again"
        ) from error
    if not is_ours:
        raise NotResumable(f"search {live.id} goes on in another process already; watch it there")
    previous = PreviousRun(calls=calls, fingerprint=kept.world, since=kept.since, last=live.history.last)
    live.reopen(resolved, services, previous)
    searches.run(live)
