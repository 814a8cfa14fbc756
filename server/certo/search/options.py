"""The options of a search."""

from __future__ import annotations

from typing import Literal

from certo.plugins import PROGRAM_RESERVED, names_installed_code
from certo.vocabulary.cost import Budget
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

MAX_CALLS = 200
"""How many calls of language models a search may make by default: far more than most searches need, and far fewer than
a stranger's project could ask for with many criteria and samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The parts of one search and its budget."""

    strategy: str = option(
        "auto",
        "Decides what to try next. `auto`, `retry`, `best_of` and `mcts` work with every generator; `linear_search`, "
        "`llm_tree_search` and `fixer` gain most from a language model.",
        reserved=PROGRAM_RESERVED,
        project_may=names_installed_code,
    )
    generator: str = option(
        "builtin",
        "Proposes the candidates. `builtin` needs no model, no account and no network; `model` lets a language model "
        "write them.",
        reserved=PROGRAM_RESERVED,
        project_may=names_installed_code,
    )
    scope: Literal["function", "files"] = option(
        "function",
        "The code a candidate may change. `function` is the target only. `files` adds other Python files of the "
        "project, though never its tests; then all tests of the project judge it, not only those that reach the "
        "target. The built-in generator always changes the target only.",
    )
    candidates: int = option(64, "The most candidates that one search may judge.", at_least=1)
    seconds: float = option(
        60.0,
        "Seconds that one search may take, preparation included. Time in which other programs hold the processors, or "
        "earlier searches go first, does not count; by the clock, a search may run ten times as long.",
        above=0,
    )
    calls: int | None = option(
        MAX_CALLS,
        "The most calls of language models that one search may make. Not set: no limit. A project's file may choose "
        f"{MAX_CALLS} or fewer.",
        at_least=0,
        owner="user",
        reserved=f"have more than {MAX_CALLS} calls made, which you pay for",
        project_may=lambda calls: calls is not None and calls <= MAX_CALLS,
    )
    tokens: int | None = option(
        None, "The most tokens that language models may read and write in one search. Not set: no limit.", at_least=0
    )
    dollars: float | None = option(
        None,
        "The most dollars that one search may cost. Not set: no limit. With a limit, no model is asked whose price is "
        "unknown.",
        at_least=0,
    )
    stop_at_score: float | None = option(
        None,
        "For strategies that compare candidates by score: continue until one that passes has this score. Not set: stop "
        "at the first that passes.",
    )
    evaluator: str = option(
        "",
        "Scores candidates: an evaluator from an installed package (entry points `certo.evaluators`), by name or as "
        "`module:attribute`. A project's file may only give a name. Empty: the score is the share of checks that a "
        "candidate passed.",
        reserved=PROGRAM_RESERVED,
        project_may=names_installed_code,
    )
    maximize: bool = option(True, "Higher values of the evaluator are better; with `false`, lower ones are.")
    evaluator_policy: Literal["record", "raise"] = option(
        "record",
        "If the evaluator fails or returns no finite number: `record` reports it and leaves the score unknown, `raise` "
        "ends the search.",
    )
    record: str | None = option(
        None,
        "A file to which certo writes every question to a language model and its answer, as lines of JSON.",
        owner="user",
        reserved="choose a file that certo writes",
    )
    replay: str | None = option(
        None,
        "A file that `search.record` has written. The same questions are answered from it, without a model or a "
        "network.",
        owner="user",
        reserved="choose a file that certo reads",
    )
    full_report: bool = option(False, "Run every check on a candidate even after one has failed it.")
    compact: bool = option(
        False,
        "Make the winner smaller: leave out changes that its checks do not need, and format the target with the "
        "project's ruff. Each step is a candidate of its own, judged like any other.",
    )
    seed: int = option(
        0,
        "Seeds every random choice of the generator. The same seed gives the same answer, if a language model honours "
        "it.",
    )

    def __post_init__(self) -> None:
        check_bounds(self, "search")
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
