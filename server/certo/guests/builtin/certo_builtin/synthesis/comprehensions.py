"""Comprehensions over one iterable: filtered, mapped, counted, summed, joined, sorted, reduced."""

from __future__ import annotations

import math
import operator as ops
import re
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Leaf, applied, bare, partly
from certo_builtin.synthesis.rows import MAX_ELEMENTS, Rows
from certo_builtin.synthesis.terms import ATOM, COMPARED, SUM, Term

EVERYWHERE = frozenset(range(MAX_ELEMENTS))
"""Positions where a comprehension may raise at first; the surrounding space decides if it may stay."""


class Made(NamedTuple):
    """A comprehension: its text, its values on the examples, and its cost."""

    text: str
    values: Tuple[Any, ...]
    cost: int
    level: int = ATOM


class Comprehensions:
    """Comprehensions over one iterable, of the `most` cheapest conditions and images, `paired` of each for pairs."""

    def __init__(self, rows: Rows, most: int, paired: int) -> None:
        self.rows = rows
        self.most = most
        self.paired = paired
        self.tests: List[Term] = []
        self.images: List[Term] = []

    def with_terms(self, terms: Sequence[Term]) -> Iterator[Made]:
        """Yield the expressions made of these terms, alone and with earlier ones, in no order of cost."""
        for term in terms:
            is_test = "bool" in term.kinds
            if is_test and len(self.tests) < self.most:
                self.tests.append(term)
                yield from _filtered(self.rows, term)
                for image in self.images[: self.paired] if len(self.tests) <= self.paired else ():
                    yield from _both(self.rows, term, image)
            elif not is_test and len(self.images) < self.most and term.text != self.rows.variable:
                self.images.append(term)
                yield from _mapped(self.rows, term)
                for test in self.tests[: self.paired] if len(self.images) <= self.paired else ():
                    yield from _both(self.rows, test, term)


def _made(text: str, rows: Sequence[Any], cost: int, apply: Callable[[Any], Any]) -> Iterator[Made]:
    values = applied(apply, [rows]) or partly(apply, [rows], EVERYWHERE)
    if values is not None:
        yield Made(text, values, cost)


def _filtered(rows: Rows, test: Term) -> Iterator[Made]:
    kept = rows.split(test.values)
    chosen = [[one for one, keep in zip(row, marks) if keep] for row, marks in zip(rows.rows, kept)]
    loop, cost = rows.loop, rows.over.cost + test.cost + 1
    yield from _made("all({} {})".format(test.text, loop), kept, cost, all)
    yield from _made("any({} {})".format(test.text, loop), kept, cost, any)
    yield from _made("sum({} {})".format(test.text, loop), kept, cost, sum)
    if all(all(marks) for marks in kept) or not any(any(marks) for marks in kept):
        return
    variable = rows.variable
    yield from _made("[{} {} if {}]".format(variable, loop, test.text), chosen, cost, list)
    if "str" in rows.over.kinds:
        yield from _made("''.join({} {} if {})".format(variable, loop, test.text), chosen, cost, "".join)
    if "numbers" in rows.over.kinds:
        for name, choose in (("sum", sum), ("max", max), ("min", min)):
            text = "{}({} {} if {})".format(name, variable, loop, test.text)
            yield from _made(text, chosen, cost + 1, choose)
    first = "next(({} {} if {}), None)".format(variable, loop, test.text)
    yield from _made(first, chosen, cost + 2, lambda row: row[0] if row else None)


def _mapped(rows: Rows, image: Term) -> Iterator[Made]:
    values = rows.split(image.values)
    loop, cost, text = rows.loop, rows.over.cost + image.cost + 1, image.text
    kinds = image.kinds
    yield from _made("[{} {}]".format(text, loop), values, cost, list)
    if "number" in kinds:
        yield from _made("sum({} {})".format(text, loop), values, cost, sum)
        yield from _made("math.prod({} {})".format(text, loop), values, cost + 2, math.prod)
    if "character" in kinds or "str" in kinds:
        yield from _made("''.join({} {})".format(text, loop), values, cost, "".join)
    if {"number", "str", "bool", "tuple"} & kinds:
        yield from _made("{{{} {}}}".format(text, loop), values, cost + 1, set)
        pairs = [list(zip(row, images)) for row, images in zip(rows.rows, values)]
        yield from _made("{{{}: {} {}}}".format(rows.variable, text, loop), pairs, cost + 1, dict)
    if {"number", "str", "tuple"} & kinds:
        yield from _chosen(rows, image, values)


