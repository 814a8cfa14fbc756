"""Unused hints: parameters that a body does not use, and words of the docstring that nothing in it matches.

A function uses its parameters, and one whose docstring mentions primes or vowels has to do with them. A body that fits
the examples without these is more likely a coincidence, so it costs more.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Dict, FrozenSet, List, Mapping, Optional, Pattern, Sequence, Tuple

from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stems

Constructs = Mapping[str, Tuple[Pattern[str], FrozenSet[str]]]
"""The construct of each phrase by its name, and the words that the phrase stands for."""

UNUSED_PARAMETER_COST = 3
"""The cost of each unused parameter."""

UNANSWERED_WORDS_COST = 4
"""Cost of leaving all of many words unmatched."""

MAX_COMPONENTS_PER_WORD = 4
"""Maximum number of components that match a word; a word with more is no hint."""

COMMON_WORDS = stems(
    "a add all and any appear append are at back be both by case character code convert count create different "
    "digit does each either element end every exactly find first from get given has how if in index integer into is "
    "it item join key last least less like list many most next no not number of on one or order other over part "
    "position print same set show side size start string sum take text than that the them then three to total tuple "
    "two type up use value whether with within without word"
)
"""Words common in all kinds of docstrings."""


class UnusedHints:
    """Hints for one function: its parameters, and the words and phrases of its docstring."""

    def __init__(
        self,
        parameters: FrozenSet[str],
        words: FrozenSet[str],
        components: Sequence[Component],
        constructs: Optional[Constructs] = None,
    ) -> None:
        self.parameters = [re.compile(r"\b{}\b".format(re.escape(name))) for name in sorted(parameters)]
        usual = Counter(word for component in components for word in component.words)
        self.answers: Dict[str, List[Pattern[str]]] = {
            word: [_pattern(component) for component in components if word in component.words]
            for word in sorted(words - COMMON_WORDS)
            if 0 < usual[word] <= MAX_COMPONENTS_PER_WORD
        }
        for name, (construct, covered) in (constructs or {}).items():
            # A word has few components, which tell more than all that a phrase may mean.
            if covered.isdisjoint(self.answers):
                self.answers[name] = [construct]

    def cost(self, text: str) -> int:
        """Return the cost of the hints that a body, an expression or some lines, leaves unused."""
        return UNUSED_PARAMETER_COST * self.unused(text) + round(UNANSWERED_WORDS_COST * (1.0 - self.answered(text)))

    def unused(self, text: str) -> int:
        """Return the number of parameters that a body leaves unused."""
        return sum(not pattern.search(text) for pattern in self.parameters)

    def answered(self, text: str) -> float:
        """Return the share of matched words among one more than there are: few words mean little."""
        return 1.0 - self._unanswered(text) / (len(self.answers) + 1)

    def answered_all(self, text: str) -> int:
        """Return the number of words a body matches if it matches all of them; otherwise 0."""
        return 0 if self._unanswered(text) else len(self.answers)

    def _unanswered(self, text: str) -> int:
        return sum(not any(pattern.search(text) for pattern in patterns) for patterns in self.answers.values())


def _pattern(component: Component) -> Pattern[str]:
    pieces = re.split(r"\{\d\}", component.text.replace("{{", "{").replace("}}", "}"))
    return re.compile(".*".join(re.escape(piece) for piece in pieces if piece), re.DOTALL)
