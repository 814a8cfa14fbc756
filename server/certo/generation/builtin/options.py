"""Settings of the built-in generator."""

from __future__ import annotations

from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOptions:
    """Limits of the generator without a model.

    It stops at whichever of them comes first. All but `seconds` are the same on every machine; `seconds` is the
    backstop for work that takes time and no steps. The numbers of steps and candidates are those of a search of 60
    seconds; a longer one has proportionally more, of candidates at most three times as many. The generator also stops
    once it has a plausible candidate and others are long in coming.
    """

    seconds: float | None = option(
        None,
        "Seconds that the built-in generator may search, without the time it waits for a processor. Not set: all of "
        "`search.seconds` that is left, but for a part in which candidates are verified.",
        above=0,
    )
    steps: int = option(
        40_000_000,
        "Calls and iterations of loops that all its candidates together may take, for each minute of `search.seconds` "
        "and at least for one.",
        at_least=1,
    )
    candidates: int = option(
        20000,
        "The most edits and expressions that it tries in a minute; up to three times as many in more.",
        at_least=1,
    )
    plausible: int = option(
        24,
        "It stops after this many different candidates that pass the tests it runs itself. certo compares them, and "
        "shows at most five that behave differently.",
        at_least=1,
    )

    near_misses: bool = option(
        True,
        "With a language model: while it writes the next candidate, the built-in generator repairs those that fail "
        "tests. No call is needed to write an edit; criteria are asked as for any candidate.",
    )

    def __post_init__(self) -> None:
        check_bounds(self, "builtin")
