"""Polynomials through the examples, where their coefficients are simple enough to be meant.

So many examples have a polynomial of one degree less through them, whatever they are; that it has small whole
coefficients is what speaks for it, and its cost is the size of these. The coefficients are Newton's, by divided
differences, in exact fractions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Iterator, List, Sequence

from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.loops import Body

HIGHEST = 4
LARGEST_COEFFICIENT = 200
LARGEST_DIVISOR = 30


def polynomials(leaves: Sequence[Leaf], expected: Sequence[Any]) -> Iterator[Body]:
    """The polynomial in each whole-numbered parameter that goes through all examples, if it is a simple one."""
    if not all(type(value) is int for value in expected):
        return
    for leaf in leaves:
        if all(type(value) is int for value in leaf.values) and len(set(leaf.values)) == len(leaf.values) > 1:
            coefficients = interpolated(leaf.values, expected)
            while coefficients and not coefficients[-1]:
                coefficients.pop()
            if 2 < len(coefficients) <= HIGHEST + 1:
                yield from _written(leaf.text, coefficients)


def interpolated(places: Sequence[int], values: Sequence[int]) -> List[Fraction]:
    """The coefficients, constant first, of the polynomial of least degree that has these values at these places."""
    divided = [Fraction(value) for value in values]
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
    if divisor > LARGEST_DIVISOR or max(map(abs, whole)) > LARGEST_COEFFICIENT:
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
