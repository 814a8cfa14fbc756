"""What a user says of a candidate that was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a user thinks of a candidate: `ruling` is accepted, undone, rejected or edited.

    A retry heeds what was rejected; undone is what had been accepted, and does not stand in the text any more.
    """

    candidate_id: str
    ruling: str
    note: str = ""
