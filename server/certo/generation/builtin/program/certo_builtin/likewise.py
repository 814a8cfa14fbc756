"""The same edit at all like places: who was wrong once about a thing was mostly wrong about it each time."""

from __future__ import annotations

from itertools import combinations
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from certo_builtin.source import Edit

MOST_PLACES = 4
"""Places that are edited together, at most; what could be done at more is no answer to anything."""

SAME_STATEMENT = 0.4
ELSEWHERE = 0.15
"""How likely a template is needed at all its like places, against its being needed at the likeliest one alone."""


class Single(NamedTuple):
    """An edit of one place: its probability, its template, its line, the place of its statement, and the edit."""

    probability: float
    template: str
    line: int
    statement: int
    edit: Edit


def likewise(text: str, singles: List[Single]) -> Iterator[Tuple[Single, Tuple[Edit, ...]]]:
    """Edits of several places that say the same of each; each with the likeliest of its parts, whose line it has."""
    groups: Dict[Tuple[str, str, str], List[Single]] = {}
    for one in singles:
        shape = _shape(text, one.edit)
        if shape is not None:
            groups.setdefault((one.template, *shape), []).append(one)
    for group in groups.values():
        by_statement: Dict[int, List[Single]] = {}
        for one in group:
            by_statement.setdefault(one.statement, []).append(one)
        for together in by_statement.values():
            if 2 <= len(together) <= MOST_PLACES:
                yield from _joined(together, SAME_STATEMENT)
        if len(by_statement) > 1 and len(group) <= MOST_PLACES:
            yield from _joined(group, ELSEWHERE)


def _joined(group: List[Single], factor: float) -> Iterator[Tuple[Single, Tuple[Edit, ...]]]:
    sizes = {len(group), 2}
    for size in sorted(sizes):
        for some in combinations(group, size):
            edits = tuple(sorted(one.edit for one in some))
            best = max(some, key=lambda one: one.probability)
            yield best._replace(probability=best.probability * factor / (1 if size == len(group) else 4)), edits


def _shape(text: str, edit: Edit) -> Optional[Tuple[str, str]]:
    """What an edit does, apart from where: around what stands there, or one text for another."""
    start, end, new = edit
    old = text[start:end]
    if not old.strip() or "\n" in old:
        return None
    return ("", new.replace(old, "\0", 1)) if old in new else (old, new)
