"""Outcome of a call: its message on the wire, and comparison of two outcomes."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal, get_args

from certo.vocabulary.records import dataclass

Kind = Literal["returns", "yields", "raises", "endless"]

NO_END = "does not come back"
_MAX_CHARACTERS = 300


def gives(words: str) -> str:
    """Return the words of an outcome as the end of a sentence: "gives 2", "raises KeyError: 'a'"."""
    return words if words.startswith(("raises ", "yields ", NO_END)) else f"gives {words}"


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The outcome of one call: how it ended and with which value, its output, and the arguments if it changed them.

    `state` is the result with all attributes within it, if that is more than `value`; `is_opaque` is True if part of it
    cannot be inspected.
    """

    kind: Kind
    value: str = ""
    printed: str = ""
    after: str = ""
    state: str = ""
    is_opaque: bool = field(default=False, compare=False)

    @property
    def error(self) -> str:
        """The name of the type of the raised exception."""
        return self.value.partition("\n")[0]

    @property
    def is_answer(self) -> bool:
        """True if the call returned a value, right or wrong."""
        return self.kind in ("returns", "yields")

    @property
    def words(self) -> str:
        """The result alone, in words for comparison with another."""
        match self.kind:
            case "endless":
                return NO_END
            case "raises":
                name, _, said = self.value.partition("\n")
                return _short(f"raises {name}: {said}" if said else f"raises {name}")
            case "yields":
                return _short(f"yields {self.value[1:-1]}" if self.value != "[]" else "yields nothing")
            case _:
                return _short(self.value)


def outcome(told: Any) -> CallOutcome | None:
    """Return the outcome in a message; None for a malformed one, as its sender shares a process with a candidate."""
    if not isinstance(told, Mapping):
        return None
    names = ("value", "printed", "after", "state")
    texts = {name: text for name in names if isinstance(text := told.get(name), str)}
    kind: Kind | None = next((kind for kind in get_args(Kind) if kind == told.get("kind")), None)
    if kind is None or len(texts) < len(names):
        return None
    return CallOutcome(kind, **texts, is_opaque=told.get("is_opaque") is True)


def differ(ours: CallOutcome, theirs: CallOutcome) -> bool:
    """True if a caller could distinguish them; of exceptions only the type counts, and what a process exits with."""
    if ours.kind == theirs.kind == "raises":
        return (ours.error, ours.state) != (theirs.error, theirs.state)
    return ours != theirs


def is_slight(ours: CallOutcome, theirs: CallOutcome) -> bool:
    """True if they differ only in what `==` ignores, or in the last digits: 1 and 1.0, 0.3 and 0.1 + 0.2."""
    if ours.kind != "returns" or replace(ours, value=theirs.value) != theirs:
        return False
    try:
        one, other = ast.literal_eval(ours.value), ast.literal_eval(theirs.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other)
    return bool(one == other)


def telling(ours: CallOutcome, theirs: CallOutcome) -> int:
    """Return a sort key for the information of a difference, most informative first: values first.

    Two values, then a value and no answer, then nearly equal values, and last two exceptions, of which hardly anyone
    can say which is right.
    """
    if is_slight(ours, theirs):
        return 2
    return (0, 1, 3)[2 - ours.is_answer - theirs.is_answer]


def told(*outcomes: CallOutcome) -> tuple[str, ...]:
    """Return texts of outcomes, different if these differ: of results, else of contents, output or arguments.

    Outcomes that a caller could not distinguish get the same text.
    """
    first = [next(number for number, one in enumerate(outcomes) if not differ(one, each)) for each in outcomes]
    # The last form covers differences beyond the end of the displayed text.
    for form in (_result, _held, _with_printed, _with_left, _with_both, lambda outcome: outcome.state or outcome.value):
        words = tuple(form(outcomes[number]) for number in first)
        if len(set(words)) == len(set(first)):
            break
    return _aligned(words)


def _aligned(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return excerpts of long texts from the same place, just before the first difference of any."""
    if max(map(len, words)) <= _MAX_CHARACTERS:
        return words
    places = enumerate(zip(*words, strict=False))
    alike = next((place for place, letters in places if len(set(letters)) > 1), min(map(len, words)))
    start = max(0, alike - _MAX_CHARACTERS // 2)
    return tuple(_short(f"…{one[start:]}" if start else one) for one in words)


def _result(outcome: CallOutcome) -> str:
    return outcome.words


def _held(outcome: CallOutcome) -> str:
    return replace(outcome, value=outcome.state or outcome.value).words


def _with_printed(outcome: CallOutcome) -> str:
    return f"{outcome.words}{_printing(outcome)}"


def _with_left(outcome: CallOutcome) -> str:
    return f"{outcome.words}{_leaving(outcome)}"


def _with_both(outcome: CallOutcome) -> str:
    return f"{outcome.words}{_printing(outcome)}{_leaving(outcome)}"


def _printing(outcome: CallOutcome) -> str:
    return f", printing {_short(repr(outcome.printed))}" if outcome.printed else ", printing nothing"


def _leaving(outcome: CallOutcome) -> str:
    return f", with its arguments then {_short(outcome.after)}" if outcome.after else ", with its arguments unchanged"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"
