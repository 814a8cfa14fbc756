"""Model of the tokens of the user's own file: code repeats itself, and so do its fixes.

A trigram model with interpolation, as for the repetitiveness of software (Hindle et al., "On the naturalness of
software", 2012; Ray et al., "On the naturalness of buggy code", 2016).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from typing import Dict, Sequence, Tuple

from certo_builtin.source import Edit

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|'[^'\n]*'|\"[^\"\n]*\"|[-+*/%<>=!&|^@:]+|[^\s\w]")

NEARBY_CHARACTERS = 60
"""Number of characters on either side of an edit in which its neighbours are sought."""

TRIGRAM, BIGRAM, UNIGRAM, UNSEEN = 0.6, 0.25, 0.1, 0.05
"""Shares of a token's probability: after two tokens, after one, in the file, and for a token that it does not have."""

EXPONENT = 0.1
"""Weight of the model, which knows one file, beside the other factors; chosen on development repositories."""

TYPICAL = -20.0
"""Logarithm of the probability of a usual fix's tokens, for which the factor is 1."""

MAX_TOKENS_FACTOR = math.exp(-EXPONENT * TYPICAL)
"""Maximum of `TokenModel.factor`."""

MIN_TOKENS_FACTOR = 0.2
"""Minimum of the factor, for whole blocks put in, and that of an edit whose tokens are not read."""


class TokenModel:
    """Counts of the tokens of a text, of its pairs and of its triples."""

    def __init__(self, text: str) -> None:
        self._text = text
        tokens = TOKEN.findall(text)
        self._ones = Counter(tokens)
        self._twos = Counter(zip(tokens, tokens[1:]))  # noqa: RUF007 – Python 3.8 has no pairwise
        self._threes = Counter(zip(tokens, tokens[1:], tokens[2:]))
        self._all = len(tokens) + 1
        self._logs: Dict[Tuple[str, str, str], float] = {}
        self._before: Dict[int, Tuple[str, ...]] = {}
        self._after: Dict[int, Tuple[str, ...]] = {}

    def factor(self, edits: Sequence[Edit]) -> float:
        """Return an edit's factor: below 1 if its tokens are many, or rare after those before them."""
        mean = sum(map(self._likelihood, edits)) / len(edits)
        return max(MIN_TOKENS_FACTOR, math.exp(EXPONENT * (mean - TYPICAL)))

    def _likelihood(self, edit: Edit) -> float:
        """Return the logarithm of the probability of the new tokens and of the two after them."""
        start, end, text = edit
        if start not in self._before:
            self._before[start] = ("", "", *_tokens(self._text[max(0, start - NEARBY_CHARACTERS) : start]))[-2:]
        if end not in self._after:
            self._after[end] = _tokens(self._text[end : end + NEARBY_CHARACTERS])[:2]
        tokens = (*self._before[start], *_tokens(text), *self._after[end])
        return sum(map(self._log, tokens, tokens[1:], tokens[2:]))

    def _log(self, first: str, second: str, token: str) -> float:
        key = (first, second, token)
        found = self._logs.get(key)
        if found is None:
            probability = UNSEEN / (len(self._ones) + 1) + UNIGRAM * self._ones[token] / self._all
            if self._ones[second]:
                probability += BIGRAM * self._twos[second, token] / self._ones[second]
            if self._twos[first, second]:
                probability += TRIGRAM * self._threes[key] / self._twos[first, second]
            found = self._logs[key] = math.log(probability)
        return found


@lru_cache(maxsize=8192)
def _tokens(text: str) -> Tuple[str, ...]:
    return tuple(TOKEN.findall(text))
