"""What a search that goes on has of its earlier run: its place among the events, its receipts, and what it judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from anyio.abc import TaskGroup

from certo.search.checkpoint import NO_RECORD, Checkpoint, checkpoint_from
from certo.search.emitter import EventEmitter, Listener
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.verdict_cache import JournalVerdictCache
from certo.sessions.receipts import JournalReceipts, reply_of
from certo.storage.journals import Journals
from certo.vocabulary.events import GeneratorReported, SearchResumed


def emitter_for(live: LiveSearch, listener: Listener) -> EventEmitter:
    """How a search speaks when it begins to run; one that goes on does so after its last event, and says it first."""
    if live.earlier is None:
        return EventEmitter(live.id, listener)
    last = live.history.since(live.history.last - 1)
    emitter = EventEmitter(live.id, listener, after=last[-1] if last else None, seconds=live.worked)
    calls = live.earlier.calls
    emitter.emit(
        SearchResumed(
            candidates=sum(row.scored for row in live.state.rows.values()),
            answers=sum(reply_of(call) is not None for call in calls),
            lost=sum(not call.ended for call in calls),
        )
    )
    return emitter


def receipts_of(live: LiveSearch, emitter: EventEmitter, journals: Journals | None) -> JournalReceipts | None:
    """Where it is written what its models took, and where answers that were paid for are; None without a journal."""
    if live.journal is None or journals is None:
        return None

    def strange() -> None:
        message = "a question differs from those that were paid for, as what it tells of has changed; it is asked anew"
        emitter.emit(GeneratorReported(message=message))

    calls = live.earlier.calls if live.earlier is not None else ()
    return JournalReceipts(live.journal, live.id, journals.commit, calls, strange)


async def record_of_earlier(
    live: LiveSearch,
    memory: JournalVerdictCache | None,
    beside: TaskGroup,
    say: Callable[[str], None],
    *,
    rejected: Mapping[str, str],
) -> Checkpoint:
    """What the earlier run has judged, as far as it would be judged so now; and the world is kept for the next run.

    A candidate that passed and was `rejected` since would not pass now, so it is left out, to be judged again.
    """
    if live.journal is None or memory is None:
        return NO_RECORD
    if live.earlier is None:
        beside.start_soon(_see, live, memory)
        return NO_RECORD
    if live.earlier.context and await memory.fingerprint() == live.earlier.context:
        live.recalled = False
        record = checkpoint_from(live.state, live.history.since(live.earlier.since), live.base)
        kept = (
            one for one in record.judged if not (one.attempt.report.passed and one.attempt.candidate.id in rejected)
        )
        return replace(record, judged=tuple(kept))
    if live.state.rows:
        say("judging again what was judged, for the project may have changed since")
    live.journal.see(live.id, await memory.fingerprint(), live.earlier.last)
    return NO_RECORD


async def _see(live: LiveSearch, memory: JournalVerdictCache) -> None:
    context = await memory.fingerprint()
    if live.journal is not None and context:
        live.journal.see(live.id, context)
