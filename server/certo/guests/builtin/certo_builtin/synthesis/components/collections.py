"""Components about collections: parts, orders, counts, unions and selections."""

from __future__ import annotations

import collections
import itertools
import operator as ops
from typing import Any, Iterable, List

from certo_builtin.synthesis.components.component import (
    PRODUCT_LEVELS,
    SUM_LEVELS,
    TEST_LEVELS,
    Component,
    call,
    on,
    operator,
    question,
    walk,
)
from certo_builtin.synthesis.terms import ATOM, LOOSE, MAX_LIST, PRODUCT


def _bounded(values: Iterable[Any]) -> List[Any]:
    """Return the values as a list; raise ValueError if there are too many."""
    found = list(itertools.islice(values, MAX_LIST + 1))
    if len(found) > MAX_LIST:
        raise ValueError("too many")
    return found


def _in_order(values: Any) -> Any:
    """Return the values, unless their order is accidental: a set of texts has another in every process."""
    if isinstance(values, (set, frozenset)) and any(not isinstance(one, int) for one in values):
        raise ValueError("no order")
    return values


def _repeated(values: Any, count: int) -> Any:
    if len(values) * count > MAX_LIST:
        raise ValueError("too long")
    return values * count


def _member(value: Any, values: Any) -> bool:
    return bool(value in values)


def _zipped(*given: Any) -> List[Any]:
    if len(set(map(id, given))) < len(given):
        raise ValueError("the same twice")
    return list(zip(*given))


def _all_differ(values: Any) -> bool:
    return len(set(values)) == len(values)


def _ordinal(values: Any, number: int) -> Any:
    if number < 1:
        raise ValueError("counted from one")
    return values[number - 1]


def _last(values: Any, count: int) -> Any:
    if count > len(values):
        raise ValueError("so many there are not")
    return values[len(values) - count :]


def _missing(value: Any, values: Any) -> bool:
    return value not in values


def _count(values: Any, value: Any) -> Any:
    return values.count(value)


def _grouped(values: Any) -> List[List[Any]]:
    return [list(group) for _, group in itertools.groupby(values)]


def _cut(values: Any, size: int) -> List[Any]:
    if size < 1:
        raise ValueError("no size")
    return [values[place : place + size] for place in range(0, len(values), size)]


def _windows(values: Any, size: int) -> List[Any]:
    if size < 1:
        raise ValueError("no size")
    return [values[place : place + size] for place in range(len(values) - size + 1)]


def _parts(values: Any) -> List[Any]:
    ends = range(len(values) + 1)
    return _bounded(values[start:end] for start in ends for end in ends[start + 1 :])


def _every(values: Any, step: int) -> Any:
    if step < 1:
        raise ValueError("no step")
    return values[::step]


def _flat(values: Any) -> List[Any]:
    return _bounded(itertools.chain.from_iterable(values))


def _merged(first: Any, second: Any) -> Any:
    return {**first, **second}


def _differing(first: Any, second: Any) -> Any:
    return first - second


_SET_LEVELS = (PRODUCT, PRODUCT, LOOSE)

