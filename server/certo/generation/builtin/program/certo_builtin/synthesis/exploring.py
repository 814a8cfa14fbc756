"""Exploring: one space of terms searched for its goals, by rising cost, and the spaces within its loops.

At each level of cost the terms of that cost are made; each is looked up among the goals, joined with a known one, and,
when it can be gone through, opened: the expressions over its elements are a space of their own, searched the same way.
What has to hold of an element follows from the examples where the goal is a list as long as the iterable (a map) or a
part of it (a filter); what sums the elements up comes back as a term of the outer space.
"""

from __future__ import annotations

import heapq
from typing import Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set

from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.comprehensions import Comprehensions, Made
from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.goals import Answer, Goal, Goals
from certo_builtin.synthesis.meeting import Meeting
from certo_builtin.synthesis.rows import Rows, can_iterate
from certo_builtin.synthesis.terms import ATOM, Term, fingerprint
from certo_builtin.synthesis.unification import Unification

VARIABLES = ("x", "y", "z", "each", "one", "_x", "_y")


class Depth(NamedTuple):
    """How far the spaces within the loops of one depth are searched.

    `tries` each, for at most so `many` iterables, none dearer than `dearest`; comprehensions are made of the `most`
    cheapest conditions and images, and of pairs of the `paired` cheapest.
    """

    tries: int
    many: int
    dearest: int
    most: int
    paired: int


DEPTHS = (
    Depth(tries=30000, many=40, dearest=7, most=300, paired=40),
    Depth(tries=3000, many=8, dearest=4, most=60, paired=0),
)
DEAREST = 16

AHEAD = 2
"""How many levels of cost a space within a loop is ahead of what its cost allows: what it must be is known better."""

PAIRED_IMAGES = 60


class Makings(NamedTuple):
    """What expressions of one space are made of."""

    leaves: List[Leaf]
    constants: List[Leaf]
    components: Sequence[Component]
    words: FrozenSet[str]


class Exploration:
    """The search of one space; `depth` is how many loops are around it."""

    def __init__(self, makings: Makings, goals: Goals, roots: Sequence[Goal], tries: Tries, depth: int = 0) -> None:
        self.makings = makings
        self.goals = goals
        self.tries = tries
        self.depth = depth
        self.cost = 0
        everything = [*makings.leaves, *makings.constants]
        self.space = Enumeration(everything, makings.words, makings.components, tries)
        self.meeting = Meeting(goals.all, self.space.known)
        self.unifications = [Unification(root) for root in roots]
        self.found: List[Answer] = []
        self.pending: Dict[int, List[Made]] = {}
        self.opened: List[Opened] = []
        self.iterated: Set[str] = set()

    def answers(self) -> Iterator[Answer]:
        """Every answer that is found, cheap ones first; the spaces are searched as answers are asked for."""
        told: Set[str] = set()
        while self.cost < DEAREST and not self.tries.spent:
            self.advance()
            yield from self._due(self.cost, told)
        yield from self._due(None, told)

    def _due(self, cost: Optional[int], told: Set[str]) -> Iterator[Answer]:
        while self.found and (cost is None or self.found[0].cost <= cost):
            answer = heapq.heappop(self.found)
            if answer.text not in told:
                told.add(answer.text)
                yield answer

    def advance(self) -> List[Term]:
        """Search the next level of cost; the terms that are new."""
        self.cost += 1
        new: List[Term] = []
        for term in self.space.grow(self.cost):
            self._see(term)
            new.append(term)
        for made in self.pending.pop(self.cost, ()):
            made_term = self.space.add(made.text, made.values, self.cost, ATOM)
            if made_term is not None:
                self._see(made_term)
                new.append(made_term)
        for unification in self.unifications:
            if unification.useful and self.cost >= 3:
                self._keep(unification.answers())
        if self.depth < len(DEPTHS):
            for term in new if self.cost <= DEPTHS[self.depth].dearest else ():
                self._open(term)
            for opened in self.opened:
                self._advance_within(opened)
        return new

    def _see(self, term: Term) -> None:
        self._keep(self.goals.reached(term))
        self._keep(self.meeting.with_term(term))
        for unification in self.unifications:
            unification.see(term)

    def _keep(self, answers: Iterable[Answer]) -> None:
        for answer in answers:
            heapq.heappush(self.found, answer)

    def _open(self, term: Term) -> None:
        """Begin with the space of expressions over the elements of a term."""
        limits = DEPTHS[self.depth]
        if len(self.opened) == limits.many or not can_iterate(term):
            return
        rows = Rows(term, self._variable())
        behaviour = fingerprint(tuple(rows.rows))
        if behaviour is None or behaviour in self.iterated:
            return
        self.iterated.add(behaviour)
        roots = [goal for goal in map(rows.mapped_to, self.goals.all) if goal is not None]
        filters = [goal for goal in map(rows.filtered_to, self.goals.all) if goal is not None]
        leaves = rows.leaves([*self.makings.leaves, *self._invariant()], self.makings.constants)
        makings = Makings(leaves, [], self.makings.components, self.makings.words)
        tries = Tries(limits.tries)
        inner = Exploration(makings, Goals([*roots, *filters]), roots, tries, self.depth + 1)
        self.opened.append(Opened(rows, inner, Comprehensions(rows, limits.most, limits.paired)))

    def _advance_within(self, opened: Opened) -> None:
        """Search the space within a loop as far as the level of cost reached here allows."""
        rows, inner, made_of = opened
        while inner.cost < self.cost - rows.over.cost - 1 + AHEAD and not inner.tries.spent and not self.tries.spent:
            before = inner.tries.left
            new = [term for term in inner.advance() if rows.mentioned(term.text)]
            self._keep(inner.found)
            inner.found.clear()
            self._keep(self._filtered_images(rows, new, inner.space.known))
            for made in made_of.with_terms(new):
                self.tries.left -= self.space.price
                self._take(made)
            self.tries.left -= before - inner.tries.left

    def _take(self, made: Made) -> None:
        """Look a comprehension up among the goals at once, and keep it for the level of its cost."""
        term = Term(made.text, made.values, made.cost, ATOM, frozenset())
        self._keep(self.goals.reached(term))
        self.pending.setdefault(max(self.cost + 1, made.cost), []).append(made)

    def _filtered_images(self, rows: Rows, terms: Sequence[Term], known: Dict[str, Term]) -> Iterator[Answer]:
        """Answers that map and filter at once: an image tells which elements were kept, a condition is looked up."""
        images = [term for term in terms if "bool" not in term.kinds][:PAIRED_IMAGES]
        for goal in self.goals.all:
            for image in images:
                marks = rows.filtered_to(goal, image)
                test = known.get(fingerprint(marks.values) or "") if marks is not None else None
                if marks is not None and test is not None:
                    yield marks.answer(test.text, test.level, test.cost)

    def _invariant(self) -> List[Leaf]:
        """Cheap terms that are worth computing once for all elements: numbers and texts."""
        found = [
            Leaf(term.text, term.values, term.cost, term.level)
            for cost in (2, 3)
            for term in self.space.of(cost)
            if {"number", "str"} & term.kinds and not term.fixed
        ]
        return found[:8]

    def _variable(self) -> str:
        taken = " ".join(leaf.text for leaf in self.makings.leaves)
        return next(name for name in VARIABLES if name not in taken.replace(".", " ").replace("[", " ").split())


class Opened(NamedTuple):
    """A loop that is searched: its elements, the space within, and what is made of both."""

    rows: Rows
    inner: Exploration
    made_of: Comprehensions
