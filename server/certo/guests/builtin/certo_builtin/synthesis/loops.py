"""Loops as text: iterables, and steps, conditional steps and results written as statements."""

from __future__ import annotations

import re
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.synthesis.enumeration import Leaf, bare
from certo_builtin.synthesis.rows import MAX_ELEMENTS

RESULT = "result"
BEST = "best"
NAMES = ("x", "y", "i", "each", "other", "one", "two")


class Body(NamedTuple):
    """The statements of a whole body, and its cost."""

    cost: int
    lines: Tuple[str, ...]


class Loop(NamedTuple):
    """A loop without its step.

    `first` are lines before it, `head` its own line, `last` the lines that end each iteration; `names` are the
    variables visible in an iteration, `rows` their values at each iteration of each example.
    """

    first: Tuple[str, ...]
    head: str
    last: Tuple[str, ...]
    names: Tuple[str, ...]
    rows: List[List[Tuple[Any, ...]]]
    cost: int


def loops_over(leaves: Sequence[Leaf], constants: Sequence[Leaf]) -> Iterator[Loop]:
    """Yield the loops that parameters suggest: over a collection, over pairs, up to a number, over its digits."""
    taken = {leaf.text for leaf in leaves}
    sized = [leaf for leaf in leaves if all(type(value) in (list, tuple, str) for value in leaf.values)]
    for leaf in sized:
        yield from _through(leaf.text, [[(one,) for one in value] for value in leaf.values], taken, 1)
    for first, second in zip(sized, sized[1:]):  # noqa: RUF007 - Python 3.8 has no pairwise
        rows = [list(zip(one, other)) for one, other in zip(first.values, second.values)]
        yield from _through("zip({}, {})".format(first.text, second.text), rows, taken, 3)
    numbers = [leaf for leaf in leaves if all(type(value) is int for value in leaf.values)]
    for leaf in numbers:
        if all(0 <= value <= MAX_ELEMENTS for value in leaf.values):
            up_to = [[(one,) for one in range(1, value + 1)] for value in leaf.values]
            yield from _through("range(1, {} + 1)".format(leaf.text), up_to, taken, 2)
    for leaf in numbers:
        for base in [Leaf("10", (10,) * len(leaf.values), 1, 0), *_bases(leaf, numbers, constants)]:
            loop = None if {"digit", RESULT, BEST} & taken else _digits(leaf, base)
            if loop is not None:
                yield loop


def _through(text: str, rows: List[List[Tuple[Any, ...]]], taken: Set[str], cost: int) -> Iterator[Loop]:
    free = [name for name in NAMES if name not in taken]
    seen = max(len(turn) for row in rows for turn in row) if any(rows) else 0
    if 1 < sum(map(len, rows)) <= MAX_ELEMENTS and not {RESULT, BEST} & taken:
        names = tuple(free[:seen])
        yield Loop((), "for {} in {}:".format(", ".join(names), bare(text)), (), names, rows, cost)


def _bases(number: Leaf, numbers: Sequence[Leaf], constants: Sequence[Leaf]) -> List[Leaf]:
    return [
        leaf
        for leaf in [*numbers, *constants]
        if leaf is not number and leaf.text != "10" and all(type(value) is int and value > 1 for value in leaf.values)
    ]


def _digits(number: Leaf, base: Leaf) -> Optional[Loop]:
    """Return the loop over the digits of a number, the last one first."""
    if not all(value >= 0 for value in number.values) or "." in number.text:
        return None
    rows: List[List[Tuple[Any, ...]]] = []
    for value, size in zip(number.values, base.values):
        digits: List[Tuple[Any, ...]] = []
        while value > 0:
            value, digit = divmod(value, size)
            digits.append((digit,))
        rows.append(digits)
    if sum(map(len, rows)) < 2:
        return None
    head = "while {} > 0:".format(number.text)
    turn = "{0}, digit = divmod({0}, {1})".format(number.text, base.text)
    return Loop((), head, (turn,), ("digit",), rows, 2 + base.cost)


def written(
    loop: Loop, initial: str, step: Sequence[str], result: str, *, best: Optional[str] = None
) -> Tuple[str, ...]:
    """Return the body of a function: an initial value, a loop with a step, and a return.

    `best`, if given, is `max` or `min`: the best value of all iterations is the result.
    """
    begin = "{} = {}".format(RESULT, initial) if best is None else "{} = {} = {}".format(BEST, RESULT, initial)
    inside = [*loop.last, *step]
    if best is not None:
        inside.append("{0} = {1}({0}, {2})".format(BEST, best, RESULT))
    return (*loop.first, begin, loop.head, *("    " + line for line in inside), "return " + result)


def assigned(text: str) -> str:
    """Return the statement that assigns an expression to the accumulator, in idiomatic form."""
    operator = re.match(r"result (\+|-|\*|//|/|%) (.+)$", text)
    if operator:
        appended = re.match(r"\[([^\[\]]*)\]$", operator.group(2))
        if appended and operator.group(1) == "+":
            return "{}.append({})".format(RESULT, appended.group(1))
        return "{} {}= {}".format(RESULT, operator.group(1), operator.group(2))
    return "{} = {}".format(RESULT, text)


def conditional(test: str, yes: str, no: str) -> List[str]:
    """Return the lines of a conditional step; a branch that changes nothing is omitted."""
    lines = ["if {}:".format(test), "    " + assigned(yes)]
    return lines if no == RESULT else [*lines, "else:", "    " + assigned(no)]
