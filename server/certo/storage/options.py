"""Settings of the journal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalOptions:
    """Storage of searches on disk.

    With `prompts`, prompts and answers of language models are stored too. `days` is how long a search is kept.
    """

    enabled: bool = True
    prompts: bool = False
    days: float = 30.0

    def __post_init__(self) -> None:
        if not self.days > 0:
            raise ValueError(f"journal.days must be more than 0, not {self.days}")
