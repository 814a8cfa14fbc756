"""Joining two partial answers by a condition that tells their examples apart.

Divide and conquer over the examples (Alur, Radhakrishna, Udupa, "Scaling enumerative program synthesis via divide and
conquer", 2017), with a decision tree of one node. Which examples a term is right on, and which a condition holds on,
are bits of a number, so that whether they fit is one operation.
"""

from __future__ import annotations

from typing import Dict, List, Optional

from certo_builtin.synthesis.goals import Answer, Goal
from certo_builtin.synthesis.terms import COMPARED, LOOSE, Term, agrees

FEW_EXAMPLES = 2
FEW_COST = 3
"""With so few examples a condition explains little that it was not given, and costs so much more."""

MOST_ANSWERS = 3
MOST_PARTIAL = 400
MOST_TESTS = 300


class Unification:
    """The partial answers to one goal and the conditions seen so far, the cheapest of each behaviour."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.everything = (1 << len(goal.values)) - 1
        self.partial: Dict[int, Term] = {}
        self.tests: Dict[int, Term] = {}
        self.useful = len(goal.values) >= FEW_EXAMPLES and not all(type(one) is bool for one in goal.values)

    def see(self, term: Term) -> None:
        """Take in one more term; terms come cheap ones first."""
        if not self.useful:
            return
        if len(self.partial) < MOST_PARTIAL:
            right = 0
            for place, (value, want) in enumerate(zip(term.values, self.goal.values)):
                if agrees(value, want):
                    right |= 1 << place
            if right:
                self.partial.setdefault(right, term)
        if "bool" in term.kinds and not term.partial and len(self.tests) < MOST_TESTS:
            held = sum(1 << place for place, value in enumerate(term.values) if value)
            if held not in (0, self.everything):
                self.tests.setdefault(held, term)

    def answers(self) -> List[Answer]:
        """Conditional expressions that agree with every example, cheapest first."""
        found: List[Answer] = []
        extra = FEW_COST if len(self.goal.values) <= FEW_EXAMPLES else 1
        for held, test in self.tests.items():
            yes = self._cheapest(held)
            no = self._cheapest(self.everything & ~held) if yes is not None else None
            if yes is not None and no is not None:
                text = "{} if {} else {}".format(yes.at(COMPARED), test.at(COMPARED), no.text)
                found.append(self.goal.answer(text, LOOSE, yes.cost + test.cost + no.cost + extra))
        return sorted(found)[:MOST_ANSWERS]

    def _cheapest(self, mask: int) -> Optional[Term]:
        fitting = [term for right, term in self.partial.items() if right & mask == mask]
        return min(fitting, key=lambda term: term.cost, default=None)
