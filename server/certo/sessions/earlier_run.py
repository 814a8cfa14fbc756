"""The parts of a previous run that a resumed search uses: its last event, its paid calls and its judged candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from certo.search.checkpoint import Checkpoint, checkpoint_from, numbers_of
from certo.search.emitter import EventEmitter, Listener
from certo.sessions.evidence.level import with_levels
from certo.sessions.live import Fresh, LiveSearch, Restored, Resumed
from certo.sessions.persistence.verdict_cache import JournalVerdictCache
from certo.sessions.receipts import JournalReceipts, reply_of
from certo.storage.journals import Journals
from certo.vocabulary.events import GeneratorReported, SearchResumed


def emitter_for(live: LiveSearch, listener: Listener) -> EventEmitter:
    """Return the emitter of a search's next run; it goes on from the last event, as long as the search had worked."""
    completed = partial(with_levels, live.state)
    match live.origin:
        case Fresh():
            return EventEmitter(live.id, listener, completed=completed)
        case Restored():
            return EventEmitter(live.id, listener, after=live.history.newest, completed=completed)
        case Resumed():
            after, seconds = live.history.newest, live.worked
            return EventEmitter(live.id, listener, after=after, seconds=seconds, completed=completed)


def tell_resumed(live: LiveSearch) -> None:
    """Emit that a search goes on, if it does, and with how much of its previous run."""
    match live.origin:
        case Resumed(previous=previous):
            live.run.emitter.emit(
                SearchResumed(
                    candidates=sum(row.scored for row in live.state.rows.values()),
                    answers=sum(reply_of(call) is not None for call in previous.calls),
                    lost=sum(not call.ended for call in previous.calls),
                )
            )
        case Fresh() | Restored():
            pass


def receipts_of(live: LiveSearch, journals: Journals | None) -> JournalReceipts | None:
    """Return the log of a search's paid calls, with the answers of its previous run; None without a journal."""
    if live.journal is None or journals is None:
        return None
    emitter = live.run.emitter

    def strange() -> None:
        message = "a question is not one that was paid for, because what it describes has changed; certo asks again"
        emitter.emit(GeneratorReported(message=message))

    calls = live.origin.previous.calls if isinstance(live.origin, Resumed) else ()
    return JournalReceipts(live.journal, live.id, journals.commit, calls, strange)


async def record_of_earlier(
    live: LiveSearch,
    memory: JournalVerdictCache | None,
    say: Callable[[str], None],
    *,
    rejected: Mapping[str, str],
) -> Checkpoint:
    """Return the checkpoint of the previous run, if all would be judged so now; store the fingerprint for the next.

    A candidate that passed and was `rejected` since would not pass now, so it is left out, to be judged again.
    """
    unjudged = Checkpoint(numbers=numbers_of(live.state))
    if live.journal is None or memory is None:
        return unjudged
    if not isinstance(live.origin, Resumed):
        memory.see(partial(live.journal.see, live.id))
        return unjudged
    previous = live.origin.previous
    if previous.fingerprint and await memory.fingerprint() == previous.fingerprint:
        live.origin = replace(live.origin, confirmed=True)
        # Verdicts hold only for the world they were reached in, and events before `since` may be of another one.
        record = checkpoint_from(live.state, live.history.since(previous.since), live.base)
        kept = (
            one for one in record.judged if not (one.attempt.report.passed and one.attempt.candidate.id in rejected)
        )
        return replace(record, judged=tuple(kept))
    if live.state.rows:
        say("judging again what was judged, for the project may have changed since")
    live.journal.see(live.id, await memory.fingerprint(), previous.last)
    return unjudged
