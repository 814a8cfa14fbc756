"""Experiment memory: the best, the newest and the most alike of all tries that earlier searches made."""

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
"""How soon one more occurrence of a word counts no more, and how much length counts against a text: what Robertson and
Zaragoza (2009) advise for BM25."""

_AT_ONCE = 20
"""So many texts are read before others have their turn."""


def top(tries: Iterable[PastAttempt], k: int, *, by: Literal["cost", "score"] = "cost") -> tuple[PastAttempt, ...]:
    """The `k` best tries, the best first: by cost, of which less is better, or by score, whichever way counts.

    One that passed stands before all that did not, or that its user turned down; a known value before an unknown one,
    whatever it is, and of equals the newer one first.
    """

    def rank(past_try: PastAttempt) -> tuple[object, ...]:
        value = past_try.cost if by == "cost" else None if past_try.score is None else -past_try.score.merit
        known = value is not None and not math.isnan(value)
        return not past_try.stands, not known, value if known else 0.0, *_newest(past_try)

    return tuple(sorted(tries, key=rank)[: max(0, k)])


def recent(tries: Iterable[PastAttempt], k: int) -> tuple[PastAttempt, ...]:
    """The `k` newest tries, the newest first."""
    return tuple(sorted(tries, key=_newest)[: max(0, k)])


async def similar(tries: Sequence[PastAttempt], text: str, k: int) -> tuple[PastAttempt, ...]:
    """The `k` tries that are most alike to a text, by the words of idea, diff and failure (BM25).

    One that shares no word with it is not alike. No model is needed for this: what is compared are names of functions,
    tests and errors, which are the same words wherever they stand. Of equals the newer one comes first. Others have
    their turn in between.
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
    """The words of a text in small letters; names fall apart where they are written of several words."""
    return [part.lower() for word in _WORD.findall(text) for part in _HUMP.split(word)]


def failed_with(message: str) -> str:
    """The kind of exception that a message of a test or a tool speaks of; that of an assertion, or "" for none."""
    found = _FAILED_WITH.search(message)
    if found is not None:
        return found.group(1)
    return "AssertionError" if re.search(r"\bassert\b", message) else ""


def _scores(documents: Sequence[Counter[str]], wanted: set[str]) -> list[float]:
    """How well each document answers to the words that are wanted."""
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
    """What sorts tries from the newest to the oldest, no two of them equal."""
    return -past_try.at, past_try.search, -past_try.number
