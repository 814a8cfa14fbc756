"""Components about numbers: arithmetic, comparison, digits, bits and a little number theory."""

from __future__ import annotations

import math
import operator as ops
from typing import Any, List

from certo_builtin.synthesis.components.component import (
    PRODUCT_LEVELS,
    SUM_LEVELS,
    TEST_LEVELS,
    Component,
    call,
    operator,
    question,
    walk,
)
from certo_builtin.synthesis.docstring_words import stems
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, POWER, PRODUCT, SUM

MAX_DIVISORS = 5000


def _power(base: Any, exponent: Any) -> Any:
    if abs(base) > 10000 or abs(exponent) > 40:
        raise ValueError("too large")
    return base**exponent


def _factorial(number: int) -> int:
    if number > 17:
        raise ValueError("too large")
    return math.factorial(number)


def _binomial(number: int, chosen: int) -> int:
    return math.comb(number, chosen)


def _shifted(number: int, places: int) -> int:
    if places > 60:
        raise ValueError("too large")
    return number << places


def _digits(number: int) -> List[int]:
    return [int(digit) for digit in str(number)]


def _divisors(number: int) -> List[int]:
    if number > MAX_DIVISORS:
        raise ValueError("too large")
    return [one for one in range(1, number + 1) if number % one == 0]


def _is_int(value: Any) -> bool:
    return isinstance(value, int)


def _divides(number: int, divisor: int) -> bool:
    return number % divisor == 0


def _is_prime(number: int) -> bool:
    if number > MAX_TESTED:
        raise ValueError("too large")
    return number > 1 and all(number % one for one in range(2, math.isqrt(number) + 1))


MAX_TESTED = 10**7


PRIME = "({0} > 1 and all({0} % d for d in range(2, int({0} ** 0.5) + 1)))"

NUMBERS: List[Component] = [
    call("abs({0})", 2, abs, "number", "absolute difference distance magnitude"),
    call("int({0})", 2, int, "float", "integer int whole truncate"),
    call("float({0})", 3, float, "number", "float"),
    call("round({0})", 3, round, "float", "round nearest"),
    call("str({0})", 2, str, "number", "string text convert digits"),
    call("str({0})", 3, str, "mixed", "string text convert"),
    call("range({0})", 2, range, "count", "range numbers from first"),
    call("range(1, {0} + 1)", 2, lambda v: range(1, v + 1), "int", "range numbers from first natural up to"),
    call("[int(d) for d in str({0})]", 3, _digits, "count", "digits"),
    call("[int(d) for d in str(abs({0}))]", 4, lambda v: _digits(abs(v)), "int", "digits"),
    call("format({0}, 'b')", 3, lambda v: format(v, "b"), "int", "binary bits bit base"),
    call("format({0}, 'x')", 4, lambda v: format(v, "x"), "int", "hexadecimal hex"),
    call("format({0}, 'o')", 4, lambda v: format(v, "o"), "int", "octal"),
    call("chr({0})", 3, chr, "int", "character ascii letter"),
    call("math.sqrt({0})", 3, math.sqrt, "number", "sqrt root square hypotenuse distance"),
    call("math.isqrt({0})", 4, math.isqrt, "int", "root square perfect"),
    call("math.floor({0})", 3, math.floor, "float", "floor down"),
    call("math.ceil({0})", 3, math.ceil, "float", "ceil ceiling up"),
    call("math.factorial({0})", 4, _factorial, "count", "factorial permutation"),
    call("math.radians({0})", 4, math.radians, "number", "radians"),
    call("math.degrees({0})", 4, math.degrees, "number", "degrees"),
    call("math.log({0})", 5, math.log, "number", "logarithm log"),
    call("[d for d in range(1, {0} + 1) if {0} % d == 0]", 4, _divisors, "count", "divisors factors"),
    Component("{0}.bit_length()", (ATOM,), ATOM, 4, int.bit_length, ("int",), stems("bit power binary")),
    Component(PRIME, (ATOM,), ATOM, 6, _is_prime, ("int",), stems("prime")),
    Component("-{0}", (PRODUCT,), PRODUCT, 3, ops.neg, ("number",), stems("negative negate opposite")),
    Component("{0} ** 2", (ATOM,), POWER, 2, lambda v: _power(v, 2), ("number",), stems("square squared")),
    Component("{0} ** 3", (ATOM,), POWER, 3, lambda v: _power(v, 3), ("number",), stems("cube cubed")),
    question("{0} % 2 == 0", PRODUCT, 3, lambda v: v % 2 == 0, "int", "even divisible parity two"),
    question("{0} % 2 != 0", PRODUCT, 3, lambda v: v % 2 != 0, "int", "odd parity uneven"),
    question("{0} == 0", SUM, 2, lambda v: v == 0, "number"),
    question("{0} > 0", SUM, 3, lambda v: v > 0, "number", "positive"),
    question("{0} < 0", SUM, 3, lambda v: v < 0, "number", "negative below zero"),
    operator("{0} + {1}", SUM_LEVELS, 1, ops.add, "number, number", "sum add plus total", swaps=True),
    operator("{0} - {1}", SUM_LEVELS, 1, ops.sub, "number, number", "difference subtract minus less"),
    operator("{0} * {1}", PRODUCT_LEVELS, 1, ops.mul, "number, number", "product multiply times area", swaps=True),
    operator("{0} // {1}", PRODUCT_LEVELS, 2, ops.floordiv, "int, int", "divide quotient half integer"),
    operator("{0} / {1}", PRODUCT_LEVELS, 2, ops.truediv, "number, number", "divide average mean half ratio"),
    operator("{0} % {1}", PRODUCT_LEVELS, 2, ops.mod, "number, number", "remainder modulo divisible divide multiple"),
    operator("{0} % {1} == 0", (PRODUCT, ATOM, COMPARED), 3, _divides, "int, int", "divisible multiple divisor"),
    operator("{0} ** {1}", (ATOM, ATOM, POWER), 3, _power, "number, number", "power exponent"),
    operator("{0} == {1}", TEST_LEVELS, 2, ops.eq, "number, number", "equal same is whether", swaps=True),
    operator("{0} != {1}", TEST_LEVELS, 3, ops.ne, "number, number", "different not", swaps=True),
    operator("{0} < {1}", TEST_LEVELS, 2, ops.lt, "number, number", "less below smaller under greater more"),
    operator("{0} <= {1}", TEST_LEVELS, 2, ops.le, "number, number", "less most least within between"),
    operator("{0} & {1}", (PRODUCT, PRODUCT, LOOSE), 4, ops.and_, "int, int", "bitwise bit bits and"),
    operator("{0} | {1}", (PRODUCT, PRODUCT, LOOSE), 4, ops.or_, "int, int", "bitwise bit bits or set"),
    operator("{0} ^ {1}", (PRODUCT, PRODUCT, LOOSE), 4, ops.xor, "int, int", "bitwise bit bits xor toggle"),
    operator("{0} << {1}", (PRODUCT, PRODUCT, LOOSE), 4, _shifted, "int, count", "shift left bit bits rotate"),
    operator("{0} >> {1}", (PRODUCT, PRODUCT, LOOSE), 4, ops.rshift, "int, count", "shift right bit bits rotate"),
    call("max({0}, {1})", 2, max, "number, number", "max maximum larger greater least clamp", swaps=True),
    call("min({0}, {1})", 2, min, "number, number", "min minimum smaller most clamp", swaps=True),
    call("round({0}, {1})", 4, round, "float, count", "round decimal places"),
    call("math.gcd({0}, {1})", 4, math.gcd, "int, int", "gcd greatest common divisor", swaps=True),
    call("math.comb({0}, {1})", 5, _binomial, "count, count", "binomial combinations coefficient choose"),
    call("math.hypot({0}, {1})", 5, math.hypot, "number, number", "hypotenuse distance", swaps=True),
    call("range({0}, {1})", 2, range, "count, count", "range between from"),
    call("range({0}, {1} + 1)", 3, lambda a, b: range(a, b + 1), "count, count", "range between from inclusive within"),
    call("divmod({0}, {1})", 5, divmod, "int, int", "quotient remainder"),
]  # fmt: skip

