"""What is found around a project, said as facts: what each is about, how it stands, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Health(Enum):
    """How one thing stands: as it should, usable but less than it could be, or in the way of any search."""

    GOOD = "good"
    LACKING = "lacking"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that was found: what it is about, how it stands, and what there is to say.

    `details` are further sentences for whoever wonders why. `remedy` is a command to run, or a sentence on what to do,
    when something is missing; empty when nothing is.
    """

    subject: str
    health: Health
    says: str
    details: tuple[str, ...] = ()
    remedy: str = ""
