"""The events of a search reach each client in order, each once, and cost nothing while it does not read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
from anyio.lowlevel import checkpoint
from hypothesis import given, settings
from hypothesis import strategies as st

from certo.daemon.writer import FULL
from certo.features.extensions.event_stream import Stream
from certo.protocol.events import encode
from certo.sessions.subscribers import Hear
from certo.vocabulary.candidate import Origin
from certo.vocabulary.events import (
    CandidateDrafted,
    CandidateProposed,
    CandidateWritten,
    Event,
    GeneratorReported,
    SearchStopped,
)
from support.lsp.paused_client import Reader, reader
from support.search.events import told
from support.search.live_searches import live_search

TOKEN = "events-1"


class Source:
    """A search whose events a test sends: each is recorded first and then told to subscribers."""

    def __init__(self) -> None:
        self.live = live_search(events=0)
        self._hearing: list[Hear] = []
        self._untold: list[Event] = []

    def subscribe(self, hear: Hear) -> Callable[[], None]:
        self._hearing.append(hear)
        return partial(self._hearing.remove, hear)

    def know(self, event: Event) -> None:
        """Record an event without telling subscribers."""
        self.live.state.apply(event)
        self._untold.append(event)

    def tell(self) -> None:
        """Tell subscribers what was recorded."""
        for event in self._untold:
            self.live.history.append(event)
            for hear in tuple(self._hearing):
                hear(self.live, event)
        self._untold.clear()
        if self.live.state.stopped is not None:
            self.live.run.stopped.set()

    @property
    def hearing(self) -> int:
        return len(self._hearing)


def finished() -> Source:
    source = Source()
    for event in told():
        source.know(event)
    source.tell()
    return source


async def followed(source: Source, seq: int) -> list[dict[str, Any]]:
    async with reader() as client:
        await Stream(source.live, client.window, TOKEN, seq).follow(source.subscribe)
        while client.read():
            pass
        return client.events(TOKEN)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=3))
def test_streams_continue_from_any_number(numbers: list[int]) -> None:

    async def run() -> None:
        source = finished()
        whole = [encode(event) for event in source.live.history.since(0)]
        assert len(whole) > 10
        for seq in numbers:
            rest = await followed(source, seq)
            assert rest == [event for event in whole if event["seq"] > seq]
        assert source.hearing == 0

    anyio.run(run)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(0, 12))
def test_late_clients_miss_no_event_or_text(steps: list[int], late: int) -> None:
    """Some events are known before they are told, one client is there from the start and one comes late."""

    async def run() -> None:
        source, texts = Source(), ["", ""]
        async with reader() as first, reader() as second:
            async with anyio.create_task_group() as group:
                group.start_soon(Stream(source.live, first.window, TOKEN, 0).follow, source.subscribe)
                await checkpoint()
                for seq, step in enumerate(steps, 1):
                    if seq == late:
                        group.start_soon(Stream(source.live, second.window, TOKEN, 0).follow, source.subscribe)
                        await checkpoint()
                    slot, told_now = step % 2, step < 2
                    event = written(seq, slot, len(texts[slot]), f"{seq} ")
                    texts[slot] += event.text
                    source.know(event)
                    if told_now:
                        source.tell()
                        await checkpoint()
                source.know(stopped(len(steps) + 1))
                source.tell()
            for client in (first, second) if 0 < late <= len(steps) else (first,):
                assert put_together(client) == texts

    anyio.run(run)


def written(seq: int, slot: int, at: int, text: str) -> CandidateWritten:
    common = {"seq": seq, "search": "5eac", "at": 0.1, "attempt": 0, "model": "m"}
    return CandidateWritten(**common, slot=slot, at_character=at, text=text)


def stopped(seq: int) -> SearchStopped:
    last = told()[-1]
    assert isinstance(last, SearchStopped)
    return SearchStopped(
        seq=seq, search="5eac", at=9.0, outcome=last.outcome, reason="", verified=False, winner=None, spent=last.spent
    )


def put_together(client: Reader) -> list[str]:
    """Return the text of each answer as a client puts it together; it must come in order and without a gap."""
    while client.read():
        pass
    texts, last = ["", ""], 0
    for event in client.events(TOKEN):
        assert event["seq"] > last
        last = event["seq"]
        if event["type"] == "candidate.written":
            before = texts[event["slot"]]
            assert event["atCharacter"] <= len(before)
            texts[event["slot"]] = before[: event["atCharacter"]] + event["text"]
    return texts


def busy_event(seq: int) -> Event:
    """The events of a search that tells much: reports, drafts, and candidates with large diffs."""
    common: dict[str, Any] = {"seq": seq, "search": "5eac", "at": seq / 100}
    match seq % 4:
        case 0:
            return GeneratorReported(**common, message=f"tried {seq}")
        case 1 | 2:
            return CandidateDrafted(**common, slot=0, attempt=0, model="m", lines=seq, diff="+" * 1000)
    origin = Origin(generator="m", note="", slot=1)
    return CandidateProposed(
        **common, candidate_id=f"c{seq}", parent=None, origin=origin, edits=(), diff="+" * 4000, hunks=()
    )


async def test_slow_client_is_bounded_then_catches_up() -> None:
    """It never owes more than its bound; then it gets the events that count."""
    source = Source()
    many = 2000
    async with reader() as client, reader() as other, anyio.create_task_group() as group:
        group.start_soon(other.read_on)
        for one in (client, other):
            group.start_soon(Stream(source.live, one.window, TOKEN, 0).follow, source.subscribe)
        await checkpoint()
        waiting = 0
        for seq in range(1, many):
            source.know(busy_event(seq))
            source.tell()
            await checkpoint()
            waiting = max(waiting, client.outbox.waiting)
        source.know(stopped(many))
        source.tell()
        assert FULL < waiting < FULL + 50_000, "it was full, and no more than one more message was added"
        await other.has_read(TOKEN, many)
        assert [event["seq"] for event in other.events(TOKEN)] == list(range(1, many + 1)), "nobody waits for it"
        group.start_soon(client.read_on)
        await client.has_read(TOKEN, many)
        group.cancel_scope.cancel()
    seen = [event["seq"] for event in client.events(TOKEN)]
    assert seen == sorted(set(seen))
    owed = {seq for seq in range(1, many) if isinstance(busy_event(seq), CandidateProposed)} | {many}
    assert owed <= set(seen)
    assert len(seen) < many
