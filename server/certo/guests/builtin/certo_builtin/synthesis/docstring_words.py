"""Words of a docstring and a name, and their stems.

Endings are removed as in the first step of Porter, "An algorithm for suffix stripping" (1980), together with a final
`e`: `sorting`, `sorts` and `sorted` share the stem of `sort`, and `reversed` that of `reverse`.
"""

from __future__ import annotations

import re
from typing import FrozenSet

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HYPHEN = re.compile(r"\b([a-z]+)-([a-z]+)\b")
_VOWEL = re.compile("[aeiouy]")
_MIN_LETTERS = 3
"""Minimum length of a stem in letters."""


def words_of(prose: str, name: str) -> FrozenSet[str]:
    """Return the lower-case words of some prose and of a name; `sub-array` also gives "subarray"."""
    text = "{} {}".format(prose, _HUMP.sub(" ", name).replace("_", " ")).lower()
    whole = (first + second for first, second in _HYPHEN.findall(text))
    return frozenset([*re.findall(r"[a-z]+", text), *whole])


def stem(word: str) -> str:
    """Return a word without endings of the plural and of tenses."""
    word = _singular(word)
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= _MIN_LETTERS and _VOWEL.search(rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz" and len(rest) > _MIN_LETTERS
            word = rest[:-1] if doubled else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > _MIN_LETTERS else word


def _singular(word: str) -> str:
    if len(word) <= _MIN_LETTERS or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > _MIN_LETTERS + 1:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


def stems(words: str) -> FrozenSet[str]:
    """Return the stems of words separated by spaces."""
    return frozenset(map(stem, words.split()))
