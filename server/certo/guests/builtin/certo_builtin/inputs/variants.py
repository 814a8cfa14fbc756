"""Values near another one, and simpler ones, written as expressions.

A value that is no literal, such as a call of a constructor, is varied in the literals within it.
"""

from __future__ import annotations

import ast
import math
from typing import Any, Callable, Dict, Iterable, Iterator, NamedTuple, Optional, Set, Tuple

from certo_builtin.inputs.unusual import lengths_near

MAX_CHANGED = 8
"""Maximum number of elements of a collection, or characters of a text, that are changed one at a time."""

NUMBERS = (0, 1, -1, 2, 3, 10, 100)
FRACTIONS = (0.0, 1.0, 0.5, -1.0, 1.5, 0.1, -0.0, math.inf, math.nan)
CHARACTERS = ("a", "b", " ", "A", "0", "é", "\n")


class Words(NamedTuple):
    """The constants of the code under test: numbers with their neighbours, texts, and the characters of these.

    `large` numbers are no sizes that can be tried freely; `lengths` are those next to numbers in the code.
    """

    numbers: Tuple[int, ...] = ()
    large: Tuple[int, ...] = ()
    lengths: Tuple[int, ...] = ()
    fractions: Tuple[float, ...] = ()
    texts: Tuple[str, ...] = ()
    alphabet: Tuple[str, ...] = CHARACTERS


class _Missing:
    """The value of an expression that is no literal."""


MISSING = _Missing()


