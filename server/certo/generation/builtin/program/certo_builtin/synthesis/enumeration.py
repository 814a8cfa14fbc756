"""Bottom-up enumeration: all expressions by rising cost, one for each behaviour on the examples.

Expressions are built from the leaves up, and of those with the same values on every example only the first, cheapest
one is kept (observational equivalence: Albarghouthi et al., "Recursive program synthesis", 2013; Udupa et al.,
"TRANSIT", 2013). Which component may take which term is decided by the kinds of the values, as a search by type does.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.synthesis.components import BINARY, UNARY, Component, priced
from certo_builtin.synthesis.terms import Term, fingerprint, is_small, kinds_of


class Leaf(NamedTuple):
    """An expression that needs no component: its text, its values, its cost."""

    text: str
    values: Tuple[Any, ...]
    cost: int
    level: int


class Enumeration:
    """One space of terms over one list of examples, grown level by level.

    `most` bounds how many terms are kept; a space that is full grows no further.
    """

    def __init__(self, leaves: Sequence[Leaf], words: FrozenSet[str], more: Sequence[Component], most: int) -> None:
        self.components = [(one, priced(one, words)) for one in [*UNARY, *BINARY]] + [(one, one.cost) for one in more]
        self.leaves = leaves
        self.most = most
        self.by_cost: Dict[int, List[Term]] = {}
        self.count = 0
        self._seen: Set[str] = set()

    @property
    def is_full(self) -> bool:
        """Whether no more terms are kept."""
        return self.count >= self.most

    def add(self, text: str, values: Tuple[Any, ...], cost: int, level: int) -> Optional[Term]:
        """Keep a term unless one with the same behaviour is kept already; the term when it is new."""
        if self.is_full or not all(is_small(value) for value in values):
            return None
        behaviour = fingerprint(values)
        if behaviour is None or behaviour in self._seen:
            return None
        self._seen.add(behaviour)
        term = Term(text, values, cost, level, kinds_of(values))
        self.by_cost.setdefault(cost, []).append(term)
        self.count += 1
        return term

    def grow(self, cost: int) -> Iterator[Term]:
        """Add all terms of one cost, given that the cheaper ones are there, and yield those that are new."""
        for leaf in self.leaves:
            if leaf.cost == cost:
                term = self.add(leaf.text, leaf.values, cost, leaf.level)
                if term is not None:
                    yield term
        for component, price in self.components:
            for arguments in self._arguments(component, cost - price):
                if self.is_full:
                    return
                term = self._apply(component, arguments, cost)
                if term is not None:
                    yield term

    def terms(self) -> Iterator[Term]:
        """Every term that is kept, cheap ones first."""
        for cost in sorted(self.by_cost):
            yield from self.by_cost[cost]

    def _arguments(self, component: Component, cost: int) -> Iterator[Tuple[Term, ...]]:
        if len(component.takes) == 1:
            for term in self._of_kind(cost, component.takes[0]):
                yield (term,)
            return
        for first in range(1, cost):
            left = self._of_kind(first, component.takes[0])
            right = self._of_kind(cost - first, component.takes[1]) if left else []
            yield from product(left, right)

    def _of_kind(self, cost: int, kind: str) -> List[Term]:
        return [term for term in self.by_cost.get(cost, ()) if kind in term.kinds]

    def _apply(self, component: Component, arguments: Tuple[Term, ...], cost: int) -> Optional[Term]:
        values = applied(component.apply, [term.values for term in arguments])
        if values is None:
            return None
        texts = [term.at(level) for term, level in zip(arguments, component.needs)]
        return self.add(component.text.format(*texts), values, cost, component.level)


def applied(function: Callable[..., Any], columns: Sequence[Sequence[Any]]) -> Optional[Tuple[Any, ...]]:
    """The function's values over rows of arguments; None when one of them raises."""
    try:
        return tuple(function(*row) for row in zip(*columns))
    except Exception:  # a component, or a function of the project, given what it cannot take
        return None
