"""Exploration: one space of terms searched for its goals by rising cost, and the spaces within its comprehensions.

At each level of cost the terms of that cost are enumerated. Each is looked up among the goals (`goals`), combined with
a known term by an invertible operator (`meet_in_middle`), and kept for joining partial answers (`unification`).
An iterable term is opened: the expressions over its elements are a space of their own, searched the same way. Examples
of an element follow from the outer ones where the goal is a list as long as the iterable (a map) or a subsequence of it
(a filter), as in Feser, Chaudhuri, Dillig, "Synthesizing data structure transformations from input-output examples"
(2015). Aggregates of the elements, such as a sum, come back as terms of the outer space.
"""

from __future__ import annotations

import heapq
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.comprehensions import Comprehensions, Made, Symmetry
from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.goals import Answer, Goal, Goals
from certo_builtin.synthesis.meet_in_middle import MeetInMiddle
from certo_builtin.synthesis.rows import Rows, can_iterate
from certo_builtin.synthesis.terms import Term, fingerprint
from certo_builtin.synthesis.unification import Displays, Unification
from certo_builtin.synthesis.unused_hints import UnusedHints

VARIABLES = ("x", "y", "z", "one", "_x", "_y")


class Depth(NamedTuple):
    """Limits of the spaces within the loops of one depth.

    `tries` each, and `eager` of them at once if the wanted list has the same length, for at most `many` iterables, none
    costlier than `max_cost`; comprehensions are made of the `most` cheapest conditions and images, and of pairs of the
    `paired` cheapest.
    """

    tries: int
    eager: int
    many: int
    max_cost: int
    most: int
    paired: int


DEPTHS = (
    Depth(tries=20000, eager=400, many=60, max_cost=6, most=300, paired=40),
    Depth(tries=3000, eager=80, many=8, max_cost=4, most=60, paired=0),
)
MAX_COST = 16

MAX_LEVELS_AHEAD = 2
"""Number of cost levels by which a space within a loop may run ahead if goals determine its expressions."""

MAX_ALIGNED_EXTRA_COST = 2
"""Maximum extra cost of an iterable that is exactly as long as a wanted list."""

MAX_ORDERED_COST = 3
"""Cost above which only one of several iterables with the same elements is used, whatever their order."""

PAIRED_IMAGES = 60


class Ingredients(NamedTuple):
    """The parts for expressions of one space."""

    leaves: List[Leaf]
    constants: List[Leaf]
    components: Sequence[Component]
    words: FrozenSet[str]
    hints: Optional[UnusedHints] = None
    optional: FrozenSet[int] = frozenset()


