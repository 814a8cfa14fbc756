"""The bodies that explain a hole's examples, cheapest first: expressions, loops, formulas, and a guard before one."""

from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Sequence

from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.expressions import MAX_EXTRA_COST, MAX_TRIES, Setting, answers, hints_of
from certo_builtin.synthesis.folds import folds
from certo_builtin.synthesis.formulas import polynomials, recurrences
from certo_builtin.synthesis.grouping import groupings
from certo_builtin.synthesis.loops import Body

CHEAP = 6
"""Maximum cost of an expression that is reported before loops are searched."""

GUARD_COST = 3


def bodies(setting: Setting, tries: int = MAX_TRIES) -> Iterator[Body]:
    """Enumerate bodies that agree with every example, none much dearer than the first."""
    limit: Optional[int] = None
    parameter = _never_empty(setting) if setting.when_empty is not None else None
    for body in _found(setting, tries):
        if limit is not None and body.cost > limit:
            return
        limit = body.cost + MAX_EXTRA_COST if limit is None else limit
        if parameter is None:
            yield body
        else:
            guard = ("if not {}:".format(parameter), "    return {}".format(setting.when_empty))
            yield Body(body.cost, (*guard, *body.lines))


def _never_empty(setting: Setting) -> Optional[str]:
    """Return the first parameter that could be empty but is not in any example."""
    for leaf in setting.leaves:
        if all(type(value) in (str, list, tuple, dict, set) for value in leaf.values):
            return leaf.text if all(leaf.values) else None
    return None


def _found(setting: Setting, tries: int) -> Iterator[Body]:
    if not _varied(setting.expected):
        tries //= 4
    loops: Optional[List[Body]] = None
    some = False
    for answer in answers(setting, tries):
        body = Body(answer.cost, ("return " + answer.text,))
        # Searching loops takes longer than enumerating cheap expressions, so it waits until these are used up; then
        # both are merged by cost.
        if loops is None and body.cost > CHEAP:
            loops = _loops(setting)
        while loops and loops[0] < body:
            some = True
            yield loops.pop(0)
        some = True
        yield body
    yield from _loops(setting) if loops is None else loops
    if not some and not loops:
        yield from _guarded(setting, tries // 2)


def _varied(expected: Sequence[Any]) -> bool:
    return len({repr(value) for value in expected}) > 1


def _loops(setting: Setting) -> List[Body]:
    if not _varied(setting.expected):
        return []
    words = setting.stems
    found = list(folds(setting.leaves, setting.constants, words, setting.expected))
    found += groupings(setting.leaves, setting.constants, words, setting.expected)
    found += polynomials(setting.leaves, setting.expected)
    found += recurrences(setting.leaves, setting.expected)
    hints = hints_of(setting)
    return sorted(body._replace(cost=body.cost + hints.cost("\n".join(body.lines))) for body in found)


class Guard(NamedTuple):
    """A guarded case: the parameter that is empty or zero, the result then, and the other examples."""

    parameter: str
    result: str
    others: List[int]


def _guards(setting: Setting) -> Iterator[Guard]:
    for leaf in setting.leaves:
        places = range(len(leaf.values))
        empty = [place for place in places if _is_empty(leaf.values[place])]
        others = [place for place in places if place not in empty]
        results = {repr(setting.expected[place]) for place in empty}
        if others and len(results) == 1:
            yield Guard(leaf.text, results.pop(), others)


def _is_empty(value: Any) -> bool:
    return type(value) in (int, str, list, tuple, dict, set, type(None)) and not value


def _guarded(setting: Setting, tries: int) -> Iterator[Body]:
    """Yield bodies that return early for an empty parameter, and are searched on the other examples alone."""
    for guard in _guards(setting):
        rest = setting._replace(
            leaves=[_only(leaf, guard.others) for leaf in setting.leaves],
            constants=[_only(leaf, guard.others) for leaf in setting.constants],
            expected=[setting.expected[place] for place in guard.others],
        )
        if not _varied(rest.expected):
            continue
        for answer in answers(rest, tries):
            lines = ("if not {}:".format(guard.parameter), "    return " + guard.result, "return " + answer.text)
            yield Body(answer.cost + GUARD_COST, lines)


def _only(leaf: Leaf, places: Sequence[int]) -> Leaf:
    return leaf._replace(values=tuple(leaf.values[place] for place in places))