OF_NUMBERS: List[Component] = [
    walk("sum({0})", 1, sum, "numbers", "sum total add"),
    walk("math.prod({0})", 3, math.prod, "numbers", "product multiply multiplication"),
    call("list(itertools.accumulate({0}))", 4, lambda v: _accumulated(v), "numbers", "cumulative running prefix"),
    call("sum({0}) / len({0})", 4, lambda v: sum(v) / len(v), "numbers", "mean average")._replace(level=PRODUCT),
    call("statistics.median({0})", 5, lambda v: _median(v), "numbers", "median middle"),
]  # fmt: skip


def _accumulated(values: Any) -> List[Any]:
    found: List[Any] = []
    for value in values:
        found.append(found[-1] + value if found else value)
    return found


def _median(values: Any) -> Any:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


LOGIC: List[Component] = [
    Component("not {0}", (COMPARED,), COMPARED, 2, ops.not_, ("bool",), stems("not no")),
    Component("not {0}", (COMPARED,), COMPARED, 2, ops.not_, ("collection",)),
    question("{0} is None", ATOM, 3, lambda v: v is None, "mixed", "none missing"),
    question("isinstance({0}, int)", LOOSE, 4, _is_int, "mixed", "integer type number heterogeneous"),
    question("isinstance({0}, str)", LOOSE, 4, lambda v: isinstance(v, str), "mixed", "string type text"),
    question("isinstance({0}, list)", LOOSE, 5, lambda v: isinstance(v, list), "mixed", "list type"),
    question("isinstance({0}, tuple)", LOOSE, 5, lambda v: isinstance(v, tuple), "mixed", "tuple type"),
    operator("type({0}) is type({1})", (LOOSE, LOOSE, COMPARED), 6, lambda a, b: type(a) is type(b), "any, any"),
    operator("{0} and {1}", (COMPARED, COMPARED, LOOSE), 3, lambda a, b: a and b, "bool, bool", "and both", swaps=True),
    operator("{0} or {1}", (COMPARED, COMPARED, LOOSE), 3, lambda a, b: a or b, "bool, bool", "or either", swaps=True),
    operator("{0} != {1}", TEST_LEVELS, 4, ops.ne, "bool, bool", "exactly xor different opposite", swaps=True),
]  # fmt: skip
