"""Unification: joining two partial answers by a condition that separates their examples.

This is divide and conquer over the examples (Alur, Radhakrishna, Udupa, "Scaling enumerative program synthesis via
divide and conquer", 2017), with a decision tree of one node. The examples on which a term is right, and those on which
a condition holds, are bit masks, so that testing a combination is one operation.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.enumeration import bare
from certo_builtin.synthesis.goals import Answer, Goal
from certo_builtin.synthesis.terms import ATOM, COMPARED, LOOSE, Term, agrees, fingerprint

FEW_EXAMPLES = 2
FEW_COST = 3
"""Extra cost of a condition for few examples, which hardly support it."""

MAX_ANSWERS = 3
MAX_PARTIAL = 400
MAX_TESTS = 300


class Unification:
    """Partial answers to one goal and the conditions found so far, the cheapest of each behaviour."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.everything = (1 << len(goal.values)) - 1
        self.partial: Dict[int, Term] = {}
        self.tests: Dict[int, Term] = {}
        self.useful = len(goal.values) >= FEW_EXAMPLES and not all(type(one) is bool for one in goal.values)

    def see(self, term: Term) -> None:
        """Add one more term; cheap terms come first."""
        if not self.useful:
            return
        if len(self.partial) < MAX_PARTIAL:
            right = 0
            for place, (value, want) in enumerate(zip(term.values, self.goal.values)):
                if agrees(value, want):
                    right |= 1 << place
            # Terms come by rising cost, so the first of each mask is the cheapest; a costlier one right on the same
            # examples is of no use.
            if right:
                self.partial.setdefault(right, term)
        if "bool" in term.kinds and not term.partial and len(self.tests) < MAX_TESTS:
            held = sum(1 << place for place, value in enumerate(term.values) if value)
            if held not in (0, self.everything):
                self.tests.setdefault(held, term)

    def answers(self) -> List[Answer]:
        """Return conditional expressions that agree with every example, cheapest first."""
        found: List[Answer] = []
        extra = FEW_COST if len(self.goal.values) <= FEW_EXAMPLES else 1
        # A condition fits if one term is right wherever it holds, and another wherever it does not. Each side may be
        # right elsewhere too, so masks are compared as subsets.
        for held, test in self.tests.items():
            yes = self._cheapest(held)
            no = self._cheapest(self.everything & ~held) if yes is not None else None
            if yes is not None and no is not None:
                text = "{} if {} else {}".format(yes.at(COMPARED), test.at(COMPARED), no.text)
                found.append(self.goal.answer(text, LOOSE, yes.cost + test.cost + no.cost + extra))
        return sorted(found)[:MAX_ANSWERS]

    def _cheapest(self, mask: int) -> Optional[Term]:
        fitting = [term for right, term in self.partial.items() if right & mask == mask]
        return min(fitting, key=lambda term: term.cost, default=None)


MAX_PLACES = 3
COST = 1


class Display(NamedTuple):
    """A goal with its parts: the required value of each, and how they are written together."""

    goal: Goal
    text: str
    places: Tuple[str, ...]


class Displays:
    """Joins the terms for the parts of a goal, as soon as there is one for each."""

    def __init__(self, goals: Sequence[Goal], known: Dict[str, Term]) -> None:
        self.known = known
        self.waiting: Dict[str, List[Display]] = {}
        for goal in goals:
            for display in _displays(goal):
                for place in display.places:
                    self.waiting.setdefault(place, []).append(display)

    def with_term(self, term: Term) -> Iterator[Answer]:
        """Yield the answers whose last missing part is a new term."""
        if not self.waiting:
            return
        for display in self.waiting.get(fingerprint(term.values) or "", ()):
            parts = [self.known.get(place) for place in display.places]
            found = [part for part in parts if part is not None]
            if len(found) == len(parts) and not all(part.fixed for part in found):
                text = display.text.format(*(bare(part.text) if "zip" in display.text else part.text for part in found))
                yield display.goal.answer(text, ATOM, sum(part.cost for part in found) + COST)


def _displays(goal: Goal) -> Iterator[Display]:
    values = goal.values
    for kind, text in ((tuple, "({})"), (list, "[{}]")):
        sizes = {len(value) for value in values if type(value) is kind}
        if all(type(value) is kind for value in values) and len(sizes) == 1 and 1 < min(sizes) <= MAX_PLACES:
            (size,) = sizes
            columns = [[value[place] for value in values] for place in range(size)]
            yield from _display(goal, text.format(", ".join(["{}"] * size)), columns)
    if all(type(value) is dict for value in values):
        yield from _display(goal, "dict(zip({}, {}))", [list(map(list, values)), _values_of(values)])


def _values_of(values: Sequence[Any]) -> List[Any]:
    return [list(value.values()) for value in values]


def _display(goal: Goal, text: str, columns: Sequence[Sequence[Any]]) -> Iterator[Display]:
    places = [fingerprint(tuple(column)) for column in columns]
    known = tuple(place for place in places if place is not None)
    if len(known) == len(places):
        yield Display(goal, text, known)
