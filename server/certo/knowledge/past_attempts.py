"""Experiment memory: the best, the newest and the most similar tries of earlier searches."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import anyio

from certo.vocabulary.knowledge import PastAttempt

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FAILED_WITH = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration))\b")

_SATURATION = 1.2
_LENGTH = 0.75
"""Saturation of term frequency (k1) and weight of document length (b), as Robertson and Zaragoza (2009) advise for
BM25.
"""

_AT_ONCE = 20
"""Number of texts read before other tasks get a turn."""


def top(tries: Iterable[PastAttempt], k: int, *, by: Literal["cost", "score"] = "cost") -> tuple[PastAttempt, ...]:
    """Return the `k` best tries, the best first, by lowest cost or by best score.

    Passing tries come before failed or rejected ones, known values before unknown ones, and of equals the newer first.
    """

    def rank(past_try: PastAttempt) -> tuple[object, ...]:
        value = past_try.cost if by == "cost" else None if past_try.score is None else -past_try.score.merit
        known = value is not None and not math.isnan(value)
        return not past_try.stands, not known, value if known else 0.0, *_newest(past_try)

    return tuple(sorted(tries, key=rank)[: max(0, k)])


def recent(tries: Iterable[PastAttempt], k: int) -> tuple[PastAttempt, ...]:
    """Return the `k` newest tries, the newest first."""
    return tuple(sorted(tries, key=_newest)[: max(0, k)])


async def similar(tries: Sequence[PastAttempt], text: str, k: int) -> tuple[PastAttempt, ...]:
    """Return the `k` tries most similar to a text by the words of idea, diff and failure (BM25), best first.

    A try without a common word is left out. No model is needed, because names of functions, tests and errors are the
    same words everywhere. Of equals the newer one comes first. Yields to other tasks.
    """
    documents: list[Counter[str]] = []
    for number, each in enumerate(tries):
        if number % _AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        documents.append(
            Counter(words(f"{each.path} {each.qualname} {each.idea} {each.diff} {each.failure} {each.note}"))
        )
    scores = _scores(documents, set(words(text)))
    alike = [(score, each) for score, each in zip(scores, tries, strict=True) if score > 0]
    alike.sort(key=lambda pair: (-pair[0], *_newest(pair[1])))
    return tuple(each for _, each in alike[: max(0, k)])


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; names of several words are split."""
    return [part.lower() for word in _WORD.findall(text) for part in _HUMP.split(word)]


def failed_with(message: str) -> str:
    """Return the exception type in a message of a test or tool; AssertionError for an assertion, "" for none."""
    found = _FAILED_WITH.search(message)
    if found is not None:
        return found.group(1)
    return "AssertionError" if re.search(r"\bassert\b", message) else ""


def _scores(documents: Sequence[Counter[str]], wanted: set[str]) -> list[float]:
    """Return the BM25 score of each document for the wanted words."""
    lengths = [sum(document.values()) for document in documents]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    holding = {word: sum(word in document for document in documents) for word in wanted}
    weights = {word: math.log(1 + (len(documents) - n + 0.5) / (n + 0.5)) for word, n in holding.items() if n}
    scores = []
    for document, length in zip(documents, lengths, strict=True):
        against = _SATURATION * (1 - _LENGTH + _LENGTH * length / average) if average else 0.0
        found = sorted(weights.keys() & document.keys())  # Sums of floats depend on their order.
        scores.append(
            sum(weights[word] * document[word] * (_SATURATION + 1) / (document[word] + against) for word in found)
        )
    return scores


def _newest(past_try: PastAttempt) -> tuple[float, str, int]:
    """Return a unique key that sorts tries from the newest to the oldest."""
    return -past_try.at, past_try.search, -past_try.number
