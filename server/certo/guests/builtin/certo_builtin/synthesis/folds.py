"""Folds: loops with an accumulator, found from the examples.

Most loops in short functions have one shape: an initial value, a new value from the old one and the element of each
iteration, and the last value as the result. Only the step is unknown, and it is an expression. Steps are enumerated by
cost, with observational equivalence over a sample of situations, and each is run on the examples (fold templates:
Feser, Chaudhuri, Dillig, "Synthesizing data structure transformations from input-output examples", 2015). A step may
depend on a condition, and the result may be the best of all values instead of the last, as for a maximum subarray.
"""

from __future__ import annotations

import math
import re
import string
from itertools import islice, product
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.enumeration import Enumeration, Leaf, Tries
from certo_builtin.synthesis.goals import Goals
from certo_builtin.synthesis.loops import BEST, RESULT, Body, Loop, assigned, conditional, loops_over, written
from certo_builtin.synthesis.terms import ATOM, Term, agrees, is_small

SITUATIONS = 14
STEP_TRIES = 5000
MAX_STEP_COST = 7
MAX_STEPS = 500
MAX_LOOPS = 6

TESTS, BRANCHES, OTHERS = 30, 20, 4
"""Numbers of conditions, of steps if one holds, and of steps if not, that are combined."""

RISKY = ("**", "<<", "factorial", "comb(", "range(", "product(", "combinations(")
"""Operations that may grow without bounds when applied to their own results."""

CHOICES: Dict[str, Callable[[Sequence[Any]], Any]] = {"max": max, "min": min}

Step = Callable[..., Any]


class Situation(NamedTuple):
    """A possible iteration: the accumulator, the visible values, and the number of the example."""

    result: Any
    seen: Tuple[Any, ...]
    owner: int


def folds(
    leaves: Sequence[Leaf], constants: Sequence[Leaf], words: FrozenSet[str], expected: Sequence[Any]
) -> Iterator[Body]:
    """Yield the loops that explain every example, cheap ones first within each kind of loop."""
    goals = Goals.of(expected)
    for loop in islice(loops_over(leaves, constants), MAX_LOOPS):
        for text, initial in _beginnings(expected):
            yield from Fold(loop, text, initial, leaves, goals).bodies(constants, words)


def _beginnings(expected: Sequence[Any]) -> List[Tuple[str, Any]]:
    """Return the initial values of an accumulator, by the type of the wanted result."""
    kinds = {type(value) for value in expected}
    if kinds <= {int, float}:
        return [("0", 0), ("1", 1)]
    if kinds == {str}:
        return [("''", ""), ("[]", [])]
    if kinds == {bool}:
        return [("False", False), ("True", True)]
    return [("[]", [])] if kinds in ({list}, {tuple}) else []


