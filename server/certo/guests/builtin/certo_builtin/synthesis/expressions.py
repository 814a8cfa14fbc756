"""The expressions that explain a hole's examples, cheapest first."""

from __future__ import annotations

from typing import Any, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stem
from certo_builtin.synthesis.enumeration import Leaf, Tries
from certo_builtin.synthesis.exploration import Exploration, Ingredients
from certo_builtin.synthesis.goals import Answer, Goals
from certo_builtin.synthesis.unused_hints import Constructs, UnusedHints

MAX_TRIES = 120000
MAX_EXTRA_COST = 2
"""Maximum extra cost of further answers over the first."""


MIN_FOR_OTHERS = 10000
"""Minimum number of tries for further answers after the first, or as many as it took if that is more."""


class Setting(NamedTuple):
    """Parts for expressions, and the required value on each example.

    `when_empty` is the text of the result for an empty argument, if the docstring gives it; `constructs` are what code
    with the docstring's phrases contains, `implied` the stems of words that they stand for.
    """

    leaves: List[Leaf]
    constants: List[Leaf]
    components: List[Component]
    words: FrozenSet[str]
    expected: Sequence[Any]
    when_empty: Optional[str] = None
    constructs: Optional[Constructs] = None
    implied: FrozenSet[str] = frozenset()

    @property
    def stems(self) -> FrozenSet[str]:
        """The stems of the words that make components cheaper."""
        return frozenset(map(stem, self.words)) | self.implied


def expressions(setting: Setting, tries: int = MAX_TRIES) -> Iterator[str]:
    """Enumerate expressions that agree with every example."""
    for answer in answers(setting, tries):
        yield answer.text


def answers(setting: Setting, tries: int = MAX_TRIES) -> Iterator[Answer]:
    """Yield the same answers with their costs."""
    goals = Goals.of(setting.expected)
    words = setting.stems
    ingredients = Ingredients(
        setting.leaves, setting.constants, setting.components, words, hints_of(setting), _optional(setting)
    )
    left = Tries(tries)
    limit = None
    for answer in Exploration(ingredients, goals, goals.all[:1], left).answers():
        if limit is not None and answer.cost > limit:
            return
        if limit is None:
            limit = answer.cost + MAX_EXTRA_COST
            left.left = min(left.left, max(MIN_FOR_OTHERS, tries - left.left))
        yield answer


def hints_of(setting: Setting) -> UnusedHints:
    """Return the hints for bodies in this setting."""
    parameters = frozenset(leaf.text for leaf in setting.leaves if leaf.asked)
    return UnusedHints(parameters, frozenset(map(stem, setting.words)), COMPONENTS, setting.constructs)


def _optional(setting: Setting) -> FrozenSet[int]:
    """Return the examples of a special case, with trivial arguments or result, as long as there are others."""
    places = range(len(setting.expected))
    found = frozenset(
        place
        for place in places
        if _is_nothing(setting.expected[place]) or any(_is_nothing(leaf.values[place]) for leaf in setting.leaves)
    )
    return found if len(found) < len(setting.expected) else frozenset()


def _is_nothing(value: Any) -> bool:
    return value is None or (type(value) in (int, str, list, tuple, dict, set) and (not value or value == -1))