class Exploration:
    """The search of one space; `depth` is the number of loops around it."""

    def __init__(
        self, ingredients: Ingredients, goals: Goals, roots: Sequence[Goal], tries: Tries, depth: int = 0
    ) -> None:
        self.ingredients = ingredients
        self.goals = goals
        self.tries = tries
        self.depth = depth
        self.cost = 0
        everything = [*ingredients.leaves, *ingredients.constants]
        self.space = Enumeration(everything, ingredients.words, ingredients.components, tries, ingredients.optional)
        if depth == 0:
            self.space.wanted = frozenset(fingerprint(values) or "" for root in roots for values in _alike(root.values))
        self.meet_in_middle = MeetInMiddle(goals.all, self.space.known)
        self.displays = Displays(goals.all, self.space.known)
        self.symmetry = Symmetry(ingredients.leaves if depth == 0 else ())
        self.unifications = [Unification(root) for root in roots]
        self.found: List[Tuple[int, int, Answer]] = []
        self._count = 0
        self.pending: Dict[int, List[Made]] = {}
        self.opened: List[Opened] = []
        self.iterated: Set[str] = set()

    def answers(self) -> Iterator[Answer]:
        """Yield every answer, cheap ones first; spaces are searched lazily."""
        told: Set[str] = set()
        while self.cost < MAX_COST and not self.tries.spent:
            self.advance()
            yield from self._due(self.cost, told)
        yield from self._due(None, told)

    def _due(self, cost: Optional[int], told: Set[str]) -> Iterator[Answer]:
        while self.found and (cost is None or self.found[0][0] <= cost):
            _, _, answer = heapq.heappop(self.found)
            if answer.text not in told:
                told.add(answer.text)
                yield answer

    def advance(self) -> List[Term]:
        """Search the next level of cost; return the new terms."""
        self.cost += 1
        new: List[Term] = []
        for term in self._grown():
            self._see(term)
            new.append(term)
            for made in self.symmetry.with_term(term):
                self._take(made)
        for unification in self.unifications:
            if unification.useful and self.cost >= 3:
                self._keep(unification.answers())
        if self.depth < len(DEPTHS):
            for term in new if self.cost <= DEPTHS[self.depth].max_cost + MAX_ALIGNED_EXTRA_COST else ():
                self._open(term)
            for opened in self.opened:
                self._advance_within(opened)
        return new

    def _grown(self) -> Iterator[Term]:
        """Yield the new terms of this level: from components, and from loops."""
        yield from self.space.grow(self.cost)
        for made in self.pending.pop(self.cost, ()):
            term = self.space.add(made.text, made.values, self.cost, made.level)
            if term is not None:
                yield term

    def _see(self, term: Term) -> None:
        self._keep(self.goals.reached(term))
        self._keep(self.meet_in_middle.with_term(term))
        self._keep(self.displays.with_term(term))
        for unification in self.unifications:
            unification.see(term)

    def _keep(self, answers: Iterable[Answer]) -> None:
        for answer in answers:
            extra = self.ingredients.hints.cost(answer.text) if self.ingredients.hints is not None else 0
            # Of equally cheap answers the first found comes first: it has the parameters in their order.
            self._count += 1
            heapq.heappush(self.found, (answer.cost + extra, self._count, answer._replace(cost=answer.cost + extra)))

    def _open(self, term: Term) -> None:
        """Open the space of expressions over the elements of a term."""
        limits = DEPTHS[self.depth]
        if len(self.opened) == limits.many or not can_iterate(term):
            return
        rows = Rows(term, self._variable())
        # Iterables with the same elements open the same space. Of costly ones even the order is ignored: most of what
        # is made of elements, such as a sum, does not depend on it.
        behaviour = fingerprint(tuple(rows.rows if term.cost <= MAX_ORDERED_COST else rows.in_any_order()))
        if behaviour is None or behaviour in self.iterated:
            return
        # Examples for the inner space by deduction: if a goal is a list with one element for each of these, it tells
        # the value of the mapped expression; if it keeps some of them, it tells where the filter holds. Without such
        # goals the inner space is searched blindly, and only for cheap iterables.
        roots = [goal for goal in map(rows.mapped_to, self.goals.all) if goal is not None]
        several = [goal for goal in map(rows.flattened_to, self.goals.all) if goal is not None]
        filters = [goal for goal in map(rows.filtered_to, self.goals.all) if goal is not None]
        if term.cost > limits.max_cost and not roots and not several:
            return
        self.iterated.update((behaviour, fingerprint(tuple(rows.in_any_order())) or behaviour))
        leaves = rows.leaves([*self.ingredients.leaves, *self._invariant()], self.ingredients.constants)
        ingredients = Ingredients(leaves, [], self.ingredients.components, self.ingredients.words)
        tries = Tries(limits.tries)
        inner = Exploration(ingredients, Goals([*roots, *several, *filters]), roots, tries, self.depth + 1)
        opened = Opened(rows, inner, Comprehensions(rows, limits.most, limits.paired))
        self.opened.append(opened)
        if roots or several:
            self._advance_within(opened, limits.tries - limits.eager)

    def _advance_within(self, opened: Opened, until: int = 0) -> None:
        """Search the space within a loop up to the current level of cost, or until `until` tries are left."""
        rows, inner, made_of = opened
        ahead = MAX_LEVELS_AHEAD if inner.goals.all else 0
        allowed = MAX_COST if until else self.cost - rows.over.cost - 1 + ahead
        while inner.cost < allowed and inner.tries.left > until and not self.tries.spent:
            before = inner.tries.left
            new = [term for term in inner.advance() if rows.mentioned(term.text)]
            self._keep(answer for _, _, answer in sorted(inner.found))
            inner.found.clear()
            self._keep(self._filtered_images(rows, new, inner.space.known))
            for made in made_of.with_terms(new):
                self.tries.left -= self.space.price
                self._take(made)
            # Inner tries are charged to the outer space too, so the total is bounded however deep loops are nested.
            self.tries.left -= before - inner.tries.left

    def _take(self, made: Made) -> None:
        """Look up a comprehension among the goals at once, and keep it for the level of its cost."""
        term = Term(made.text, made.values, made.cost, made.level, frozenset())
        self._keep(self.goals.reached(term))
        self.pending.setdefault(max(self.cost + 1, made.cost), []).append(made)

    def _filtered_images(self, rows: Rows, terms: Sequence[Term], known: Dict[str, Term]) -> Iterator[Answer]:
        """Yield answers that map and filter at once: an image tells the kept elements, a condition is looked up."""
        images = [term for term in terms if "bool" not in term.kinds][:PAIRED_IMAGES]
        for goal in self.goals.all:
            for image in images:
                marks = rows.filtered_to(goal, image)
                test = known.get(fingerprint(marks.values) or "") if marks is not None else None
                if marks is not None and test is not None:
                    yield marks.answer(test.text, test.level, test.cost)

    def _invariant(self) -> List[Leaf]:
        """Return cheap terms worth computing once for all elements: numbers and texts."""
        found = [
            Leaf(term.text, term.values, term.cost, term.level)
            for cost in (2, 3)
            for term in self.space.of(cost)
            if {"number", "str"} & term.kinds and not term.fixed
        ]
        return found[:8]

    def _variable(self) -> str:
        taken = " ".join(leaf.text for leaf in self.ingredients.leaves)
        return next(name for name in VARIABLES if name not in taken.replace(".", " ").replace("[", " ").split())


def _alike(values: Tuple[Any, ...]) -> Iterator[Tuple[Any, ...]]:
    """Yield values, and the integers equal to them if these are floats."""
    yield values
    if all(isinstance(value, float) and value.is_integer() for value in values):
        yield tuple(map(int, values))


class Opened(NamedTuple):
    """A loop under search: its elements, the space within, and the comprehensions made of both."""

    rows: Rows
    inner: Exploration
    made_of: Comprehensions