COLLECTIONS: List[Component] = [
    call("len({0})", 1, len, "collection", "length number count how many size"),
    walk("max({0})", 1, max, "some", "max maximum largest biggest greatest highest longest most"),
    walk("min({0})", 1, min, "some", "min minimum smallest lowest least shortest"),
    walk("max({0}, default=None)", 5, lambda v: max(v, default=None), "collection", "none"),
    walk("min({0}, default=None)", 5, lambda v: min(v, default=None), "collection", "none"),
    walk("sorted({0})", 1, sorted, "collection", "sort sorted order ascending increasing"),
    walk("sorted({0}, reverse=True)", 2, lambda v: sorted(v, reverse=True), "collection",
        "descending decreasing reverse"),
    walk("set({0})", 1, set, "sequence", "unique distinct duplicates common different elements"),
    call("list({0})", 2, list, "sequence", "characters list"),
    call("list({0})", 4, lambda v: list(_in_order(v)), "set", "list"),
    call("list({0})", 2, list, "range", "list"),
    walk("tuple({0})", 2, tuple, "sequence", "tuple"),
    walk("tuple({0})", 4, lambda v: tuple(_in_order(v)), "set", "tuple"),
    question("len(set({0})) == len({0})", LOOSE, 4, _all_differ, "sequence", "unique distinct duplicates"),
    question("len(set({0})) == 1", LOOSE, 4, lambda v: len(set(v)) == 1, "sequence", "equal same identical"),
    on("{0}[::-1]", 2, lambda v: v[::-1], "sequence", "reverse reversed backwards palindrome"),
    on("{0}[0]", 2, lambda v: v[0], "some sequence", "first head"),
    on("{0}[-1]", 2, lambda v: v[-1], "some sequence", "last top end rear"),
    on("{0}[1]", 3, lambda v: v[1], "some sequence", "second"),
    on("{0}[1:]", 2, lambda v: v[1:], "sequence", "rest tail without first"),
    on("{0}[:-1]", 2, lambda v: v[:-1], "sequence", "without last"),
    on("{0}[1:-1]", 5, lambda v: v[1:-1], "sequence", "middle between inner except"),
    on("{0}[::2]", 4, lambda v: v[::2], "sequence", "every even odd other index position"),
    on("{0}[1::2]", 4, lambda v: v[1::2], "sequence", "every even odd other index position"),
    on("max({0}, key={0}.get)", 4, lambda v: max(v, key=v.get), "dict", "max maximum highest largest most best"),
    on("min({0}, key={0}.get)", 4, lambda v: min(v, key=v.get), "dict", "min minimum lowest smallest least"),
    on("list({0}.keys())", 4, list, "dict", "keys"),
    on("list({0}.values())", 3, lambda v: list(v.values()), "dict", "values"),
    on("list({0}.items())", 3, lambda v: list(v.items()), "dict", "items keys values dictionary"),
    call("dict({0})", 4, dict, "row", "dictionary dict"),
    walk("collections.Counter({0})", 4, collections.Counter, "sequence", "count frequency occurrences often"),
    on("{0}.most_common()", 4, lambda v: v.most_common(), "Counter", "common frequent often most"),
    walk("list(dict.fromkeys({0}))", 3, lambda v: list(dict.fromkeys(v)), "sequence", "duplicates unique order remove"),
    call("list(zip({0}, {0}[1:]))", 4, lambda v: list(zip(v, v[1:])), "sequence",  # noqa: RUF007 - itertools.pairwise came with Python 3.10
        "adjacent pairs consecutive monotonic sorted next"),
    walk("list(enumerate({0}))", 3, lambda v: list(enumerate(v)), "sequence", "index indices position even odd"),
    walk("list(itertools.chain.from_iterable({0}))", 3, _flat, "nested", "flatten flat nested lists sublists single"),
    call("list(zip(*{0}))", 4, lambda v: list(zip(*v)), "some rows", "transpose column columns matrix rows"),
    walk("[list(g) for _, g in itertools.groupby({0})]", 4, _grouped, "sequence",
        "consecutive group groups run runs pack"),
    call("[{0}[:i + 1] for i in range(len({0}))]", 4, lambda v: [v[: i + 1] for i in range(len(v))], "sequence",
        "prefixes prefix"),
    call("[{0}[i:j] for i in range(len({0})) for j in range(i + 1, len({0}) + 1)]", 5, _parts, "sequence",
        "substrings substring subarray contiguous sublist"),
    operator("{0} + {1}", SUM_LEVELS, 2, ops.add, "list, list", "concatenate append join add merge"),
    operator("{0} + {1}", SUM_LEVELS, 2, ops.add, "tuple, tuple", "concatenate append join add merge"),
    operator("{0} * {1}", PRODUCT_LEVELS, 3, _repeated, "row, count", "repeat times"),
    operator("{0} == {1}", TEST_LEVELS, 2, ops.eq, "list, list", "equal same is palindrome whether", swaps=True),
    operator("{0} == {1}", TEST_LEVELS, 2, ops.eq, "tuple, tuple", "equal same is whether", swaps=True),
    operator("{0} == {1}", TEST_LEVELS, 2, ops.eq, "set, set", "equal same is whether", swaps=True),
    operator("{0} == {1}", TEST_LEVELS, 3, ops.eq, "dict, dict", "equal same is whether anagram", swaps=True),
    operator("{0} <= {1}", TEST_LEVELS, 4, ops.le, "set, set", "subset all contains"),
    operator("{0} in {1}", TEST_LEVELS, 2, _member, "number, numbers", "in contains present member exists"),
    operator("{0} in {1}", TEST_LEVELS, 2, _member, "str, texts", "in contains present member exists"),
    operator("{0} in {1}", TEST_LEVELS, 4, _member, "any, nested", "in contains present member exists"),
    operator("{0} not in {1}", TEST_LEVELS, 3, _missing, "number, numbers", "not without remove except"),
    operator("{0} not in {1}", TEST_LEVELS, 3, _missing, "str, texts", "not without remove except"),
    operator("{0} & {1}", _SET_LEVELS, 3, ops.and_, "set, set", "common intersection both shared", swaps=True),
    operator("{0} | {1}", _SET_LEVELS, 4, ops.or_, "set, set", "union either", swaps=True),
    walk("set.intersection(*map(set, {0}))", 5, lambda v: set.intersection(*map(set, v)), "some rows",
        "common intersection all"),
    operator("{0} - {1}", SUM_LEVELS, 4, _differing, "set, set", "difference missing not"),
    operator("{0} ^ {1}", _SET_LEVELS, 4, ops.xor, "set, set", "symmetric dissimilar difference", swaps=True),
    on("{0}[{1}]", 2, lambda a, b: a[b], "sequence, int", "index element position item kth nth"),
    on("{0}[{1}]", 2, lambda a, b: a[b], "dict, any", "key lookup value"),
    on("{0}[{1} - 1]", 3, _ordinal, "sequence, count", "kth nth element position"),
    on("{0}[len({0}) - {1}:]", 3, _last, "sequence, count", "last end"),
    on("{0}[{1}:]", 3, lambda a, b: a[b:], "sequence, int", "last after from"),
    on("{0}[:{1}]", 3, lambda a, b: a[:b], "sequence, int", "first before up"),
    on("{0}[::{1}]", 4, _every, "sequence, int", "every step nth"),
    on("{0}[{1}:{2}]", 5, lambda a, b, c: a[b:c], "sequence, int, int", "between range from slice"),
    on("{0}[{1}:{2} + 1]", 6, lambda a, b, c: a[b : c + 1], "sequence, int, int", "between range from inclusive"),
    on("{0}.count({1})", 2, _count, "numbers, number", "count number times occurrences"),
    on("{0}.count({1})", 2, _count, "texts, str", "count number times occurrences"),
    on("{0}.count({1})", 4, _count, "row, any", "count number times occurrences"),
    on("{0}.index({1})", 4, lambda a, b: a.index(b), "numbers, number", "index position first"),
    on("{0}.index({1})", 4, lambda a, b: a.index(b), "texts, str", "index position first"),
    on("{0}.get({1})", 3, lambda a, b: a.get(b), "dict, any", "get lookup default"),
    on("{0}.get({1}, {2})", 4, lambda a, b, c: a.get(b, c), "dict, any, any", "get lookup default"),
    call("list(zip({0}, {1}))", 3, _zipped, "sequence, sequence",
        "pairs zip corresponding wise two each"),
    call("list(zip({0}, {1}, {2}))", 3, _zipped, "sequence, sequence, sequence", "three each pairs corresponding"),
    call("list(map(list, zip({0}, {1})))", 6, lambda a, b: list(map(list, zip(a, b))), "sequence, sequence",
        "pairs zip"),
    call("{{**{0}, **{1}}}", 3, _merged, "dict, dict", "merge combine update"),
    call("[{0}[i:i + {1}] for i in range(0, len({0}), {1})]", 5, _cut, "sequence, int",
        "chunk chunks split group every size divide"),
    call("[{0}[i:i + {1}] for i in range(len({0}) - {1} + 1)]", 5, _windows, "sequence, int",
        "substring consecutive window subarray sublist"),
    call("list(itertools.combinations({0}, {1}))",
        5, lambda a, b: _bounded(itertools.combinations(a, b)), "sequence, count",
        "combinations pairs two any distinct"),
    call("list(itertools.permutations({0}))", 5, lambda a: _bounded(itertools.permutations(a)), "sequence",
        "permutations arrangements"),
    call("list(itertools.product({0}, {1}))", 5, lambda a, b: _bounded(itertools.product(a, b)), "sequence, sequence",
        "product each every pairs cartesian"),
    operator("[{0}] * {1}", (LOOSE, ATOM, PRODUCT), 4, lambda a, b: _repeated([a], b), "any, count", "create times"),
    call("[{0}]", 4, lambda a: [a], "any", "list"),
    call("[{0}, {1}, {2}]", 3, lambda a, b, c: [a, b, c], "number, number, number", "three"),
    call("({0}, {1})", 4, lambda a, b: (a, b), "any, any", "pair tuple both"),
]  # fmt: skip
