"""Rounds of calls of one function: small ones, boundaries, and what is near calls that executed something new."""

from __future__ import annotations

import ast
import itertools
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from certo_builtin.differential.call_sizes import CallSizes
from certo_builtin.differential.calls import distinct
from certo_builtin.differential.generated_calls import Generator, constants_in
from certo_builtin.differential.versions import Call
from certo_builtin.inputs.variants import Words, gathered

FIRST = 40
BATCH = 160
"""Numbers of small calls in the first round, and in later ones: nothing is known yet of what does not come back."""

NEAR = 100
"""Number of calls near telling ones in one round."""

TOWARD = 40
"""Number of calls in one round that use the constants next to branches that were not executed."""

MAX_CORPUS = 40
FEW = 24
"""Numbers of calls that others are made near: the latest that were telling, and the first if none was."""


class CallRounds:
    """Makes rounds of calls that were not `asked` before, beginning from `known` ones."""

    def __init__(self, generator: Generator, known: Sequence[Call], asked: Dict[str, Any]) -> None:
        self.sizes = CallSizes()
        self.is_exhausted = False
        """True if all small calls and those with unusual values were made."""
        self._generator = generator
        self._asked = asked
        self._small = generator.small()
        self._further = generator.further()
        self._drawn = generator.drawn()
        self._corpus = [*known[:FEW]]
        self._number = 0

    def next(self, toward: Optional[Words] = None) -> List[Call]:
        """Return the calls of the next round; none if there are no more."""
        size = min(BATCH, FIRST << min(self._number, 4))
        self._number += 1
        calls = [*self._fresh(self._small, size), *self._fresh(self._further, size // 2)]
        self.is_exhausted = self.is_exhausted or not calls
        # Of a kind with few values, such as an enumeration, few different calls can be drawn.
        calls = calls or self._fresh(itertools.islice(self._drawn, size), size)
        self._corpus = self._corpus or calls[:FEW]
        latest = self._corpus[-MAX_CORPUS:]
        calls += self._fresh(self.sizes.grown(), size)
        calls += self._fresh(self._generator.near(latest, min(NEAR, size)), size)
        if toward is not None:
            calls += self._fresh(self._generator.near(latest, TOWARD, toward), TOWARD)
        return calls

    def learn(self, telling: Sequence[Call]) -> None:
        """Make more calls near these, which executed something new."""
        self._corpus += telling

    def _fresh(self, calls: Any, most: int) -> List[Call]:
        promising = (call for call in distinct(calls, self._asked) if not self.sizes.is_hopeless(call))
        return list(itertools.islice(promising, most))


def words_at(trees: Sequence[Tuple[ast.AST, Set[int]]]) -> Optional[Words]:
    """Return the constants on some lines of syntax trees as words; None if there are none."""
    found = [value for tree, lines in trees for value in _constants_on(tree, lines)]
    return gathered(found) if found else None


def _constants_on(tree: ast.AST, lines: Set[int]) -> Iterator[Any]:
    if lines:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.lineno in lines:
                yield from constants_in(node)
