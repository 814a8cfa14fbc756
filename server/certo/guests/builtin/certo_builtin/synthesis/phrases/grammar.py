"""The phrases found in some prose, and all that they suggest together."""

from __future__ import annotations

import re
from typing import Dict, FrozenSet, List, Match, NamedTuple, Pattern, Tuple

from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.phrases.catalogue import PHRASES
from certo_builtin.synthesis.phrases.phrase import MAX_CHARACTERS, Phrase


class Found(NamedTuple):
    """One phrase in some prose, and where it was found."""

    phrase: Phrase
    match: Match[str]


class Reading(NamedTuple):
    """All phrases in some prose, in the order of the grammar."""

    found: Tuple[Found, ...] = ()

    @property
    def words(self) -> FrozenSet[str]:
        """The stems of other words for the same."""
        return frozenset().union(*(one.phrase.words for one in self.found))

    @property
    def constructs(self) -> Dict[str, Tuple[Pattern[str], FrozenSet[str]]]:
        """The construct of each telling phrase by its name, with the words that it stands for."""
        told = (one.phrase for one in self.found if one.phrase.telling)
        return {phrase.name: (re.compile(phrase.construct), phrase.words) for phrase in told}

    def components(self) -> List[Component]:
        """Return the components that the phrases are about."""
        made = (component for one in self.found for component in one.phrase.components(one.match))
        return list({component.text: component for component in made}.values())


def read(prose: str, name: str = "") -> Reading:
    """Return the phrases in some prose and the words of a name."""
    text = " ".join("{} . {}".format(prose, name.replace("_", " ")).split())[:MAX_CHARACTERS]
    searched = ((phrase, phrase.match(text)) for phrase in PHRASES)
    return Reading(tuple(Found(phrase, match) for phrase, match in searched if match))
