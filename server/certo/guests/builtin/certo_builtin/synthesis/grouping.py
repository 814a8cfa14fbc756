"""Grouping: dictionaries that collect the elements of an iterable by a key, found from the examples.

Groups, counts, totals and indexes are all one loop: each element has a key and a value, and the values of one key are
collected. The examples show the keys, so the expression for the key is found first, and then the one for the value, for
each way to collect values (deduction from the goal, as in `goals`).
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.loops import NAMES, RESULT, Body
from certo_builtin.synthesis.rows import MAX_ELEMENTS, Rows
from certo_builtin.synthesis.terms import ATOM, PRODUCT, Term, agrees

TRIES = 3000
MAX_COST = 5
"""Maximum cost of an expression for a key or a value."""

MAX_KEYS = 8


class Collector(NamedTuple):
    """A way to collect the values of one key: its statement, and the function from the values to the result."""

    statement: str
    together: Callable[[List[Any]], Any]
    cost: int


COLLECTORS: Sequence[Collector] = (
    Collector("result[{0}] = {1}", lambda values: values[-1], 2),
    Collector("result[{0}] = result.get({0}, 0) + {1}", sum, 3),
    Collector("result.setdefault({0}, []).append({1})", list, 3),
)


def groupings(
    leaves: Sequence[Leaf], constants: Sequence[Leaf], words: FrozenSet[str], expected: Sequence[Any]
) -> Iterator[Body]:
    """Yield the loops whose dictionary explains every example, in no order of cost."""
    taken = {leaf.text for leaf in leaves}
    if RESULT in taken or not all(type(value) is dict for value in expected):
        return
    variable = next(name for name in NAMES if name not in taken)
    for over in _iterables(leaves):
        if 1 < sum(map(len, over.values)) <= MAX_ELEMENTS:
            yield from _Grouping(Rows(over, variable), expected).bodies(leaves, constants, words)


def _iterables(leaves: Sequence[Leaf]) -> Iterator[Term]:
    """Yield the iterables to loop over: a collection, the words of a text, the items of a dictionary."""
    for leaf in leaves:
        kinds = {type(value) for value in leaf.values}
        if kinds <= {list, tuple} or kinds == {str}:
            yield Term(leaf.text, leaf.values, 1, ATOM, frozenset())
        if kinds == {str}:
            words = tuple(value.split() for value in leaf.values)
            yield Term(leaf.text + ".split()", words, 3, ATOM, frozenset())
        if kinds == {dict}:
            items = tuple(list(value.items()) for value in leaf.values)
            yield Term(leaf.text + ".items()", items, 2, ATOM, frozenset())


class _Grouping:
    """The search of one loop."""

    def __init__(self, rows: Rows, expected: Sequence[Dict[Any, Any]]) -> None:
        self.rows = rows
        self.expected = expected

    def bodies(self, leaves: Sequence[Leaf], constants: Sequence[Leaf], words: FrozenSet[str]) -> Iterator[Body]:
        """Yield the bodies of this loop."""
        space = Enumeration(self.rows.leaves(leaves, constants), words, (), Tries(TRIES))
        terms = [term for cost in range(1, MAX_COST + 1) for term in space.grow(cost)]
        # The result shows its keys, so keys are settled before any value is tried: the two searches add up instead of
        # multiplying.
        keys = (term for term in terms if self.rows.mentioned(term.text) and self._has_keys(term))
        for key in islice(keys, MAX_KEYS):
            groups = [_grouped(*pair) for pair in zip(self.rows.split(key.values), self._places())]
            for value in terms:
                yield from self._collected(key, groups, value)

    def _places(self) -> List[List[int]]:
        """Return the positions of the elements among all, example by example."""
        return [list(map(int, row)) for row in self.rows.split(range(len(self.rows.elements)))]

    def _has_keys(self, term: Term) -> bool:
        found = self.rows.split(term.values)
        return all(set(map(repr, keys)) == set(map(repr, want)) for keys, want in zip(found, self.expected))

    def _collected(self, key: Term, groups: Sequence[Dict[Any, List[int]]], value: Term) -> Iterator[Body]:
        for collector in COLLECTORS:
            try:
                made = [
                    {one: collector.together([value.values[place] for place in where]) for one, where in group.items()}
                    for group in groups
                ]
            except TypeError:
                # These values cannot be added up.
                continue
            if all(map(agrees, made, self.expected)):
                cost = self.rows.over.cost + key.cost + value.cost + collector.cost
                yield Body(cost, self._written(collector.statement.format(key.text, value.at(PRODUCT))))

    def _written(self, statement: str) -> Tuple[str, ...]:
        return (RESULT + " = {}", self.rows.loop + ":", "    " + statement, "return " + RESULT)


def _grouped(keys: Sequence[Any], places: Sequence[int]) -> Dict[Any, List[int]]:
    found: Dict[Any, List[int]] = {}
    for key, place in zip(keys, places):
        found.setdefault(key, []).append(place)
    return found
