"""Bottom-up enumeration: all expressions by rising cost, one for each behaviour on the examples.

Expressions are built from the leaves up, and of those with the same values on every example only the first, cheapest
one is kept (observational equivalence: Albarghouthi et al., "Recursive program synthesis", 2013; Udupa et al.,
"TRANSIT", 2013). The types of a term's values decide which components may take it, as in type-directed search.

The size of a space is counted in applications of components and never in seconds, so that every machine finds the same.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component, priced
from certo_builtin.synthesis.terms import MISSING, Term, all_small, fingerprint, kinds_of

MIXED = frozenset({"mixed"})

VALUES_PER_TRY = 12
"""Number of values per try: an application to up to twice as many counts as two."""


class Leaf(NamedTuple):
    """An expression without components: its text, its values, its cost.

    `fixed` means that it is a constant, `asked` that a parameter is expected to be used.
    """

    text: str
    values: Tuple[Any, ...]
    cost: int
    level: int
    fixed: bool = False
    asked: bool = False


class Tries:
    """The remaining number of applications of components."""

    def __init__(self, granted: int) -> None:
        self.left = granted

    @property
    def spent(self) -> bool:
        """True if none are left."""
        return self.left <= 0


class Enumeration:
    """One space of terms over one list of examples, grown level by level until its tries are used up."""

    def __init__(
        self,
        leaves: Sequence[Leaf],
        words: FrozenSet[str],
        more: Sequence[Component],
        tries: Tries,
        optional: FrozenSet[int] = frozenset(),
    ) -> None:
        self.components = [(one, priced(one, words)) for one in COMPONENTS] + [(one, one.cost) for one in more]
        self.leaves = leaves
        self.tries = tries
        self.optional = optional
        """Examples on which a term may raise, because a condition may still exclude them."""
        self._usual = [place for place in range(len(leaves[0].values) if leaves else 0) if place not in optional]
        self.price = 1 + (len(leaves[0].values) if leaves else 0) // VALUES_PER_TRY
        self.known: Dict[str, Term] = {}
        """The term of each behaviour."""
        self.varying: Set[str] = set()
        """Behaviours of constants that a term with a parameter has as well: a constant value on all examples may be an
        accident, as if the minimum of each list is 1.
        """
        self.wanted: FrozenSet[str] = frozenset()
        """Behaviours for which every term is reported, though only the first is kept, because any of them may be meant.
        """
        self._levels: Dict[int, Dict[str, List[Term]]] = {}

    def add(self, text: str, values: Tuple[Any, ...], cost: int, level: int, *, fixed: bool = False) -> Optional[Term]:
        """Keep a term unless one with the same behaviour is kept already; return it if it is new."""
        if any(value is MISSING and place not in self.optional for place, value in enumerate(values)):
            return None
        behaviour = self.new_behaviour(values, fixed=fixed)
        return None if behaviour is None else self._keep(behaviour, text, values, cost, level, fixed=fixed)

    def new_behaviour(self, values: Tuple[Any, ...], *, fixed: bool = False) -> Optional[str]:
        """Return the fingerprint of values that no term has yet; None if one has, or they are not worth keeping."""
        if not all_small(values):
            return None
        behaviour = fingerprint(values)
        if behaviour is None:
            return None
        known = self.known.get(behaviour)
        if known is None or (known.fixed and not fixed and behaviour not in self.varying):
            return behaviour
        return None

    def _keep(
        self, behaviour: str, text: str, values: Tuple[Any, ...], cost: int, level: int, *, fixed: bool = False
    ) -> Term:
        partial = any(value is MISSING for value in values) if self.optional else False
        # Values on optional examples do not restrict the components: `max` may be given no elements there.
        known = tuple(values[place] for place in self._usual) if self.optional else values
        kinds = kinds_of(known)
        if "NoneType" not in kinds and any(values[place] is None for place in self.optional):
            kinds |= MIXED
        term = Term(text, values, cost, level, kinds, fixed, partial)
        if behaviour in self.known:
            self.varying.add(behaviour)
        else:
            self.known[behaviour] = term
        level_of_kinds = self._levels.setdefault(cost, {})
        for kind in term.kinds:
            level_of_kinds.setdefault(kind, []).append(term)
        return term

    def grow(self, cost: int) -> Iterator[Term]:
        """Add all terms of one cost, given that the cheaper ones exist, and yield the new ones."""
        # By rising cost, every cheaper term exists before a costlier one is made. So the first term of a behaviour is a
        # cheapest one, and all later ones can be dropped for good: components see only values, so no larger expression
        # could tell the two apart.
        for leaf in self.leaves:
            if leaf.cost == cost:
                term = self.add(leaf.text, leaf.values, cost, leaf.level, fixed=leaf.fixed)
                if term is not None:
                    yield term
        for component, price in self.components:
            if price < cost:
                for arguments in self._arguments(component, cost - price):
                    self.tries.left -= self.price
                    if self.tries.left <= 0:
                        return
                    term = self._apply(component, arguments, cost)
                    if term is not None:
                        yield term

    def terms(self) -> Iterator[Term]:
        """Yield every kept term, cheap ones first."""
        for cost in sorted(self._levels):
            yield from self._levels[cost].get("any", ())

    def of(self, cost: int, kind: str = "any") -> List[Term]:
        """Return the terms of one cost and kind."""
        return self._levels.get(cost, {}).get(kind, [])

    def _arguments(self, component: Component, cost: int) -> Iterator[Tuple[Term, ...]]:
        takes = component.takes
        if len(takes) == 1:
            for term in self.of(cost, takes[0]):
                if not term.fixed:
                    yield (term,)
        elif len(takes) == 2:
            # Of a commutative component only the half with the cheaper argument first is needed.
            last = cost // 2 if component.swaps else cost - 1
            for first in range(1, last + 1):
                yield from _pairs(self.of(first, takes[0]), self.of(cost - first, takes[1]))
        else:
            yield from self._triples(takes, cost)

    def _triples(self, takes: Tuple[str, ...], cost: int) -> Iterator[Tuple[Term, ...]]:
        for first in range(1, cost - 1):
            for second in range(1, cost - first):
                pairs = list(_pairs(self.of(first, takes[0]), self.of(second, takes[1]), varied=False))
                for third in self.of(cost - first - second, takes[2]) if pairs else ():
                    yield from ((left, middle, third) for left, middle in pairs if not left.fixed)

    def _apply(self, component: Component, arguments: Tuple[Term, ...], cost: int) -> Optional[Term]:
        columns = [term.values for term in arguments]
        partial = bool(self.optional) and any(term.partial for term in arguments)
        values = None if partial else applied(component.apply, columns)
        if values is None and self.optional:
            values = partly(component.apply, columns, self.optional)
        if values is None:
            return None
        behaviour = self.new_behaviour(values)
        if behaviour is None and not (self.wanted and fingerprint(values) in self.wanted):
            return None
        texts = [term.at(level) for term, level in zip(arguments, component.needs)]
        if component.walks:
            texts[0] = bare(texts[0])
        text = component.text.format(*texts)
        if behaviour is None:
            return Term(text, values, cost, component.level, kinds_of(values))
        return self._keep(behaviour, text, values, cost, component.level)


def _pairs(left: List[Term], right: List[Term], *, varied: bool = True) -> Iterator[Tuple[Term, Term]]:
    """Yield the pairs of two lists; with `varied`, without pairs of constants."""
    if right:
        for first in left:
            if varied and first.fixed:
                for second in right:
                    if not second.fixed:
                        yield first, second
            else:
                for second in right:
                    yield first, second


def bare(text: str) -> str:
    """Return an iterable without the `list(...)` around it, for use where it is only iterated."""
    if not text.startswith("list("):
        return text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == ")":
            inner = text[5:-1]
            return inner if place == len(text) - 1 and inner and " for " not in inner else text
    return text


def applied(function: Callable[..., Any], columns: Sequence[Sequence[Any]]) -> Optional[Tuple[Any, ...]]:
    """Return the function's values over rows of arguments; None if one of them raises."""
    try:
        return tuple(map(function, *columns))
    except Exception:  # a component, or a function of the project, given what it cannot take
        return None


def partly(
    function: Callable[..., Any], columns: Sequence[Sequence[Any]], optional: FrozenSet[int]
) -> Optional[Tuple[Any, ...]]:
    """Return the values, with MISSING where it raises on an optional row; None if it raises on another, or on all."""
    found: List[Any] = []
    for place, row in enumerate(zip(*columns)):
        value: Any = MISSING
        if not any(one is MISSING for one in row):
            try:
                value = function(*row)
            except Exception:  # as above
                value = MISSING
        if value is MISSING and place not in optional:
            return None
        found.append(value)
    return None if all(value is MISSING for value in found) else tuple(found)
