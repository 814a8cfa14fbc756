"""Formulas over integers: polynomials through the examples, and recurrences.

Any n examples have a polynomial of degree n - 1 through them. The evidence for one is that its coefficients are small
integers, so its cost is their size. They are found by Newton's divided differences in exact fractions. A recurrence
computes each member of a sequence from a few before it; its step is enumerated as those of folds are.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from typing import Any, Callable, Iterator, List, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.terms import ATOM, MAX_NUMBER, agrees

MAX_DEGREE = 4
MAX_COEFFICIENT = 200
MAX_DIVISOR = 30


def polynomials(leaves: Sequence[Leaf], expected: Sequence[Any]) -> Iterator[Body]:
    """Yield the polynomial in each integer parameter through all examples, if it is a simple one."""
    if not all(type(value) is int for value in expected):
        return
    for leaf in leaves:
        if all(type(value) is int for value in leaf.values) and len(set(leaf.values)) == len(leaf.values) > 1:
            coefficients = interpolated(leaf.values, expected)
            while coefficients and not coefficients[-1]:
                coefficients.pop()
            # Constants and linear expressions are left to enumeration.
            if 2 < len(coefficients) <= MAX_DEGREE + 1:
                yield from _written(leaf.text, coefficients)


def interpolated(places: Sequence[int], values: Sequence[int]) -> List[Fraction]:
    """Return the coefficients, constant first, of the polynomial of least degree through these points."""
    divided = [Fraction(value) for value in values]
    # In place and from the end, so that each order of divided differences uses the values of the one before.
    for order in range(1, len(places)):
        for index in range(len(places) - 1, order - 1, -1):
            divided[index] = (divided[index] - divided[index - 1]) / (places[index] - places[index - order])
    found: List[Fraction] = []
    for place, factor in zip(reversed(places), reversed(divided)):
        # Multiply what there is by (x - place) and add the factor.
        shifted = [Fraction(0), *found]
        for index, coefficient in enumerate(found):
            shifted[index] -= place * coefficient
        shifted[0] += factor
        found = shifted
    return found


def _written(name: str, coefficients: Sequence[Fraction]) -> Iterator[Body]:
    divisor = 1
    for coefficient in coefficients:
        divisor = divisor * coefficient.denominator // math.gcd(divisor, coefficient.denominator)
    whole = [int(coefficient * divisor) for coefficient in coefficients]
    if divisor > MAX_DIVISOR or max(map(abs, whole)) > MAX_COEFFICIENT:
        return
    text = ""
    cost = 0
    for power in reversed(range(len(whole))):
        factor = whole[power]
        if factor:
            sign = "-" if factor < 0 else "+"
            text += " {} {}".format(sign, _product(abs(factor), name, power))
            cost += 2 + abs(factor).bit_length() // 3 + (power > 0) + (power > 2)
    text = "-" + text[3:] if text.startswith(" -") else text[3:]
    if divisor > 1:
        text = "({}) // {}".format(text, divisor)
        cost += 2 + divisor.bit_length() // 3
    yield Body(cost, ("return " + text,))


def _product(factor: int, name: str, power: int) -> str:
    parts = [str(factor)] if factor != 1 or not power else []
    if power:
        parts.append(name if power == 1 else "{} ** {}".format(name, power))
    return " * ".join(parts)


NAMES = ("a", "b", "c", "d")
SEARCHED = (2, 3)
SUMMED = 4
"""Number of previous members from which on the step is always their sum; other steps would be too many."""

BEGINNINGS = (0, 1, 2, 3)
MAX_TURNS = 300
MAX_STEP_COST = 5
STEP_TRIES = 1500
MIN_EXAMPLES = 2

_COMPLEX = re.compile(r"[/%\[{<>&|^]|\w\(")
"""Text that is more than plain arithmetic: other operators, displays, and calls."""


def recurrences(leaves: Sequence[Leaf], expected: Sequence[Any]) -> Iterator[Body]:
    """Yield the sequences indexed by a parameter that explain every example, cheap ones first."""
    if len(expected) < MIN_EXAMPLES or not all(type(value) is int for value in expected):
        return
    for leaf in leaves:
        turns = leaf.values
        if all(type(value) is int and 0 <= value <= MAX_TURNS for value in turns) and len(set(turns)) == len(turns):
            found: List[Body] = []
            for size in (*SEARCHED, SUMMED):
                found += _of_size(size, leaf, expected)
            yield from sorted(found)


def _of_size(size: int, leaf: Leaf, expected: Sequence[Any]) -> Iterator[Body]:
    names = NAMES[:size]
    last = max(leaf.values)
    wanted = dict(zip(leaf.values, expected))
    for step, text, cost in _steps(names, leaf.text):
        for begun in product(BEGINNINGS, repeat=size):
            if _explains(step, begun, wanted, last):
                begin = "{} = {}".format(", ".join(names), ", ".join(map(str, begun)))
                turn = "    {} = {}".format(", ".join(names), ", ".join([*names[1:], text]))
                lines = (begin, "for _ in range({}):".format(leaf.text), turn, "return a")
                yield Body(cost + size + sum(begun) // 2, lines)


def _explains(step: Callable[..., int], begun: Tuple[int, ...], wanted: Any, last: int) -> bool:
    state = begun
    for turn in range(last + 1):
        if turn in wanted and not agrees(state[0], wanted[turn]):
            return False
        following = step(*state)
        if not -MAX_NUMBER < following < MAX_NUMBER:
            return False
        state = (*state[1:], following)
    return True


def _steps(names: Sequence[str], taken: str) -> Iterator[Tuple[Callable[..., int], str, int]]:
    """Yield arithmetic over the last members that uses the oldest of them, since otherwise fewer members suffice."""
    if taken in names:
        return
    if len(names) == SUMMED:
        yield (lambda *members: sum(members)), " + ".join(names), 2 * SUMMED - 1
        return
    sample = [(1, 2, 5), (3, -1, 4), (0, 7, 2), (2, 2, 9), (11, 5, 3)]
    leaves = [Leaf(name, tuple(row[place] for row in sample), 1, ATOM) for place, name in enumerate(names)]
    leaves += [Leaf(str(value), (value,) * len(sample), value, ATOM, fixed=True) for value in (1, 2, 3)]
    space = Enumeration(leaves, frozenset(), (), Tries(STEP_TRIES * 10))
    for cost in range(1, MAX_STEP_COST + 1):
        for _ in space.grow(cost):
            pass
    kept = 0
    for term in space.terms():
        plain = not _COMPLEX.search(term.text) and "int" in term.kinds
        if plain and names[0] in term.text and kept < STEP_TRIES // 10:
            kept += 1
            yield eval("lambda {}: {}".format(", ".join(names), term.text)), term.text, term.cost