def literal(text: str) -> Any:
    """Return the value of a literal; MISSING if the expression is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return MISSING


def expression(value: Any) -> str:
    """Return a literal value as an expression."""
    kind = type(value)
    if kind is float and not math.isfinite(value):
        return "float({!r})".format(str(value))
    if kind is list:
        return "[" + ", ".join(map(expression, value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(map(expression, value)) + ("," if len(value) == 1 else "") + ")"
    if kind is set:
        return "{" + ", ".join(sorted(map(expression, value))) + "}" if value else "set()"
    if kind is dict:
        return "{" + ", ".join("{}: {}".format(expression(key), expression(one)) for key, one in value.items()) + "}"
    return repr(value)


Change = Callable[[Any], Iterable[Any]]


def near(text: str, words: Words) -> Iterator[str]:
    """Yield expressions near one, all different from it."""
    return _changed(text, lambda value: _near(value, words))


def simpler(text: str) -> Iterator[str]:
    """Yield shorter or simpler expressions of the same kind, roughly the simplest first."""
    return (one for one in _changed(text, _simpler) if (len(one), one) < (len(text), text))


def _changed(text: str, change: Change) -> Iterator[str]:
    seen = {text}
    for made in _with_changes(text, change):
        if made not in seen:
            seen.add(made)
            yield made


def _with_changes(text: str, change: Change) -> Iterator[str]:
    value = literal(text)
    if value is not MISSING:
        yield from map(expression, change(value))
        return
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    # Columns count bytes.
    content = text.encode("utf-8")
    for start, end, inner in _literals(tree):
        for made in change(inner):
            yield (content[:start] + expression(made).encode("utf-8", "backslashreplace") + content[end:]).decode(
                "utf-8"
            )


def _literals(node: ast.AST) -> Iterator[Tuple[int, int, Any]]:
    """Yield the largest literals within an expression of one line: where each begins and ends, and its value."""
    if isinstance(node, ast.expr) and not isinstance(node, (ast.Name, ast.Attribute)):
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
        else:
            if node.end_col_offset is not None and node.lineno == node.end_lineno == 1:
                yield node.col_offset, node.end_col_offset, value
            return
    for child in ast.iter_child_nodes(node):
        yield from _literals(child)


def _near(value: Any, words: Words) -> Iterator[Any]:
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int:
        yield from (value + 1, value - 1, -value, value * 2, value // 2, *NUMBERS, *words.numbers)
    elif kind is float:
        yield from (-value, value + 1, value / 2, *FRACTIONS, *words.fractions)
    elif kind is str:
        yield from _near_text(value, words)
    elif kind is bytes:
        yield from (b"", value[1:], value[:-1], value + value, value[::-1], value + b"a", b"\x00", b"\xff")
    elif kind in (list, tuple):
        yield from _near_sequence(value, words)
    elif kind is set:
        yield from map(set, _near_sequence(sorted(value, key=expression), words, is_set=True))
    elif kind is dict:
        yield from _near_pairs(value, words)


def _near_text(value: str, words: Words) -> Iterator[str]:
    yield from ("", value[:-1], value[1:], value + value, value[::-1], value.upper(), value.lower(), value.swapcase())
    yield from (" " + value, value + " ", value + "\n", value.replace(" ", "  "), value + value[-1:])
    for character in words.alphabet:
        yield from (character + value, value + character, value[:1] + character + value[2:])
    for text in words.texts:
        yield from (text, text + value, value + text)
    if value:
        yield from ((value * length)[:length] for length in words.lengths)


def _near_sequence(value: Any, words: Words, is_set: bool = False) -> Iterator[Any]:
    kind = type(value)
    elements = list(value)
    yield kind(())
    for place in range(min(len(elements), MAX_CHANGED)):
        yield kind(elements[:place] + elements[place + 1 :])
    if elements and not is_set:
        yield from (kind(elements[::-1]), kind(elements + elements), kind(elements + elements[:1]))
        yield from (kind(elements[-1:] + elements), kind(elements[:1] * 3), kind(elements[1:] + elements[:1]))
        ordered = sorted(elements, key=_order)
        yield from (kind(ordered), kind(ordered[::-1]))
        for place in range(min(len(elements), MAX_CHANGED)):
            yield kind(elements[: place + 1] + elements[place:])
        yield from (kind((elements * length)[:length]) for length in words.lengths)
    for place in range(min(len(elements), MAX_CHANGED)):
        for made in _near(elements[place], words):
            if not is_set or _is_hashable(made):
                yield kind([*elements[:place], made, *elements[place + 1 :]])


def _near_pairs(value: Any, words: Words) -> Iterator[Any]:
    pairs = list(value.items())
    yield {}
    yield dict(pairs[::-1])
    for place, (key, one) in enumerate(pairs[:MAX_CHANGED]):
        rest = pairs[place + 1 :]
        yield dict(pairs[:place] + rest)
        for made in _near(one, words):
            yield dict([*pairs[:place], (key, made), *rest])
        for made in _near(key, words):
            if _is_hashable(made):
                yield dict([*pairs[:place], (made, one), *rest])


def _order(value: Any) -> Tuple[str, Any]:
    kind = type(value)
    if kind in (bool, int, float):
        return "", value
    return kind.__name__, expression(value)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _simpler(value: Any) -> Iterator[Any]:
    found: Optional[Change] = _SIMPLER.get(type(value))
    return iter(()) if found is None else iter(found(value))


def _simpler_number(value: int) -> Iterator[int]:
    return (one for one in (0, 1, -1, 2, value // 2, abs(value) - 1, -value) if abs(one) <= abs(value))


def _simpler_fraction(value: float) -> Iterator[float]:
    yield from (0.0, 1.0)
    if math.isfinite(value):
        yield from (float(round(value)), round(value, 1))


def _simpler_text(value: str) -> Iterator[str]:
    yield from _shorter(value, "")
    for place in range(min(len(value), MAX_CHANGED)):
        if value[place] not in "a ":
            yield value[:place] + "a" + value[place + 1 :]


def _simpler_sequence(value: Any) -> Iterator[Any]:
    kind = type(value)
    yield from _shorter(value, kind(()))
    for place, element in enumerate(value[: 2 * MAX_CHANGED]):
        for made in _simpler(element):
            yield kind((*value[:place], made, *value[place + 1 :]))


def _simpler_set(value: Set[Any]) -> Iterator[Set[Any]]:
    elements = sorted(value, key=expression)
    yield from (set(made) for made in _shorter(elements, []))
    for place, element in enumerate(elements[:MAX_CHANGED]):
        yield from ({*elements[:place], made, *elements[place + 1 :]} for made in _simpler(element))


def _shorter(value: Any, empty: Any) -> Iterator[Any]:
    """Yield a sequence without its halves, its quarters, and then each of its parts."""
    size = len(value)
    yield empty
    part = size // 2
    while part > 1:
        for start in range(0, size, part):
            yield value[:start] + value[start + part :]
        part //= 2
    for place in range(min(size, 4 * MAX_CHANGED)):
        yield value[:place] + value[place + 1 :]


def _simpler_pairs(value: Any) -> Iterator[Any]:
    pairs = list(value.items())
    yield from map(dict, _shorter(pairs, []))
    for place, (key, one) in enumerate(pairs[:MAX_CHANGED]):
        for made in _simpler(one):
            yield dict([*pairs[:place], (key, made), *pairs[place + 1 :]])
        for made in _simpler(key):
            yield dict([*pairs[:place], (made, one), *pairs[place + 1 :]])


_SIMPLER: Dict[type, Change] = {
    int: _simpler_number,
    float: _simpler_fraction,
    str: _simpler_text,
    bytes: lambda value: _shorter(value, b""),
    list: _simpler_sequence,
    tuple: _simpler_sequence,
    set: _simpler_set,
    dict: _simpler_pairs,
}


MAX_NUMBER = 100_000
MAX_LARGE = 2**70
MAX_TEXT = 40
MAX_WORDS = 24
MAX_CONSTANTS = 13
"""Maximum number of integers in the code that are taken with both neighbours."""


def gathered(values: Iterable[Any], seen: Iterable[str] = ()) -> Words:
    """Return constants as words: numbers also with their neighbours, texts also by character, as `seen` texts are."""
    values = list(values)
    whole = sorted({value for value in values if type(value) is int and abs(value) <= MAX_LARGE}, key=_nearest_zero)
    plain = [value for value in whole if abs(value) <= MAX_NUMBER][:MAX_CONSTANTS]
    numbers = sorted({one for value in plain for one in (value - 1, value, value + 1)}, key=_nearest_zero)
    large = [one for value in whole if abs(value) > MAX_NUMBER for one in (value, value - 1, value + 1)]
    fractions = sorted({value for value in values if type(value) is float and math.isfinite(value)})
    texts = sorted(
        {value for value in values if type(value) is str and len(value) <= MAX_TEXT}, key=lambda one: (len(one), one)
    )
    alphabet = dict.fromkeys(character for text in [*texts, *seen] for character in text)
    return Words(
        numbers=tuple(numbers),
        large=tuple(large[:MAX_WORDS]),
        lengths=lengths_near(plain),
        fractions=tuple(fractions[:MAX_WORDS]),
        texts=tuple(text for text in texts[:MAX_WORDS] if text),
        alphabet=tuple(dict.fromkeys((*list(alphabet)[: 2 * MAX_WORDS], *CHARACTERS))),
    )


def _nearest_zero(number: int) -> Tuple[int, int]:
    return abs(number), number
