"""Requests about searches, for a client that follows them itself."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import islice

from certo.features.editor.session import EditorSession
from certo.features.extensions.event_stream import Stream
from certo.features.lsp.search_start import begin, next_suspects, request_again, request_of
from certo.presentation.phrases import tests_of
from certo.presentation.status import ending, passing_line
from certo.protocol.searches import (
    AttachParams,
    AttachResult,
    Base,
    CancelResult,
    ForgetResult,
    GetResult,
    ListParams,
    ListResult,
    RankedCandidate,
    ResumeParams,
    RetryParams,
    SearchParams,
    SearchSummary,
    StartParams,
    StartResult,
    StateWord,
)
from certo.search.board import CandidateState, SearchState
from certo.sessions import resume as resuming
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.verification.dynamic.fault_localization import Located
from certo.vocabulary.errors import SearchNotFound


def state_of(live: LiveSearch) -> StateWord:
    """Return "running" or "stopped"."""
    return "running" if live.running else "stopped"


def base_of(desk: EditorSession, live: LiveSearch) -> Base:
    """Return the text a search began with, and its version if the editor still shows it."""
    text = live.base
    document = desk.documents.of_file(live.document)
    return Base(
        version=document.version if document is not None and document.whole == text else None,
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def summary_of(desk: EditorSession, live: LiveSearch) -> SearchSummary:
    """Return a summary of a search."""
    board, asked = live.state, live.resolved.request
    return SearchSummary.model_validate(
        {
            "search_id": live.id,
            "state": state_of(live),
            "outcome": board.stopped.outcome if board.stopped is not None else None,
            "sentence": passing_line(live) if live.running else ending(live)[0],
            "uri": desk.uri_of(live),
            "qualname": live.resolved.target.qualname,
            "line": live.resolved.target.line,
            "second": "" if live.resolved.target.second is None else live.resolved.target.second.named,
            "instruction": asked.instruction,
            "background": asked.background,
            "ambient": asked.ambient,
            "accepted": live.acceptance.accepted,
            "seconds": round(live.seconds, 3),
            "candidates": len(board.rows),
            "passed": len(board.ranked()),
            "best": board.best,
            "last_seq": live.history.last,
            "base": base_of(desk, live),
        },
        by_name=True,
    )


def ranked(board: SearchState) -> Iterator[RankedCandidate]:
    """Yield the candidates that passed, best first, then the others in order of arrival."""
    best_first = board.ranked()
    for place, row in enumerate(best_first, 1):
        yield _candidate(row, place)
    passed = {row.candidate_id for row in best_first}
    for row in board.rows.values():
        if row.candidate_id not in passed:
            yield _candidate(row, None)


def _candidate(row: CandidateState, place: int | None) -> RankedCandidate:
    passed, owed, newly = tests_of(row.verdicts)
    return RankedCandidate.model_validate(
        {
            "candidate_id": row.candidate_id,
            "number": row.number,
            "place": place,
            "origin": row.origin,
            "judging": row.judging,
            "passed": row.passed,
            "verified": row.verified,
            "cost": row.cost,
            "rulings": row.verdicts,
            "tests": owed,
            "tests_passed": passed,
            "newly_passing": newly,
            "added": sum(len(hunk.added) for hunk in row.hunks),
            "removed": sum(len(hunk.removed) for hunk in row.hunks),
            "rival_of": row.rival_of,
            "difference": row.difference,
            "observations": row.observations,
            "agreeing": row.agreeing,
            "uncompared": row.uncompared,
            "caveat": row.caveat,
            "group": row.group,
            "backed": row.backed,
            "compared": row.compared,
            "unusual": row.unusual,
            "alike": row.alike,
            "speed": row.speed,
            "graded": row.graded,
        },
        from_attributes=True,
        by_name=True,
    )


async def start(desk: EditorSession, params: StartParams) -> StartResult:
    """Start a search, or find the one an identical request has started; the client displays it.

    Raises:
        KeyReused: The key belongs to another request.
        SearchNotFound: The search of that request was dismissed.
        BadRequest: Nothing can be searched for there.
    """

    async def request() -> tuple[Request, Located | None]:
        return await next_suspects(desk, await request_of(desk, params))

    return await _once(desk, params, request)


async def retry(desk: EditorSession, params: RetryParams) -> StartResult:
    """Repeat a search on the current text with additional guidance; it replaces the old one.

    Raises:
        KeyReused: The key belongs to another request.
        SearchNotFound: There is no such search, or the search of that request was dismissed.
        BadRequest: The example is invalid, or there is no such candidate.
        StaleText: The function has changed so that the candidate no longer fits.
    """

    async def request() -> tuple[Request, Located | None]:
        return await request_again(desk, await desk.search(params.search_id), params), None

    return await _once(desk, params, request, instead_of=params.search_id)


async def _once(
    desk: EditorSession,
    params: StartParams | RetryParams,
    asked: Callable[[], Awaitable[tuple[Request, Located | None]]],
    *,
    instead_of: str | None = None,
) -> StartResult:
    """Begin a search for a request, or find the one it has started already."""
    keys = desk.searches.keys
    wish = hashlib.sha256(params.model_dump_json(exclude={"key"}).encode()).hexdigest()
    known, found = keys.find(params.key, wish), None
    if known is None:
        request, found = await asked()
        # The same request may have come a second time while settings were awaited.
        known = keys.find(params.key, wish)
    if known is not None:
        live, new = await desk.search(known), False
    else:
        resolved = desk.searches.resolve(request)
        old = None if instead_of is None else await desk.search(instead_of)
        if old is not None and old.acceptance.successor is not None:
            raise SearchNotFound(f"search {old.id!r} is made again already, as search {old.acceptance.successor.id!r}")
        live, new = begin(desk, resolved, instead_of=old)
        keys.keep(params.key, wish, live.id)
    return StartResult(
        search_id=live.id,
        resumed=not new,
        state=state_of(live),
        base=base_of(desk, live),
        sentence="" if found is None else found.sentence,
    )


async def resume(desk: EditorSession, params: ResumeParams) -> StartResult:
    """Resume a stopped search; a running one is left alone.

    Raises:
        SearchNotFound: There is no such search.
        NotResumable: It was finished, another process has it, or its settings have changed.
        BrokenWorld: Its journal cannot be read.
    """
    live = await desk.search(params.search_id)
    request = live.resolved.request
    client = await desk.settings.of(desk.folder_of(request.document))
    # Another client may have resumed it while settings were awaited.
    was_running = live.running
    if not was_running:
        flags = {**(request.flags or {}), **(params.settings or {})}
        resolved = desk.searches.resolve(replace(request, client=client, flags=flags))
        resuming.resume(desk.searches, live, resolved, desk.loans)
    return StartResult(search_id=live.id, resumed=was_running, state=state_of(live), base=base_of(desk, live))


async def attach(desk: EditorSession, params: AttachParams) -> AttachResult:
    """Follow a search until it has ended; the search goes on if the client leaves."""
    live = await desk.search(params.search_id)
    if params.partial_result_token is None:
        await live.run.stopped.wait()
        rest = live.history.since(params.from_seq)
        return AttachResult.model_validate(
            {"events": rest, "last_seq": live.history.last, "state": state_of(live)}, from_attributes=True, by_name=True
        )
    stream = Stream(live, desk.window, params.partial_result_token, params.from_seq)
    await stream.follow(desk.searches.subscribe)
    await live.run.stopped.wait()
    return AttachResult(events=(), last_seq=live.history.last, state=state_of(live))


async def cancel(desk: EditorSession, params: SearchParams) -> CancelResult:
    """End a search; return after its processes are gone.

    Raises:
        CancelIncomplete: Some of its processes are left.
    """
    live = await desk.search(params.search_id)
    seconds = await desk.searches.cancel(live)
    assert live.state.stopped is not None  # it has ended, and that is how an end is told
    return CancelResult.model_validate(
        {"search_id": live.id, "outcome": live.state.stopped.outcome, "stopped_ms": round(seconds * 1000)}, by_name=True
    )


async def list_searches(desk: EditorSession, params: ListParams) -> ListResult:
    """Return a page of searches, restored ones of open documents included.

    Raises:
        BadRequest: The document or folder has no file.
        SearchNotFound: The search of the cursor is gone.
    """
    await desk.recalled()
    asked = list(_asked(desk, params))
    ids = [live.id for live in asked]
    if params.cursor is not None and params.cursor not in ids:
        raise SearchNotFound(f"there is no search {params.cursor!r} any more to go on from; list them from the start")
    first = 0 if params.cursor is None else ids.index(params.cursor) + 1
    shown = tuple(islice(asked, first, first + params.limit))
    more = first + params.limit < len(asked)
    return ListResult(
        searches=tuple(summary_of(desk, live) for live in shown), cursor=shown[-1].id if more and shown else None
    )


def _asked(desk: EditorSession, params: ListParams) -> Iterator[LiveSearch]:
    """Yield the searches about a document, below a folder, or all."""
    document, folder = (None if uri is None else desk.path_of(uri) for uri in (params.uri, params.folder))
    for live in desk.searches:
        about = document is None or live.document == document
        if about and (folder is None or live.document.is_relative_to(folder)):
            yield live


async def get(desk: EditorSession, params: SearchParams) -> GetResult:
    """Return the state of a search and its candidates."""
    live = await desk.search(params.search_id)
    return GetResult(search=summary_of(desk, live), candidates=tuple(ranked(live.state)))


async def forget(desk: EditorSession, params: SearchParams) -> ForgetResult:
    """Delete a search after its processes are gone; raises the errors of `cancel`."""
    live = await desk.search(params.search_id)
    desk.searches.erase(live)
    await desk.searches.cancel(live)
    return ForgetResult(search_id=live.id)
