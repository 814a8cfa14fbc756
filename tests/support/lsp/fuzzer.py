"""Sends malformed messages to a daemon, and checks its reaction to each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from support.lsp.malformed_messages import Mutant, Taken
from support.lsp.peer import PATIENCE, Peer, Refusal, frame

PROBE = "certo/probe"
"""A method that no server knows: its refusal shows that all that came before it was looked at."""

OURS = -32603
"""JSON-RPC's code for a failure of the server's own."""


@dataclass(slots=True)
class Tally:
    """Counts of the reactions; `slowest` is the longest time until an answer, in seconds, with its message."""

    taken: Counter[Taken] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")


async def put(peer: Peer, messages: Iterable[Mutant]) -> Tally:
    """Send messages one after the other, each after the reaction to the one before it."""
    tally = Tally()
    for number, mutant in enumerate(messages):
        began, heard = time.perf_counter(), len(peer.received)
        try:
            wrong = _wrong(mutant, await _taken(peer, mutant, f"probe-{number}"), peer.received[heard:])
        except TimeoutError:
            wrong = f"no answer, or no life after it, within {PATIENCE:g} s"
        tally.slowest = max(tally.slowest, (time.perf_counter() - began, mutant.about))
        if wrong:
            tally.failed.append(f"{mutant.about}: {wrong}: {mutant.sent[:300]!r}")
        if "Traceback" in peer.log:
            tally.failed.append(f"{mutant.about}: a traceback in the log: {peer.log[-1000:]}")
        tally.taken[mutant.taken] += 1
        peer.forget()
    return tally


async def _taken(peer: Peer, mutant: Mutant, probe: str) -> Refusal | None:
    """Send one message and a probe, and wait for both answers; return the refusal of the message, if any."""
    peer.expect(probe)
    if mutant.id:
        peer.expect(mutant.id)
    await peer.send_bytes(mutant.sent + frame({"jsonrpc": "2.0", "id": probe, "method": PROBE}))
    await peer.refusal(probe)
    if mutant.id:
        try:
            await peer.answer(mutant.id)
        except Refusal as refusal:
            return refusal
    return None


def _wrong(mutant: Mutant, refusal: Refusal | None, heard: list[dict[str, Any]]) -> str:
    """Return the error in the reaction to a message, or ""."""
    nameless = [each for each in heard if "error" in each and each["id"] is None]
    if refusal is not None and refusal.code == OURS:
        return f"a failure of our own: {refusal}"
    if bool(nameless) is not (mutant.taken is Taken.NAMELESS):
        return "answered though it is none to answer" if nameless else "not answered"
    bug = next((each for each in heard if "internal error" in str(each.get("params"))), None)
    return f"a bug of our own: {bug}" if bug else ""