def _chosen(rows: Rows, image: Term, values: List[List[Any]]) -> Iterator[Made]:
    loop, cost, text = rows.loop, rows.over.cost + image.cost + 1, image.text
    keyed = [list(zip(keys, row)) for keys, row in zip(values, rows.rows)]
    over = bare(rows.over.text)
    key = "key=lambda {}: {}".format(rows.variable, text)
    rising = partial(sorted, key=_first)
    yield from _made("sorted({}, {})".format(over, key), keyed, cost + 1, lambda pairs: _seconds(rising(pairs)))
    falling = partial(sorted, key=_first, reverse=True)
    text_of_falling = "sorted({}, {}, reverse=True)".format(over, key)
    yield from _made(text_of_falling, keyed, cost + 2, lambda pairs: _seconds(falling(pairs)))
    if any(rows.rows):
        yield from _made("max({} {})".format(text, loop), values, cost, max)
        yield from _made("min({} {})".format(text, loop), values, cost, min)
        yield from _made("max({}, {})".format(over, key), keyed, cost + 1, lambda pairs: max(pairs, key=_first)[1])
        yield from _made("min({}, {})".format(over, key), keyed, cost + 1, lambda pairs: min(pairs, key=_first)[1])


def _seconds(pairs: Sequence[Tuple[Any, Any]]) -> List[Any]:
    return [second for _, second in pairs]


def _first(pair: Tuple[Any, Any]) -> Any:
    return pair[0]


def _both(rows: Rows, test: Term, image: Term) -> Iterator[Made]:
    marks, values = rows.split(test.values), rows.split(image.values)
    chosen = [[one for one, keep in zip(row, kept) if keep] for row, kept in zip(values, marks)]
    loop, cost = rows.loop, rows.over.cost + test.cost + image.cost + 1
    if "number" in image.kinds:
        yield from _made("sum({} {} if {})".format(image.text, loop, test.text), chosen, cost, sum)
    else:
        yield from _made("[{} {} if {}]".format(image.text, loop, test.text), chosen, cost, list)


COST = 3
COMPARISONS: Sequence[Tuple[str, Callable[[Any, Any], Any]]] = (
    ("{} == {}", ops.eq), ("{} < {}", ops.lt), ("{} <= {}", ops.le),
)  # fmt: skip
ORDERED = "number"


class Symmetry:
    """Terms over a single parameter, grouped by their form, for comparison between parameters."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.names = [leaf.text for leaf in leaves if leaf.text.isidentifier()] if len(leaves) > 1 else []
        self.seen: Dict[str, List[Term]] = {}
        self.patterns = {name: re.compile(r"\b{}\b".format(name)) for name in self.names}

    def with_term(self, term: Term) -> Iterator[Made]:
        """Yield the comparisons of a term with its counterparts."""
        mentioned = [name for name in self.names if name in term.text and self.patterns[name].search(term.text)]
        if len(mentioned) != 1 or "bool" in term.kinds or term.partial:
            return
        measure = self.patterns[mentioned[0]].sub("{}", term.text)
        others = self.seen.setdefault(measure, [])
        for other in others:
            for text, compare in COMPARISONS if ORDERED in term.kinds & other.kinds else COMPARISONS[:1]:
                values = applied(compare, [other.values, term.values])
                if values is not None and all(type(value) is bool for value in values):
                    written = text.format(other.at(SUM), term.at(SUM))
                    yield Made(written, values, max(term.cost, other.cost) + COST, COMPARED)
        others.append(term)
