"""Unused hints: parameters that a body does not use, and words of the docstring that nothing in it answers to.

A function that takes a parameter uses it, and one whose docstring speaks of primes or vowels has to do with them. What
fits the examples without is more likely a coincidence, so it costs more, and something that answers comes before it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Dict, FrozenSet, List, Pattern, Sequence

from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stems

UNUSED = 3
"""What it costs not to use a parameter."""

UNANSWERED = 4
"""What it costs to leave all of many words unanswered."""

FEW = 4
"""A word that more components than this go by says little."""

EVERYDAY = stems(
    "a add all and any appear append are at back be both by case character code convert count create different "
    "digit does each either element end every exactly find first from get given has how if in index integer into is "
    "it item join key last least less like list many most next no not number of on one or order other over part "
    "position print same set show side size start string sum take text than that the them then three to total tuple "
    "two type up use value whether with within without word"
)
"""Words that docstrings are full of, whatever the function does."""


class Unsaid:
    """The hints of one function: its parameters, and the words of its docstring."""

    def __init__(self, parameters: FrozenSet[str], words: FrozenSet[str], components: Sequence[Component]) -> None:
        self.parameters = [re.compile(r"\b{}\b".format(re.escape(name))) for name in sorted(parameters)]
        usual = Counter(word for component in components for word in component.words)
        self.answers: Dict[str, List[Pattern[str]]] = {
            word: [_pattern(component) for component in components if word in component.words]
            for word in sorted(words - EVERYDAY)
            if 0 < usual[word] <= FEW
        }

    def cost(self, text: str) -> int:
        """Return the cost of the hints that a body, an expression or some lines, leaves unused."""
        return UNUSED * self.unused(text) + round(UNANSWERED * (1.0 - self.answered(text)))

    def unused(self, text: str) -> int:
        """Return the number of parameters that a body leaves unused."""
        return sum(not pattern.search(text) for pattern in self.parameters)

    def answered(self, text: str) -> float:
        """The share of the words that a body answers to, of one more than there are: few words say little."""
        return 1.0 - self._unanswered(text) / (len(self.answers) + 1)

    def answered_all(self, text: str) -> int:
        """Return the number of words a body answers to if it leaves none unanswered; otherwise 0."""
        return 0 if self._unanswered(text) else len(self.answers)

    def _unanswered(self, text: str) -> int:
        return sum(not any(pattern.search(text) for pattern in patterns) for patterns in self.answers.values())


def _pattern(component: Component) -> Pattern[str]:
    pieces = re.split(r"\{\d\}", component.text.replace("{{", "{").replace("}}", "}"))
    return re.compile(".*".join(re.escape(piece) for piece in pieces if piece), re.DOTALL)
