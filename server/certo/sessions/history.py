"""The history of one search: its events in order, for readers that come later or have fallen behind."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from certo.vocabulary.candidate import Origin
from certo.vocabulary.events import (
    CandidateDeclined,
    CandidateDrafted,
    CandidateProposed,
    CandidateRepeated,
    CandidateWritten,
    Event,
    SearchResumed,
    SearchStarted,
    SearchStopped,
)


class History:
    """The events of a search, without the drafts that later ones have replaced: numbers may be missing, never order.

    What a language model has written of an answer so far is one event, the last, which begins at its first character.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._drafts: dict[int, int] = {}
        self._answers: dict[int, CandidateWritten] = {}
        self._generator = ""
        self._ended = False

    @property
    def last(self) -> int:
        """The number of the last event; 0 when there is none yet."""
        return self._events[-1].seq if self._events else 0

    @property
    def newest(self) -> Event | None:
        """The last event; None when there is none yet."""
        return self._events[-1] if self._events else None

    @property
    def ended(self) -> bool:
        """True if the search has ended; later events are about candidates, edited or measured after that."""
        return self._ended

    def append(self, event: Event) -> None:
        """Take the next event; numbers grow."""
        match event:
            case CandidateDrafted(slot=slot):
                if slot in self._drafts:
                    self._drop(self._drafts[slot])
                self._drafts[slot] = event.seq
            case CandidateWritten(slot=slot):
                event = self._answers[slot] = self._whole(event)
            case CandidateDeclined(slot=slot):
                self._drop_draft(slot)
            case CandidateProposed(origin=origin) | CandidateRepeated(origin=origin):
                self._end_draft(origin)
            case SearchStarted():
                self._generator = event.generator
            case SearchResumed():
                self._ended = False
                # Drafts of the earlier run were never finished, and slots are used anew.
                for slot in {*self._drafts, *self._answers}:
                    self._drop_draft(slot)
            case SearchStopped():
                self._ended = True
            case _:
                pass
        self._events.append(event)

    def since(self, seq: int) -> tuple[Event, ...]:
        """Return the events with a greater number, in order."""
        return tuple(self._events[bisect_right(self._events, seq, key=_number) :])

    def _whole(self, written: CandidateWritten) -> CandidateWritten:
        """Return one event with the whole answer so far, in place of the one before."""
        before = self._answers.pop(written.slot, None)
        if before is None:
            return written
        self._drop(before.seq)
        return replace(written, at_character=0, text=before.text[: written.at_character] + written.text)

    def _end_draft(self, origin: Origin) -> None:
        """Drop the draft of a lane that got its candidate; what was made beside the lanes ends none."""
        if origin.generator == self._generator or not self._generator:
            self._drop_draft(origin.slot)

    def _drop_draft(self, slot: int) -> None:
        seq = self._drafts.pop(slot, None)
        if seq is not None:
            self._drop(seq)
        answer = self._answers.pop(slot, None)
        if answer is not None:
            self._drop(answer.seq)

    def _drop(self, seq: int) -> None:
        del self._events[bisect_left(self._events, seq, key=_number)]


def _number(event: Event) -> int:
    return event.seq
