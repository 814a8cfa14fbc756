"""What people would hardly write: edits are less likely that leave a variable unused or compare a thing with itself.

Software is repetitive and its oddities are telling (Hindle et al., "On the naturalness of software", 2012). The other
way round, a variable that nothing reads is often the one the repair needs.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import lru_cache
from typing import Dict, Sequence, Tuple

from certo_builtin.scene import Scene
from certo_builtin.source import FUNCTIONS, Edit

FORGETFUL = 0.25
"""How much less likely an edit is for each variable that nothing reads any more."""

REMEMBERING = 2.5
"""How much likelier one is that reads what nothing read before."""

CLOSE = 24
"""Characters on either side of an edit that are looked at with it."""

ODD = 0.1
"""How much less likely one is that says what is always so, or the same thing twice."""

NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
THING = r"(?<![\w.\])'\"])([A-Za-z_][\w.]*(?:\[[^\[\]]*\])?)"
ODDITIES = re.compile(
    THING
    + r" ?(?:-|//?|%|==|!=|<=?|>=?|\band\b|\bor\b|\bis\b(?: not)?|\bin\b) ?\1(?![\w.(\[])"
    + r"|\+ 1 - 1\b|- 1 \+ 1\b|\+ 1 \+ 1\b|- 1 - 1\b"
    + r"|\b(?:max|min)\((\w+), \2\)|\bnot not\b|(?<![\w.])([A-Za-z_][\w.]*) = \3\s*$|\b(?:sorted|list|set|str|int)\(\d"
)


class Naturalness:
    """What the function reads of its variables, and how an edit changes that."""

    def __init__(self, scene: Scene) -> None:
        self._text = scene.source.text
        self._reads: Counter[str] = Counter()
        own = set()
        for node in ast.walk(scene.target):
            if isinstance(node, ast.arg):
                own.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._reads[node.id] += 1
            elif isinstance(node, ast.Name):
                own.add(node.id)
                self._reads[node.id] += isinstance(scene.parent(node), ast.AugAssign)
            elif isinstance(node, FUNCTIONS):
                self._reads[node.name] += 1
        self._own = {name for name in own if not name.startswith("_") and name not in ("self", "cls")}
        self._unread = {name for name in self._own if not self._reads[name]}

    def memory(self, edits: Sequence[Edit]) -> float:
        """How much likelier or less likely an edit is for the variables it reads, and those it leaves unread."""
        changed: Dict[str, int] = {}
        for start, end, text in edits:
            before, after = _names(self._text[start:end]), _names(text)
            if before != after:
                for name in before:
                    changed[name] = changed.get(name, 0) - 1
                for name in after:
                    changed[name] = changed.get(name, 0) + 1
        factor = 1.0
        for name, more in changed.items():
            if more > 0 and name in self._unread:
                factor *= REMEMBERING
            elif more < 0 and name in self._own and 0 < self._reads[name] <= -more:
                factor *= FORGETFUL
        return factor

    def oddity(self, edits: Sequence[Edit]) -> float:
        """How much less likely an edit is for what it says."""
        factor = 1.0
        for start, end, text in edits:
            left, right = self._around(start, end)
            if _oddities(left + text + right) > _oddities(left + self._text[start:end] + right):
                factor *= ODD
        return factor

    def _around(self, start: int, end: int) -> Tuple[str, str]:
        """What stands on the same lines close before and after a place."""
        first = max(self._text.rfind("\n", 0, start) + 1, start - CLOSE)
        last = self._text.find("\n", end, end + CLOSE)
        return self._text[first:start], self._text[end : last if last >= 0 else end + CLOSE]


@lru_cache(maxsize=8192)
def _names(text: str) -> Sequence[str]:
    return tuple(NAME.findall(text))


@lru_cache(maxsize=8192)
def _oddities(text: str) -> int:
    return sum(1 for _ in ODDITIES.finditer(text))
