"""The expressions that explain a hole's examples, cheapest first."""

from __future__ import annotations

from typing import Any, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stem
from certo_builtin.synthesis.enumeration import Leaf, Tries
from certo_builtin.synthesis.exploration import Exploration, Makings
from certo_builtin.synthesis.goals import Answer, Goals
from certo_builtin.synthesis.unused_hints import Unsaid

MAX_TRIES = 120000
BEYOND = 2
"""How much dearer than the first answer the others may be."""


MIN_FOR_OTHERS = 10000
"""The tries that are left for other answers when the first is found, or as many as it took if that is more."""


class Setting(NamedTuple):
    """The parts that expressions are built from, and the value they must have on each example.

    `when_empty` is the text of what the docstring says is returned for an empty argument, if it says so.
    """

    leaves: List[Leaf]
    constants: List[Leaf]
    components: List[Component]
    words: FrozenSet[str]
    expected: Sequence[Any]
    when_empty: Optional[str] = None


def expressions(setting: Setting, tries: int = MAX_TRIES) -> Iterator[str]:
    """Enumerate expressions that agree with every example."""
    for answer in answers(setting, tries):
        yield answer.text


def answers(setting: Setting, tries: int = MAX_TRIES) -> Iterator[Answer]:
    """The same with their costs."""
    goals = Goals.of(setting.expected)
    words = frozenset(map(stem, setting.words))
    makings = Makings(
        setting.leaves, setting.constants, setting.components, words, unsaid_of(setting), _excused(setting)
    )
    left = Tries(tries)
    limit = None
    for answer in Exploration(makings, goals, goals.all[:1], left).answers():
        if limit is not None and answer.cost > limit:
            return
        if limit is None:
            limit = answer.cost + BEYOND
            left.left = min(left.left, max(MIN_FOR_OTHERS, tries - left.left))
        yield answer


def unsaid_of(setting: Setting) -> Unsaid:
    """Return the hints that bodies in this setting should use."""
    parameters = frozenset(leaf.text for leaf in setting.leaves if leaf.asked)
    return Unsaid(parameters, frozenset(map(stem, setting.words)), COMPONENTS)


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
