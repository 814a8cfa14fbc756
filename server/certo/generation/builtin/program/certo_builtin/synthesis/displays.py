"""Displays: a tuple or a list of two or three answers, each found on its own, and a dictionary of keys and values."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

from certo_builtin.synthesis.enumeration import bare
from certo_builtin.synthesis.goals import Answer, Goal
from certo_builtin.synthesis.terms import ATOM, Term, fingerprint

MOST_PLACES = 3
COST = 1


class Display(NamedTuple):
    """A goal with its places: what each has to be, and how they are written together."""

    goal: Goal
    text: str
    places: Tuple[str, ...]


class Displays:
    """Joins the terms that stand at the places of a goal, as soon as there is one for each."""

    def __init__(self, goals: Sequence[Goal], known: Dict[str, Term]) -> None:
        self.known = known
        self.waiting: Dict[str, List[Display]] = {}
        for goal in goals:
            for display in _displays(goal):
                for place in display.places:
                    self.waiting.setdefault(place, []).append(display)

    def with_term(self, term: Term) -> Iterator[Answer]:
        """The answers that a new term is the last missing part of."""
        if not self.waiting:
            return
        for display in self.waiting.get(fingerprint(term.values) or "", ()):
            parts = [self.known.get(place) for place in display.places]
            found = [part for part in parts if part is not None]
            if len(found) == len(parts) and not all(part.fixed for part in found):
                text = display.text.format(*(bare(part.text) if "zip" in display.text else part.text for part in found))
                yield display.goal.answer(text, ATOM, sum(part.cost for part in found) + COST)


def _displays(goal: Goal) -> Iterator[Display]:
    values = goal.values
    for kind, text in ((tuple, "({})"), (list, "[{}]")):
        sizes = {len(value) for value in values if type(value) is kind}
        if all(type(value) is kind for value in values) and len(sizes) == 1 and 1 < min(sizes) <= MOST_PLACES:
            (size,) = sizes
            columns = [[value[place] for value in values] for place in range(size)]
            yield from _display(goal, text.format(", ".join(["{}"] * size)), columns)
    if all(type(value) is dict for value in values):
        yield from _display(goal, "dict(zip({}, {}))", [list(map(list, values)), _values_of(values)])


def _values_of(values: Sequence[Any]) -> List[Any]:
    return [list(value.values()) for value in values]


def _display(goal: Goal, text: str, columns: Sequence[Sequence[Any]]) -> Iterator[Display]:
    places = [fingerprint(tuple(column)) for column in columns]
    known = tuple(place for place in places if place is not None)
    if len(known) == len(places):
        yield Display(goal, text, known)
