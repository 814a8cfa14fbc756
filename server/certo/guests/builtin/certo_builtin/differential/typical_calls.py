"""Typical calls: those with the properties that all observed calls have in common.

What no caller gives, such as a lower limit above the upper one, is probably no input at all. So what all observed calls
have in common is taken for a precondition (Ernst et al., "Dynamically discovering likely program invariants", 2001):
the order of numbers and of lists, the types in each place, the kinds of characters; and with many calls also the
absence of negative numbers and of empty values.
"""

from __future__ import annotations

import itertools
from typing import Any, Dict, FrozenSet, Iterator, List, Sequence, Set, Tuple

from certo_builtin.inputs.unusual import is_far_fetched
from certo_builtin.inputs.variants import MISSING, literal

MIN_CALLS = 2
MANY = 10
"""Number of calls from which on the absence of a property is no accident."""

Values = Dict[Any, Any]
"""The literal arguments of a call by place or name."""


def values_of(call: Dict[str, Any]) -> Values:
    """Return the literal arguments of a call."""
    found = {place: literal(text) for place, text in enumerate(call["arguments"])}
    found.update((name, literal(text)) for name, text in call["named"].items())
    return {place: value for place, value in found.items() if value is not MISSING}


def _holds_infinity(call: Dict[str, Any]) -> bool:
    """True if a call has an infinity, or what is no number, which are no literals."""
    return any("float('" in text for text in (*call["arguments"], *call["named"].values()))


class TypicalCalls:
    """Properties that all observed calls have in common."""

    def __init__(self, known: Sequence[Dict[str, Any]]) -> None:
        seen = [values_of(call) for call in known]
        self._is_known = len(seen) >= MIN_CALLS
        self._holds_infinity = any(map(_holds_infinity, known))
        traits = [frozenset(_traits(values)) for values in seen]
        self._common: FrozenSet[Any] = frozenset.intersection(*traits) if traits else frozenset()
        if len(seen) < MANY:
            self._common = frozenset(trait for trait in self._common if trait[0] not in ("positive", "filled"))
        self._characters = {_kind(one) for values in seen for text in _texts(values) for one in text}
        self._types: Dict[Any, Set[type]] = {}
        for values in seen:
            for place, value in values.items():
                self._types.setdefault(place, set()).add(type(value))

    def include(self, call: Dict[str, Any]) -> bool:
        """True if a call has all that the observed ones have in common; with fewer than two, unless far-fetched."""
        values = values_of(call)
        if not self._holds_infinity and _holds_infinity(call):
            return False
        if not self._is_known:
            return not any(is_far_fetched(part) for value in values.values() for part in _parts(value))
        if any(type(value) not in self._types.get(place, {type(value)}) for place, value in values.items()):
            return False
        own = frozenset(_traits(values))
        if any(trait not in own for trait in self._common if all(place in values for place in trait[1:])):
            return False
        return not self._characters or all(_kind(one) in self._characters for text in _texts(values) for one in text)


def _traits(values: Values) -> Iterator[Tuple[Any, ...]]:
    """Yield the properties of a call's arguments: each a name, and the places it is about."""
    numbers = {place: value for place, value in values.items() if type(value) in (int, float)}
    for low, high in itertools.permutations(numbers, 2):
        if numbers[low] <= numbers[high]:
            yield "order", low, high
    for place, value in values.items():
        parts = list(_parts(value))
        found = [part for part in parts if type(part) in (int, float)]
        if all(part > 0 for part in found):
            yield "positive", place
        if all(part >= 0 for part in found):
            yield "natural", place
        if isinstance(value, (str, list, tuple, set, dict)) and value:
            yield "filled", place
        if isinstance(value, (list, tuple)) and _is_sorted(value):
            yield "sorted", place


def _is_sorted(value: Any) -> bool:
    try:
        return list(value) == sorted(value)
    except TypeError:
        return False


def _texts(values: Values) -> List[str]:
    return [part for value in values.values() for part in _parts(value) if type(part) is str]


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for pair in value.items():
            for one in pair:
                yield from _parts(one)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _parts(one)
    else:
        yield value


def _kind(character: str) -> str:
    """Return the class of a character; everything beyond ASCII is one class."""
    if ord(character) > 127:
        return "beyond ASCII"
    for kind, is_such in (("letter", str.isalpha), ("digit", str.isdigit), ("space", str.isspace)):
        if is_such(character):
            return kind
    return "sign"
