"""What a user may choose about the journal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalOptions:
    """Whether searches are kept on the disk, and what of them.

    With `prompts` what language models are asked and what they write is kept too. `days` is how
    long a search is kept.
    """

    enabled: bool = True
    prompts: bool = False
    days: float = 30.0

    def __post_init__(self) -> None:
        if not self.days > 0:
            raise ValueError(f"journal.days must be more than 0, not {self.days}")
