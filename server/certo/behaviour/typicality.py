"""Typical calls: those with the properties that all observed calls have in common.

For an input that no caller would give, such as a lower limit above the upper one, no result is wrong. So properties of
all observed calls are taken for preconditions, as in Daikon (Ernst et al., "Dynamically discovering likely program
invariants", 2001). There are two kinds here: the order of numbers, and the classes of characters in texts. With many
calls, such as those of a property test, two more are no accident: that no number of an argument is negative or zero,
and that nothing is empty.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from certo.behaviour.call import RecordedCall

MIN_CALLS = 2
"""Minimum number of calls for common properties to count; fewer may have anything in common."""

MANY = 10
"""Number of calls from which on the absence of negative numbers or empty values in a place is no accident."""

Place = str | int


def is_typical(known: Sequence[RecordedCall]) -> Callable[[RecordedCall], bool]:
    """Return a predicate: true if a call is as typical as the known ones; with fewer than two, every call is."""
    broken = unusualness(known)
    return lambda call: not broken(call)


def unusualness(known: Sequence[RecordedCall]) -> Callable[[RecordedCall], int]:
    """Return a function that counts the properties common to the known calls that a call does not have."""
    if len(known) < MIN_CALLS:
        return lambda _: 0
    seen = [_numbers(call) for call in known]
    common = sorted(set.intersection(*(set(numbers) for numbers in seen)), key=str)
    ordered = [
        (low, high)
        for low, high in itertools.permutations(common, 2)
        if all(numbers[low] <= numbers[high] for numbers in seen)
    ]
    kinds = {_kind(character) for call in known for text in _texts(call) for character in text}
    least = _least(known) if len(known) >= MANY else {}

    def broken(call: RecordedCall) -> int:
        numbers = _numbers(call)
        beneath = {what for what, measure in _measures(call) if measure < least.get(what, measure)}
        there = ((numbers[low], numbers[high]) for low, high in ordered if low in numbers and high in numbers)
        # Not a number is in no order.
        unordered = [1 for low, high in there if not low <= high]
        new = {_kind(each) for text in _texts(call) for each in text} - kinds if kinds else set()
        return len(beneath) + len(unordered) + len(new)

    return broken


def _values(call: RecordedCall) -> Iterator[tuple[Place, Any]]:
    """Yield the literal arguments by place."""
    for place, text in call.values():
        try:
            yield place, ast.literal_eval(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue


def _numbers(call: RecordedCall) -> dict[Place, float]:
    return {place: value for place, value in _values(call) if type(value) in (int, float)}


def _least(known: Sequence[RecordedCall]) -> dict[tuple[Place, str], int]:
    """Return the minimum of each measure by kind and place."""
    least: dict[tuple[Place, str], int] = {}
    for call in known:
        for what, measure in _measures(call):
            least[what] = min(measure, least.get(what, measure))
    return least


def _measures(call: RecordedCall) -> Iterator[tuple[tuple[Place, str], int]]:
    """Yield the sign of each number in an argument, and the emptiness of the argument, by place."""
    for place, value in _values(call):
        if isinstance(value, str | list | tuple | set | dict):
            yield (place, "size"), min(1, len(value))
        for part in _parts(value):
            if type(part) in (int, float):
                yield (place, "sign"), (part > 0) - (part < 0)


def _texts(call: RecordedCall) -> Iterator[str]:
    """Yield every text in the arguments, at any depth."""
    return (part for _, value in _values(call) for part in _parts(value) if isinstance(part, str))


def _parts(value: Any) -> Iterator[Any]:
    """Yield a value and all values within it."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += value
        else:
            yield value


def _kind(character: str) -> str:
    """Return the class of a character; everything beyond ASCII is one class."""
    if not character.isascii():
        return "beyond ASCII"
    for kind, is_such in (("letter", str.isalpha), ("digit", str.isdigit), ("space", str.isspace)):
        if is_such(character):
            return kind
    return "sign"
