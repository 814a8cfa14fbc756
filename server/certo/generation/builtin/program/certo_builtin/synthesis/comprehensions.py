"""One level of comprehensions: what can be said of each element of something, filtered, mapped or summed up."""

from __future__ import annotations

from typing import Any, FrozenSet, Iterator, List, NamedTuple, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Enumeration, Leaf
from certo_builtin.synthesis.terms import ATOM, LOOSE, Term

DEAREST_INNER = 5
MOST_INNER = 1500
MOST_ELEMENTS = 300
MOST_TESTS = 100
MOST_MAPS = 300


class Made(NamedTuple):
    """A comprehension: its text, its values on the examples, and its cost."""

    text: str
    values: Tuple[Any, ...]
    cost: int


class Inner:
    """The elements of one iterable term on all examples, laid end to end, and the terms over them."""

    def __init__(
        self, over: Term, variable: str, outer: Sequence[Leaf], constants: Sequence[Leaf], words: FrozenSet[str]
    ) -> None:
        self.over = over
        self.variable = variable
        self.rows: List[List[Any]] = [list(value) for value in over.values]
        elements = tuple(element for row in self.rows for element in row)
        owners = [index for index, row in enumerate(self.rows) for _ in row]
        leaves = [Leaf(variable, elements, 1, ATOM)]
        if elements and all(isinstance(one, (tuple, list)) and len(one) == 2 for one in elements):
            for place in (0, 1):
                values = tuple(one[place] for one in elements)
                leaves.append(Leaf("{}[{}]".format(variable, place), values, 1, ATOM))
        for leaf in [*outer, *constants]:
            values = tuple(leaf.values[owner] for owner in owners)
            leaves.append(Leaf(leaf.text, values, leaf.cost + 1, leaf.level))
        self.space = Enumeration(leaves, words, (), MOST_INNER)

    def grown(self) -> List[Term]:
        """The terms over the elements that mention the element, cheap ones first."""
        for cost in range(1, DEAREST_INNER + 1):
            for _ in self.space.grow(cost):
                pass
        return [term for term in self.space.terms() if self.variable in term.text]

    def split(self, values: Sequence[Any]) -> List[List[Any]]:
        """Values over all elements, example by example."""
        left = iter(values)
        return [[next(left) for _ in row] for row in self.rows]


def can_iterate(term: Term) -> bool:
    """Whether a term is worth going through: a collection with an element somewhere, and not too many."""
    sized = bool({"sequence", "collection"} & term.kinds)
    return sized and 0 < sum(len(value) for value in term.values) <= MOST_ELEMENTS


def comprehensions(inner: Inner) -> Iterator[Made]:
    """Every comprehension over one iterable, in no particular order of cost."""
    terms = inner.grown()
    tests = [term for term in terms if "bool" in term.kinds][:MOST_TESTS]
    maps = [term for term in terms if term.text != inner.variable][:MOST_MAPS]
    for test in tests:
        yield from _filtered(inner, test)
    for image in maps:
        yield from _mapped(inner, image)
    for test in tests[: MOST_TESTS // 4]:
        for image in maps[: MOST_MAPS // 6]:
            yield from _both(inner, test, image)


def _loop(inner: Inner) -> str:
    return "for {} in {}".format(inner.variable, inner.over.at(COMPREHENDED))


COMPREHENDED = LOOSE + 1
"""A conditional expression after `in` needs parentheses."""


def _filtered(inner: Inner, test: Term) -> Iterator[Made]:
    kept = inner.split(test.values)
    chosen = [[one for one, keep in zip(row, marks) if keep] for row, marks in zip(inner.rows, kept)]
    loop, cost = _loop(inner), inner.over.cost + test.cost + 1
    yield Made("all({} {})".format(test.text, loop), tuple(all(marks) for marks in kept), cost)
    yield Made("any({} {})".format(test.text, loop), tuple(any(marks) for marks in kept), cost)
    yield Made("[{} {} if {}]".format(inner.variable, loop, test.text), tuple(chosen), cost)
    yield Made("sum({} {})".format(test.text, loop), tuple(sum(marks) for marks in kept), cost)
    if "str" in inner.over.kinds:
        joined = tuple("".join(row) for row in chosen)
        yield Made("''.join({} {} if {})".format(inner.variable, loop, test.text), joined, cost)


def _mapped(inner: Inner, image: Term) -> Iterator[Made]:
    rows = inner.split(image.values)
    loop, cost = _loop(inner), inner.over.cost + image.cost + 1
    yield Made("[{} {}]".format(image.text, loop), tuple(rows), cost)
    if "number" in image.kinds:
        yield Made("sum({} {})".format(image.text, loop), tuple(sum(row) for row in rows), cost)
    if "str" in image.kinds:
        yield Made("''.join({} {})".format(image.text, loop), tuple("".join(row) for row in rows), cost)
    if {"number", "str"} & image.kinds and all(inner.rows):
        keyed = [list(zip(keys, row)) for keys, row in zip(rows, inner.rows)]
        for call, choose in (("max", max), ("min", min)):
            best = tuple(choose(pairs, key=lambda pair: pair[0])[1] for pairs in keyed)
            key = "key=lambda {}: {}".format(inner.variable, image.text)
            yield Made("{}({}, {})".format(call, inner.over.text, key), best, cost + 1)
        ordered = tuple([one for _, one in sorted(pairs, key=lambda pair: pair[0])] for pairs in keyed)
        yield Made("sorted({}, {})".format(inner.over.text, key), ordered, cost + 1)


def _both(inner: Inner, test: Term, image: Term) -> Iterator[Made]:
    marks, rows = inner.split(test.values), inner.split(image.values)
    chosen = [[one for one, keep in zip(row, kept) if keep] for row, kept in zip(rows, marks)]
    loop, cost = _loop(inner), inner.over.cost + test.cost + image.cost + 1
    yield Made("[{} {} if {}]".format(image.text, loop, test.text), tuple(chosen), cost)
    if "number" in image.kinds:
        yield Made("sum({} {} if {})".format(image.text, loop, test.text), tuple(sum(row) for row in chosen), cost)
