"""Sizes of arguments at which calls end.

A function may take exponential time, or a stack that is used up: sizes that no call came back from are not tried again,
and they grow only from those that it did.
"""

from __future__ import annotations

import ast
import math
from typing import Any, Dict, Iterator, List, Optional, Sequence

from certo_builtin.differential.calls import places, put
from certo_builtin.differential.versions import Call, Outcome
from certo_builtin.inputs.variants import MISSING, expression, literal

FREE = 8
"""Sizes up to this one are always tried."""

ROWS = 3
"""Number of sizes between the largest that ends and the smallest that does not, tried in one round."""


class CallSizes:
    """The largest size in each place of a call that ended, and the smallest from which none came back."""

    def __init__(self) -> None:
        self._ended: Dict[Any, int] = {}
        self._limits: Dict[Any, int] = {}
        self._largest: Dict[Any, Call] = {}
        self._waiting: List[Call] = []

    def learn_from(self, call: Call, outcomes: Sequence[Optional[Outcome]]) -> None:
        """Take the outcomes of a call in all versions into account: it ended in all of them, or did not in one."""
        kinds = {outcome["kind"] for outcome in outcomes if outcome is not None}
        if kinds & {"endless", "lost"}:
            self.learn(call, has_ended=False)
        elif None not in outcomes:
            self.learn(call, has_ended=True)

    def learn(self, call: Call, *, has_ended: bool) -> None:
        """Take into account whether a call ended in all versions."""
        if has_ended:
            # Their sizes matter only once there is a call that does not end.
            self._waiting.append(call)
            if self._limits:
                self._take()
            return
        self._take()
        sizes = _sizes(call)
        beyond = [(size, str(place), place) for place, size in sizes.items() if size > self._least(place)]
        if beyond:
            size, _, place = max(beyond)
            self._limits[place] = min(size, self._limits.get(place, size))

    def _take(self) -> None:
        """Take the sizes of the calls that ended into account."""
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            for place, size in _sizes(call).items():
                if size >= self._ended.get(place, 0):
                    self._ended[place] = size
                    self._largest[place] = call
                if size >= self._limits.get(place, math.inf):
                    del self._limits[place]

    def is_hopeless(self, call: Call) -> bool:
        """True if no call of such a size has come back."""
        if not self._limits:
            return False
        sizes = _sizes(call)
        return any(sizes.get(place, 0) >= limit for place, limit in self._limits.items())

    def grown(self) -> Iterator[Call]:
        """Yield calls a little larger than those that ended, in places whose limit is known."""
        for place, limit in sorted(self._limits.items(), key=str):
            call = self._largest.get(place)
            least = self._least(place)
            if call is not None:
                for size in range(least + 1, min(limit, least + 1 + ROWS)):
                    yield from (put(call, place, text) for text in _resized(dict(places(call))[place], size))

    def _least(self, place: Any) -> int:
        return max(FREE, self._ended.get(place, 0))


def _sizes(call: Call) -> Dict[Any, int]:
    """Return the size of the value in each place: a number's distance from zero, or the length of a collection."""
    return {place: _size(text) for place, text in places(call)}


def _size(text: str) -> int:
    """Return the largest size of a literal in an expression."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    return max(map(_own_size, ast.walk(tree)), default=0)


def _own_size(node: ast.AST) -> int:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, (str, bytes)):
            return len(value)
        if isinstance(value, (int, float)) and math.isfinite(value):
            return int(abs(value))
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return len(node.elts)
    return len(node.keys) if isinstance(node, ast.Dict) else 0


def _resized(text: str, size: int) -> List[str]:
    """Return the value with another size, if it is a number or a sequence."""
    value = literal(text)
    kind = type(value)
    if value is MISSING:
        return []
    if kind is int:
        return [repr(size if value >= 0 else -size)]
    if kind in (str, list, tuple) and value:
        return [expression((value * size)[:size])]
    return []
