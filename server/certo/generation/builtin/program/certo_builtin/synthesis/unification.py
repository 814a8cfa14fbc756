"""Joining two partial answers by a condition that tells their examples apart.

Divide and conquer over the examples (Alur, Radhakrishna, Udupa, "Scaling enumerative program synthesis via divide and
conquer", 2017), with a decision tree of one node.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Sequence, Tuple

from certo_builtin.synthesis.terms import Term, agrees

LEAST_EXAMPLES = 3
"""With fewer a condition explains nothing that it was not given."""

MOST_ANSWERS = 3


def unified(terms: Iterable[Term], expected: Sequence[Any]) -> List[Tuple[int, str]]:
    """Conditional expressions that agree with every example, as cost and text, cheapest first."""
    if len(expected) < LEAST_EXAMPLES:
        return []
    partial: Dict[int, Term] = {}
    tests: Dict[int, Term] = {}
    for term in terms:
        right = sum(1 << place for place, (one, want) in enumerate(zip(term.values, expected)) if agrees(one, want))
        if right:
            partial.setdefault(right, term)
        if "bool" in term.kinds:
            tests.setdefault(sum(1 << place for place, one in enumerate(term.values) if one), term)
    everything = (1 << len(expected)) - 1
    answers: List[Tuple[int, str]] = []
    for mask, test in tests.items():
        yes = _cheapest(partial, mask)
        no = _cheapest(partial, everything & ~mask)
        if mask not in (0, everything) and yes is not None and no is not None:
            text = "{} if {} else {}".format(yes.at(1), test.text, no.text)
            answers.append((yes.cost + test.cost + no.cost + 1, text))
    return sorted(answers)[:MOST_ANSWERS]


def _cheapest(partial: Dict[int, Term], mask: int) -> Any:
    fitting = [term for right, term in partial.items() if right & mask == mask]
    return min(fitting, key=lambda term: term.cost, default=None)
