"""The building blocks of expressions: what each is written like, costs, does, takes, and which words suggest it."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Callable, FrozenSet, List, NamedTuple, Tuple

from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, POWER, PRODUCT, SUM


class Component(NamedTuple):
    """`text` has a place {0}, {1} for each argument, which must bind at least as tightly as `needs` says.

    `takes` are the kinds the arguments must be of; `words` in a docstring or name make it cheaper.
    """

    text: str
    needs: Tuple[int, ...]
    level: int
    cost: int
    apply: Callable[..., Any]
    takes: Tuple[str, ...]
    words: FrozenSet[str] = frozenset()


def _call(text: str, cost: int, apply: Callable[..., Any], takes: str, words: str = "") -> Component:
    kinds = tuple(takes.split(", "))
    return Component(text, (LOOSE,) * len(kinds), ATOM, cost, apply, kinds, frozenset(words.split()))


def _on(text: str, cost: int, apply: Callable[..., Any], takes: str, words: str = "") -> Component:
    """A method or index of its first argument, which has to be an atom."""
    kinds = tuple(takes.split(", "))
    return Component(text, (ATOM, *(LOOSE,) * (len(kinds) - 1)), ATOM, cost, apply, kinds, frozenset(words.split()))


def _operator(
    text: str, levels: Tuple[int, int, int], cost: int, apply: Callable[..., Any], takes: str, words: str = ""
) -> Component:
    left, right, own = levels
    return Component(text, (left, right), own, cost, apply, tuple(takes.split(", ")), frozenset(words.split()))


_SUM, _PRODUCT, _TEST = (SUM, PRODUCT, SUM), (PRODUCT, POWER, PRODUCT), (SUM, SUM, COMPARED)


def _power(base: Any, exponent: Any) -> Any:
    if abs(base) > 1000 or abs(exponent) > 20:
        raise ValueError("too large")
    return base**exponent


UNARY: List[Component] = [
    _call("len({0})", 1, len, "collection", "length number count how many size"),
    _call("sum({0})", 1, sum, "numbers", "sum total add"),
    _call("max({0})", 1, max, "some", "max maximum largest biggest greatest highest longest most"),
    _call("min({0})", 1, min, "some", "min minimum smallest lowest least shortest"),
    _call("sorted({0})", 1, sorted, "collection", "sort sorted order ascending increasing"),
    _call("sorted({0}, reverse=True)", 2, lambda v: sorted(v, reverse=True), "collection", "descending decreasing"),
    _call("set({0})", 2, set, "sequence", "unique distinct duplicate duplicates common"),
    _call("list({0})", 2, list, "collection", "list"),
    _call("tuple({0})", 2, tuple, "list", "tuple"),
    _call("str({0})", 2, str, "number", "string text convert digits digit"),
    _call("int({0})", 2, int, "any", "integer int convert whole truncate"),
    _call("float({0})", 3, float, "any", "float"),
    _call("abs({0})", 2, abs, "number", "absolute difference distance magnitude"),
    _call("round({0})", 3, round, "float", "round nearest"),
    _on("{0}[::-1]", 2, lambda v: v[::-1], "sequence", "reverse reversed backwards palindrome"),
    _on("{0}[0]", 2, lambda v: v[0], "some sequence", "first head"),
    _on("{0}[-1]", 2, lambda v: v[-1], "some sequence", "last top end"),
    _on("{0}[1:]", 3, lambda v: v[1:], "sequence", "rest tail without"),
    _on("{0}[:-1]", 3, lambda v: v[:-1], "sequence", "without"),
    _on("{0}[::2]", 4, lambda v: v[::2], "sequence", "every even"),
    _on("{0}.lower()", 2, str.lower, "str", "lower lowercase case insensitive"),
    _on("{0}.upper()", 2, str.upper, "str", "upper uppercase capital"),
    _on("{0}.strip()", 2, str.strip, "str", "strip whitespace trim spaces"),
    _on("{0}.split()", 2, str.split, "str", "words word split whitespace"),
    _on("{0}.title()", 3, str.title, "str", "title"),
    _on("{0}.capitalize()", 3, str.capitalize, "str", "capitalize capital"),
    _on("{0}.swapcase()", 3, str.swapcase, "str", "swap case flip"),
    _on("{0}.isdigit()", 3, str.isdigit, "str", "digit digits numeric"),
    _on("{0}.isalpha()", 3, str.isalpha, "str", "letter letters alphabetic"),
    _on("{0}.isupper()", 3, str.isupper, "str", "upper uppercase capital"),
    _on("{0}.islower()", 3, str.islower, "str", "lower lowercase"),
    _on("{0}.keys()", 4, lambda v: list(v), "dict", "keys"),
    _call("list({0}.values())", 3, lambda v: list(v.values()), "dict", "values"),
    _call("''.join({0})", 2, "".join, "texts", "join concatenate string"),
    _call("' '.join({0})", 3, " ".join, "texts", "join words space sentence"),
    _call("list(range({0}))", 3, lambda v: list(range(v)), "count", "range numbers from"),
    _call("range(1, {0} + 1)", 3, lambda v: list(range(1, v + 1)), "count", "range numbers from to up factorial"),
    _call("math.sqrt({0})", 3, math.sqrt, "number", "sqrt root square hypotenuse distance"),
    _call("math.floor({0})", 3, math.floor, "float", "floor"),
    _call("math.ceil({0})", 3, math.ceil, "float", "ceil ceiling"),
    _call("math.factorial({0})", 4, lambda v: math.factorial(v) if v < 20 else None, "count", "factorial"),
    _call("collections.Counter({0})", 4, lambda v: Counter(v), "sequence", "count frequency occurrences"),
    _call("list(dict.fromkeys({0}))", 3, lambda v: list(dict.fromkeys(v)), "sequence", "duplicates unique order"),
    _call("list(zip({0}, {0}[1:]))", 5, lambda v: list(zip(v, v[1:])), "sequence", "adjacent pairs"),  # noqa: RUF007 - itertools.pairwise came with Python 3.10
    Component("-{0}", (PRODUCT,), PRODUCT, 3, lambda v: -v, ("number",), frozenset(("negative", "negate", "opposite"))),
    Component("not {0}", (COMPARED,), COMPARED, 2, lambda v: not v, ("any",), frozenset(("not", "empty", "no"))),
]  # fmt: skip

BINARY: List[Component] = [
    _operator("{0} + {1}", _SUM, 1, lambda a, b: a + b, "number, number", "sum add plus total"),
    _operator("{0} + {1}", _SUM, 2, lambda a, b: a + b, "str, str", "concatenate append join greeting"),
    _operator("{0} + {1}", _SUM, 2, lambda a, b: a + b, "list, list", "concatenate append join"),
    _operator("{0} - {1}", _SUM, 1, lambda a, b: a - b, "number, number", "difference subtract minus less"),
    _operator("{0} * {1}", _PRODUCT, 1, lambda a, b: a * b, "number, number", "product multiply times area square"),
    _operator("{0} * {1}", _PRODUCT, 3, lambda a, b: a * b, "sequence, count", "repeat times"),
    _operator("{0} // {1}", _PRODUCT, 2, lambda a, b: a // b, "int, int", "divide quotient half integer"),
    _operator("{0} / {1}", _PRODUCT, 2, lambda a, b: a / b, "number, number", "divide average mean half ratio"),
    _operator("{0} % {1}", _PRODUCT, 2, lambda a, b: a % b, "number, number", "remainder modulo divisible even odd"),
    _operator("{0} ** {1}", (ATOM, POWER, POWER), 3, _power, "number, number", "power exponent square squared cube"),
    _operator("{0} == {1}", _TEST, 2, lambda a, b: a == b, "any, any", "equal same is palindrome whether"),
    _operator("{0} != {1}", _TEST, 3, lambda a, b: a != b, "any, any", "different not"),
    _operator("{0} < {1}", _TEST, 2, lambda a, b: a < b, "number, number", "less below smaller under"),
    _operator("{0} <= {1}", _TEST, 2, lambda a, b: a <= b, "number, number", "less most within between"),
    _operator("{0} in {1}", _TEST, 2, lambda a, b: a in b, "any, collection", "in contains contain present member"),
    _operator("{0} and {1}", (COMPARED, COMPARED, LOOSE), 3, lambda a, b: a and b, "bool, bool", "and both"),
    _operator("{0} or {1}", (COMPARED, COMPARED, LOOSE), 3, lambda a, b: a or b, "bool, bool", "or either"),
    _operator("{0} & {1}", (PRODUCT, PRODUCT, LOOSE), 3, lambda a, b: a & b, "set, set", "common intersection both"),
    _operator("{0} | {1}", (PRODUCT, PRODUCT, LOOSE), 4, lambda a, b: a | b, "set, set", "union"),
    _on("{0}[{1}]", 2, lambda a, b: a[b], "sequence, int", "index element position item"),
    _on("{0}[{1}]", 2, lambda a, b: a[b], "dict, any", "key lookup value"),
    _on("{0}[{1}:]", 3, lambda a, b: a[b:], "sequence, int", "last after from"),
    _on("{0}[:{1}]", 3, lambda a, b: a[:b], "sequence, int", "first before up"),
    _on("{0}.count({1})", 2, lambda a, b: a.count(b), "sequence, any", "count number times occurrences"),
    _on("{0}.startswith({1})", 3, str.startswith, "str, str", "start starts begins prefix"),
    _on("{0}.endswith({1})", 3, str.endswith, "str, str", "end ends suffix"),
    _on("{0}.split({1})", 3, lambda a, b: a.split(b), "str, str", "split separated separator"),
    _on("{0}.join({1})", 3, lambda a, b: a.join(b), "str, texts", "join separated separator"),
    _on("{0}.get({1})", 3, lambda a, b: a.get(b), "dict, any", "get lookup default"),
    _on("{0}.find({1})", 4, str.find, "str, str", "find index position"),
    _on("{0}.index({1})", 4, lambda a, b: a.index(b), "sequence, any", "index position"),
    _call("max({0}, {1})", 2, max, "number, number", "max maximum larger greater least clamp"),
    _call("min({0}, {1})", 2, min, "number, number", "min minimum smaller most clamp"),
    _call("round({0}, {1})", 4, round, "float, count", "round decimal places"),
    _call("math.gcd({0}, {1})", 4, math.gcd, "int, int", "gcd greatest common divisor"),
    _call("list(range({0}, {1}))", 4, lambda a, b: list(range(a, min(b, a + 200))), "int, int", "range between"),
    _call("list(zip({0}, {1}))", 4, lambda a, b: list(zip(a, b)), "sequence, sequence", "pairs zip corresponding"),
]  # fmt: skip


def priced(component: Component, words: FrozenSet[str]) -> int:
    """The cost of a component where these words were used: less when one of its own is among them."""
    return max(1, component.cost - 1) if component.words & words else component.cost + bool(component.words)
