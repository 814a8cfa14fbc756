"""The options of the journal."""

from __future__ import annotations

from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalOptions:
    """The storage of searches on the disk: how much of them is kept, and for how long."""

    enabled: bool = option(True, "Keep the events of searches on this machine, so that a restart loses none of them.")
    prompts: bool = option(False, "Also keep the prompts for language models and their answers.")
    days: float = option(30.0, "Days for which a search is kept.", above=0)

    def __post_init__(self) -> None:
        check_bounds(self, "journal")
