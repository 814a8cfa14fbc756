"""The same measure of two parameters, compared: `len(a) < len(b)`, `set(a) == set(b)`, `sorted(a) == sorted(b)`.

Where two parameters are of one kind, what is asked of them is mostly asked of both alike. So as soon as a term over one
has its counterpart over the other, they are compared, long before all pairs of terms of that cost would be.
"""

from __future__ import annotations

import operator as ops
import re
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.synthesis.comprehensions import Made
from certo_builtin.synthesis.enumeration import Leaf, applied
from certo_builtin.synthesis.terms import COMPARED, SUM, Term

COST = 3
COMPARISONS: Sequence[Tuple[str, Callable[[Any, Any], Any]]] = (
    ("{} == {}", ops.eq), ("{} < {}", ops.lt), ("{} <= {}", ops.le),
)  # fmt: skip
ORDERED = "number"


class Symmetry:
    """The terms over a single parameter, by what is asked of it."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.names = [leaf.text for leaf in leaves if leaf.text.isidentifier()] if len(leaves) > 1 else []
        self.seen: Dict[str, List[Term]] = {}
        self.patterns = {name: re.compile(r"\b{}\b".format(name)) for name in self.names}

    def with_term(self, term: Term) -> Iterator[Made]:
        """The comparisons of a term with its counterparts."""
        mentioned = [name for name in self.names if name in term.text and self.patterns[name].search(term.text)]
        if len(mentioned) != 1 or "bool" in term.kinds or term.partial:
            return
        measure = self.patterns[mentioned[0]].sub("{}", term.text)
        others = self.seen.setdefault(measure, [])
        for other in others:
            for text, compare in COMPARISONS if ORDERED in term.kinds & other.kinds else COMPARISONS[:1]:
                values = applied(compare, [other.values, term.values])
                if values is not None and all(type(value) is bool for value in values):
                    written = text.format(other.at(SUM), term.at(SUM))
                    yield Made(written, values, max(term.cost, other.cost) + COST, COMPARED)
        others.append(term)
