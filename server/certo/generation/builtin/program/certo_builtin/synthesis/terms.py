"""Terms: expressions together with the values they have on the examples."""

from __future__ import annotations

from typing import Any, FrozenSet, NamedTuple, Optional, Tuple

# How tightly an expression binds, loosest first: what may stand where without parentheses.
LOOSE, COMPARED, SUM, PRODUCT, POWER, ATOM = range(6)

LONGEST_TEXT = 400
LONGEST_LIST = 200
LARGEST_NUMBER = 10**15


class Term(NamedTuple):
    """An expression: its text, its value on each example, its cost, how tightly it binds, the kinds of its values."""

    text: str
    values: Tuple[Any, ...]
    cost: int
    level: int
    kinds: FrozenSet[str]

    def at(self, level: int) -> str:
        """The text, in parentheses where something binding at least so tightly must stand."""
        return self.text if self.level >= level else "({})".format(self.text)


def is_small(value: Any) -> bool:
    """Whether a value is worth keeping."""
    if isinstance(value, (bool, type(None))):
        return True
    if isinstance(value, (int, float)):
        return -LARGEST_NUMBER < value < LARGEST_NUMBER
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT
    return not isinstance(value, (list, tuple, set, dict)) or len(value) <= LONGEST_LIST


def _kinds_of(value: Any) -> FrozenSet[str]:
    """Every kind that a value is of; the names are those that components ask for."""
    kinds = {"any", type(value).__name__}
    if type(value) in (int, float):
        kinds.add("number")
        if type(value) is int and 0 <= value <= LONGEST_LIST:
            kinds.add("count")
    if type(value) in (str, list, tuple):
        kinds.add("sequence")
    if type(value) in (str, list, tuple, set, dict):
        kinds.add("collection")
        if value:
            kinds.add("some")
            if type(value) in (str, list, tuple):
                kinds.add("some sequence")
        inner = {type(one) for one in value}
        kinds.update(("numbers", "some numbers") if inner and inner <= {int, float} else ())
        kinds.update(("texts",) if inner <= {str} and type(value) is not str else ())
        kinds.update(("numbers",) if not inner and type(value) is not str else ())
        kinds.update(("lists",) if inner and inner <= {list, tuple} else ())
    return frozenset(kinds)


def kinds_of(values: Tuple[Any, ...]) -> FrozenSet[str]:
    """The kinds that all of the values are of."""
    return frozenset.intersection(*(_kinds_of(value) for value in values))


def fingerprint(values: Tuple[Any, ...]) -> Optional[str]:
    """What makes two terms the same to an observer of the examples; None when the values cannot be shown."""
    try:
        return repr([(type(value).__name__, value) for value in values])
    except Exception:  # a project's own __repr__ may raise
        return None


def agrees(value: Any, expected: Any) -> bool:
    """Whether a value is what an example wants; a float need only be near, and an int may stand for one."""
    try:
        if isinstance(value, float) or isinstance(expected, float):
            if type(value) not in (int, float) or type(expected) is not float:
                return False
            return bool(abs(value - expected) <= 1e-6 * max(1.0, abs(expected)))
        return type(value) is type(expected) and bool(value == expected)
    except Exception:  # a project's own __eq__ may raise
        return False