class Fold:
    """The search of one loop with one initial value."""

    def __init__(self, loop: Loop, text: str, initial: Any, leaves: Sequence[Leaf], goals: Goals) -> None:
        self.loop = loop
        self.text = text
        self.initial = initial
        # The loop consumes this variable, so it is not available within.
        taken = loop.head.split()[1] if loop.last else ""
        self.leaves = [leaf for leaf in leaves if leaf.text != taken and leaf.text.isidentifier()]
        self.goals = goals
        self.longest = max(range(len(loop.rows)), key=lambda owner: len(loop.rows[owner]))
        self.exact = {repr(goal.values[self.longest]) for goal in goals.all}
        self.names = [RESULT, *loop.names, *(leaf.text for leaf in self.leaves)]

    def bodies(self, constants: Sequence[Leaf], words: FrozenSet[str]) -> List[Body]:
        """Return the bodies whose loop explains every example, cheap ones first."""
        steps, tests = self._steps(self._terms(constants, words))
        found: List[Body] = []
        for term, step in steps:
            if self._looks(term.text):
                found += self._tried(step, [assigned(term.text)], term.cost)
        stay = [entry for entry in steps if entry[0].text == RESULT]
        for test, holds in tests:
            for (yes, step), (no, other) in product(steps[:BRANCHES], [*stay, *steps[:OTHERS]]):
                if yes.text not in (no.text, RESULT) and self._looks(test.text + yes.text + no.text):
                    lines = conditional(test.text, yes.text, no.text)
                    found += self._tried(_chosen(holds, step, other), lines, test.cost + yes.cost + no.cost)
        return sorted(found)

    def _looks(self, text: str) -> bool:
        """True if a step depends on the current element; otherwise it only counts iterations."""
        return any(re.search(r"\b{}\b".format(name), text) for name in self.loop.names)

    def _steps(self, terms: Sequence[Term]) -> Tuple[List[Tuple[Term, Step]], List[Tuple[Term, Step]]]:
        """Return the terms that can be a new accumulator, and those that can be a condition."""
        kind = type(self.initial)
        wanted = "number" if kind is int else kind.__name__
        steps = [term for term in terms if wanted in term.kinds][:MAX_STEPS]
        tests = [term for term in terms if "bool" in term.kinds][:TESTS]
        return self._compiled(steps), self._compiled(tests)

    def _terms(self, constants: Sequence[Leaf], words: FrozenSet[str]) -> List[Term]:
        """Return expressions over the accumulator and an iteration, one for each behaviour in the sample."""
        sample = self._situations()
        leaves = [Leaf(RESULT, tuple(one.result for one in sample), 1, ATOM)]
        for place, name in enumerate(self.loop.names):
            leaves.append(Leaf(name, tuple(one.seen[place] for one in sample), 1, ATOM))
        # Values from outside the loop count as constants, since a step of these alone would use neither the accumulator
        # nor the element.
        for leaf in [*self.leaves, *constants]:
            values = tuple(leaf.values[one.owner] for one in sample)
            leaves.append(Leaf(leaf.text, values, leaf.cost + (not leaf.fixed), leaf.level, fixed=True))
        space = Enumeration(leaves, words, (), Tries(STEP_TRIES))
        for cost in range(1, MAX_STEP_COST + 1):
            for _ in space.grow(cost):
                pass
        parts = (RESULT, *self.loop.names)
        return [
            term
            for term in space.terms()
            if any(name in term.text for name in parts)
            and not any(risk in term.text for risk in RISKY)
            and not ("*" in term.text and {"str", "list"} & term.kinds)
        ]

    def _situations(self) -> List[Situation]:
        """Return a sample of iterations, with accumulators of various possible sizes."""
        # Which accumulators occur depends on the step, which is unknown. So real iterations are paired with plausible
        # accumulators, and steps that agree on this sample are taken for equal.
        turns = [(seen, owner) for owner, row in enumerate(self.loop.rows) for seen in row]
        stride = max(1, len(turns) // SITUATIONS)
        results = _samples(self.initial)
        return [
            Situation(results[number % len(results)], seen, owner)
            for number, (seen, owner) in enumerate(turns[::stride][:SITUATIONS])
        ]

    def _compiled(self, terms: Sequence[Term]) -> List[Tuple[Term, Step]]:
        taking = "lambda {}: ".format(", ".join(self.names))
        return [(term, eval(taking + term.text, {"math": math, "string": string})) for term in terms]

    def _tried(self, step: Step, lines: List[str], cost: int) -> Iterator[Body]:
        """Run a step on the examples; yield the bodies whose last or best accumulator is the required result."""
        # Most steps fail already on the example with the most turns.
        first = self._run(step, self.longest)
        if first is None or not self._promising(first):
            return
        runs = [self._run(step, owner) for owner in range(len(self.loop.rows))]
        ends = [run for run in runs if run is not None]
        if len(ends) < len(runs):
            return
        price = cost + self.loop.cost + 2
        yield from self._reached([run[-1] for run in ends], price, lines, None)
        if type(self.initial) is int:
            for best, choose in CHOICES.items():
                yield from self._reached([choose(run) for run in ends], price + 3, lines, best)

    def _promising(self, run: Sequence[Any]) -> bool:
        ends = [run[-1]]
        if type(self.initial) is int:
            ends += [choose(run) for choose in CHOICES.values()]
        if not self.exact.isdisjoint(map(repr, ends)):
            return True
        return any(agrees(end, goal.values[self.longest]) for goal in self.goals.near for end in ends)

    def _run(self, step: Step, owner: int) -> Optional[List[Any]]:
        outer = [leaf.values[owner] for leaf in self.leaves]
        result = self.initial
        results = [result]
        try:
            for seen in self.loop.rows[owner]:
                result = step(result, *seen, *outer)
                if not is_small(result):
                    return None
                results.append(result)
        except Exception:  # a step given what it cannot take
            return None
        return results

    def _reached(self, values: Sequence[Any], cost: int, lines: List[str], best: Optional[str]) -> Iterator[Body]:
        term = Term(RESULT if best is None else BEST, tuple(values), cost, ATOM, frozenset())
        for answer in self.goals.reached(term):
            yield Body(answer.cost, written(self.loop, self.text, lines, answer.text, best=best))


def _chosen(holds: Step, step: Step, other: Step) -> Step:
    return lambda *given: step(*given) if holds(*given) else other(*given)


def _samples(initial: Any) -> List[Any]:
    samples: Dict[type, List[Any]] = {
        int: [0, 1, 5, -3, 12, 2, 7],
        str: ["", "a", "b1", "xyz"],
        list: [[], [1], [3, 2], ["a"]],
        bool: [True, False],
    }
    return samples[type(initial)]
