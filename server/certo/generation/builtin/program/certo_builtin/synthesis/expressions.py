"""The expressions that explain a hole's examples, cheapest first."""

from __future__ import annotations

from typing import Any, FrozenSet, Iterator, List, NamedTuple, Sequence

from certo_builtin.synthesis.components.component import Component, stem
from certo_builtin.synthesis.enumeration import Leaf, Tries
from certo_builtin.synthesis.exploring import Exploration, Makings
from certo_builtin.synthesis.goals import Answer, Goals

MOST_TRIES = 120000
BEYOND = 2
"""How much dearer than the first answer the others may be."""


class Setting(NamedTuple):
    """What expressions are built from, and what they have to be on each example."""

    leaves: List[Leaf]
    constants: List[Leaf]
    components: List[Component]
    words: FrozenSet[str]
    expected: Sequence[Any]


def expressions(setting: Setting, tries: int = MOST_TRIES) -> Iterator[str]:
    """Enumerate expressions that agree with every example."""
    for answer in answers(setting, tries):
        yield answer.text


def answers(setting: Setting, tries: int = MOST_TRIES) -> Iterator[Answer]:
    """The same with their costs."""
    goals = Goals.of(setting.expected)
    words = frozenset(map(stem, setting.words))
    parameters = frozenset(leaf.text for leaf in setting.leaves if leaf.asked)
    makings = Makings(setting.leaves, setting.constants, setting.components, words, parameters, _excused(setting))
    limit = None
    for answer in Exploration(makings, goals, goals.all[:1], Tries(tries)).answers():
        if limit is not None and answer.cost > limit:
            return
        limit = answer.cost + BEYOND if limit is None else limit
        yield answer


def _excused(setting: Setting) -> FrozenSet[int]:
    """The examples of a case of its own, where nothing much is given or wanted, as long as there are others."""
    places = range(len(setting.expected))
    found = frozenset(
        place
        for place in places
        if _is_nothing(setting.expected[place]) or any(_is_nothing(leaf.values[place]) for leaf in setting.leaves)
    )
    return found if len(found) < len(setting.expected) else frozenset()


def _is_nothing(value: Any) -> bool:
    return value is None or (type(value) in (int, str, list, tuple, dict, set) and (not value or value == -1))
