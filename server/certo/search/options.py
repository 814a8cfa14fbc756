"""The options of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from certo.vocabulary.cost import Budget

MAX_CALLS = 200
"""The default for `calls`: far more than most searches need, and far fewer than somebody else's project could cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The strategy, the generator and the budget of a search, and what it does with candidates.

    `candidates` is how many may be judged, `seconds` how long the search may take from its start to its end,
    preparation included. `calls`, `tokens` and `dollars` are what it may have of language models; None is as much
    as it likes. `scope` says whether a candidate may change other files besides its function. `record` is a file to
    which every question put to a model goes with its answer, `replay` one from which they are answered instead. With
    `stop_at_score` a strategy that grows a tree goes on until a candidate that passes has this score. `evaluator` names
    what scores candidates, of which more is better where `maximize`; what becomes of one that fails is its
    `evaluator_policy`. `full_report` asks every verifier even after one has failed. `compact` leaves out of the winner
    what its checks do not need. `seed` makes every random choice of the generator; the same seed gives the same answer.
    """

    strategy: str = "auto"
    generator: str = "builtin"
    scope: Literal["function", "files"] = "function"
    candidates: int = 64
    seconds: float = 60.0
    calls: int | None = MAX_CALLS
    tokens: int | None = None
    dollars: float | None = None
    stop_at_score: float | None = None
    evaluator: str = ""
    maximize: bool = True
    evaluator_policy: Literal["record", "raise"] = "record"
    record: str | None = None
    replay: str | None = None
    full_report: bool = False
    compact: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise ValueError(f"search.candidates must be at least 1, not {self.candidates}")
        if not self.seconds > 0:
            raise ValueError(f"search.seconds must be more than 0, not {self.seconds}")
        for name in ("calls", "tokens", "dollars"):
            if (amount := getattr(self, name)) is not None and amount < 0:
                raise ValueError(f"search.{name} must not be less than 0, and is {amount}")
        if self.record is not None and self.replay is not None:
            raise ValueError("search.record and search.replay contradict each other: what is replayed asks no model")

    @property
    def budget(self) -> Budget:
        """The budget of one search."""
        return Budget(
            candidates=self.candidates,
            seconds=self.seconds,
            calls=self.calls,
            tokens=self.tokens,
            dollars=self.dollars,
        )
