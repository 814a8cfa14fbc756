"""Elements of an iterable term on all examples, concatenated, so that an expression over one is a term again."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Leaf, bare
from certo_builtin.synthesis.goals import Goal
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, Term

MAX_ELEMENTS = 300
MAX_PARTS = 4

USELESS: Tuple[Any, ...] = (True, False, None, "", [])
"""Constants that an expression over an element hardly needs."""

FLATTENED = (2, 3)
"""Numbers of elements that a nested loop may make of one."""

COMPREHENDED = LOOSE + 1
"""Pattern of a conditional expression, which needs parentheses after `in`."""


class Rows:
    """Iterations of a loop over one term: each row has the elements of one example."""

    def __init__(self, over: Term, variable: str) -> None:
        self.over = over
        self.variable = variable
        self.rows: List[List[Any]] = [list(value) for value in over.values]
        self.owners = [index for index, row in enumerate(self.rows) for _ in row]
        self.elements = tuple(element for row in self.rows for element in row)
        self.loop = "for {} in {}".format(variable, bare(over.at(COMPREHENDED)))
        self._mentions = re.compile(r"\b{}\b".format(variable))

    def mentioned(self, text: str) -> bool:
        """True if an expression mentions the element."""
        return self._mentions.search(text) is not None

    def leaves(self, outer: Sequence[Leaf], constants: Sequence[Leaf]) -> List[Leaf]:
        """Return the element and its parts, and the values that stay the same in the loop, which cost more."""
        found = [Leaf(self.variable, self.elements, 1, ATOM)]
        size = len(self.elements[0]) if self.elements and type(self.elements[0]) is tuple else 0
        if 1 < size <= MAX_PARTS and all(type(one) is tuple and len(one) == size for one in self.elements):
            for place in range(size):
                values = tuple(one[place] for one in self.elements)
                found.append(Leaf("{}[{}]".format(self.variable, place), values, 1 if place < 2 else 3, ATOM))
        useful = [
            leaf
            for leaf in constants
            if not (leaf.values and leaf.values[0] in USELESS and leaf.values[0] not in (0, 1))
        ]
        for leaf in [*outer, *useful]:
            values = tuple(leaf.values[owner] for owner in self.owners)
            # Fixed within the loop: an expression of these alone belongs before it.
            found.append(Leaf(leaf.text, values, leaf.cost + (not leaf.fixed), leaf.level, fixed=True))
        return found

    def in_any_order(self) -> List[List[str]]:
        """Return the elements of each row as a multiset."""
        return [sorted(map(repr, row)) for row in self.rows]

    def split(self, values: Sequence[Any]) -> List[List[Any]]:
        """Return values over all elements, split by example."""
        found: List[List[Any]] = []
        start = 0
        for row in self.rows:
            found.append(list(values[start : start + len(row)]))
            start += len(row)
        return found

    def mapped_to(self, goal: Goal) -> Optional[Goal]:
        """Return the goal of an expression over the element for `[… for x in …]` to reach a goal."""
        values = goal.values
        if not all(type(value) is list and len(value) == len(row) for value, row in zip(values, self.rows)):
            return None

        def wrap(text: str, _level: int) -> Tuple[str, int]:
            return goal.wrap("[{} {}]".format(text, self.loop), ATOM)

        return Goal(tuple(one for value in values for one in value), goal.cost + self.over.cost + 1, wrap)

    def flattened_to(self, goal: Goal) -> Optional[Goal]:
        """Return the goal of an iterable over the element for `[y for x in … for y in …]` to reach a goal."""
        values = goal.values
        sizes = {len(value) / len(row) if row else 0.0 for value, row in zip(values, self.rows) if type(value) is list}
        if len(sizes) != 1 or not all(type(value) is list for value in values):
            return None
        size = int(min(sizes))
        if size not in FLATTENED or size not in sizes:
            return None
        pieces = [value[start : start + size] for value in values for start in range(0, len(value), size)]

        def wrap(text: str, _level: int) -> Tuple[str, int]:
            return goal.wrap("[each {} for each in {}]".format(self.loop, text), ATOM)

        return Goal(tuple(pieces), goal.cost + self.over.cost + 2, wrap)

    def filtered_to(self, goal: Goal, image: Optional[Term] = None) -> Optional[Goal]:
        """Return the goal of a condition on the element for `[image for x in … if …]` to reach a goal."""
        if not all(type(value) is list and len(value) <= len(row) for value, row in zip(goal.values, self.rows)):
            return None
        given = self.rows if image is None else self.split(image.values)
        marks = _marks(given, goal.values)
        if marks is None or all(marks) or not any(marks):
            return None
        text_of_image = self.variable if image is None else image.text
        cost = goal.cost + self.over.cost + 1 + (0 if image is None else image.cost)

        def wrap(text: str, level: int) -> Tuple[str, int]:
            condition = text if level >= COMPARED else "({})".format(text)
            return goal.wrap("[{} {} if {}]".format(text_of_image, self.loop, condition), ATOM)

        return Goal(tuple(marks), cost, wrap)


def _marks(rows: Sequence[List[Any]], wanted: Sequence[Any]) -> Optional[List[bool]]:
    """Return a mark for each value of each row that was kept; None if that is ambiguous."""
    marks: List[bool] = []
    for row, want in zip(rows, wanted):
        # An element counts as kept if its value is in the result. If one value was kept in one place and dropped in
        # another, the comparison below fails, as it must: no condition on the element explains that.
        kept = [any(one is other or (type(one) is type(other) and one == other) for other in want) for one in row]
        if [one for one, keep in zip(row, kept) if keep] != want:
            return None
        marks += kept
    return marks


def can_iterate(term: Term) -> bool:
    """True if a term is worth iterating: an ordered collection with some elements, and not too many."""
    if not {"collection", "range"} & term.kinds or "dict" in term.kinds or term.fixed or term.partial:
        return False
    if "set" in term.kinds and "integers" not in term.kinds:
        return False
    if "tuple" in term.kinds and term.cost > 1:
        # Intermediate tuples are pairs and the like, which are unpacked and not iterated.
        return False
    # An optional example may have a value of any kind.
    if not all(isinstance(value, (str, list, tuple, set, range)) for value in term.values):
        return False
    sizes = list(map(len, term.values))
    return max(sizes) > 1 and sum(sizes) <= MAX_ELEMENTS
