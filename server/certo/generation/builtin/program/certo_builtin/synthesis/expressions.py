"""The expressions that explain a hole's examples, cheapest first."""

from __future__ import annotations

from typing import Any, FrozenSet, Iterator, List, NamedTuple, Sequence, Set

from certo_builtin.synthesis.components import Component
from certo_builtin.synthesis.comprehensions import Inner, can_iterate, comprehensions
from certo_builtin.synthesis.enumeration import Enumeration, Leaf
from certo_builtin.synthesis.terms import ATOM, Term, agrees
from certo_builtin.synthesis.unification import unified

DEAREST = 14
MOST_TERMS = 120000
BEYOND = 2
"""How much dearer than the first answer the others may be."""

DEAREST_ITERABLE = 4


class Setting(NamedTuple):
    """What expressions are built from, and what they have to be on each example."""

    leaves: List[Leaf]
    constants: List[Leaf]
    components: List[Component]
    words: FrozenSet[str]
    expected: Sequence[Any]


def expressions(setting: Setting, tries: int = MOST_TERMS) -> Iterator[str]:
    """Enumerate expressions that agree with every example."""
    space = Enumeration([*setting.leaves, *setting.constants], setting.words, setting.components, tries)
    pending: List[Any] = []
    iterated: Set[str] = set()
    told: Set[str] = set()
    limit = DEAREST
    cost = 0
    while cost < limit and not space.is_full:
        cost += 1
        answers = [term.text for term in space.grow(cost) if _explains(term, setting)]
        for made in [one for one in pending if one.cost <= cost]:
            term = space.add(made.text, made.values, cost, ATOM)
            if term is not None and _explains(term, setting):
                answers.append(term.text)
        pending = [one for one in pending if one.cost > cost]
        for term in list(space.by_cost.get(cost, ())) if cost <= DEAREST_ITERABLE else ():
            if can_iterate(term) and term.text not in iterated:
                iterated.add(term.text)
                pending += _over(term, setting, cost)
        if cost >= 3:
            answers += [text for dear, text in unified(space.terms(), setting.expected) if dear <= cost]
        for answer in answers:
            if answer not in told:
                told.add(answer)
                limit = min(limit, cost + BEYOND)
                yield answer


def _explains(term: Term, setting: Setting) -> bool:
    return all(agrees(value, want) for value, want in zip(term.values, setting.expected))


def _over(term: Term, setting: Setting, cost: int) -> List[Any]:
    """The comprehensions over one term, none of them due before the next level."""
    taken = {leaf.text for leaf in setting.leaves}
    variable = next(name for name in ("x", "item", "each", "one", "_x") if name not in taken)
    if not any(leaf.text in term.text for leaf in setting.leaves):
        return []
    inner = Inner(term, variable, setting.leaves, setting.constants, setting.words)
    return [made._replace(cost=max(cost + 1, made.cost)) for made in comprehensions(inner)]
