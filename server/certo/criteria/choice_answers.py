"""Reading one of several words from an answer, in whatever form it comes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial

from certo.criteria.answers import LABEL, REASON_LINE, from_json, json_at_an_end, legible, outer_lines

_KEYS = ("value", "answer", "choice", "label", "class", "category", "result")

_LABELLED = re.compile(
    rf"^\W*(?:{LABEL}|choice|label|class|category)(?:\W*[:=]|\s+is\s)\s*(?P<rest>.*)$", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:not|never|cannot|neither|nor|or)\b|n['’]t\b", re.IGNORECASE)
"""What makes the last word of a sentence no choice."""


def read_choice(answer: str, choices: Sequence[str]) -> str | None:
    """Read the one of `choices` that an answer names; None when it names none, or more than one.

    As with votes, it is JSON, the last line, the first line, or the last words of a sentence in which no other choice
    stands. Letters may be large or small, and marks may stand around a word.
    """
    text, lines = legible(answer)
    found = json_at_an_end(text)
    if found is not None:
        named = [choice for choice in choices if from_json(found, _KEYS, partial(_is, choice)).value]
        return _only(named)
    for line, _ in outer_lines(lines):
        labelled = _LABELLED.match(line)
        named = _named(line, choices) or (_named(labelled["rest"], choices) if labelled else [])
        if named:
            return _only(named)
    return _ending(lines[-1], choices) if lines else None


def _is(choice: str, value: object) -> bool | None:
    said = value if isinstance(value, str) else json.dumps(value)
    return bool(_named(said, [choice])) or None


def _named(said: str, choices: Sequence[str]) -> list[str]:
    """The choices that are all there is of some words: those written the same, or else those that sound the same."""
    bare = _bare(said)
    same = [choice for choice in choices if choice in (said, bare)]
    return same or [choice for choice in choices if _bare(choice).casefold() == bare.casefold()]


def _ending(line: str, choices: Sequence[str]) -> str | None:
    """The choice that ends a line in which no other one stands, unless the line denies it or is a reason."""
    if REASON_LINE.match(line) or _DENIED.search(line):
        return None
    there = [choice for choice in choices if re.search(_word(choice), line, re.IGNORECASE)]
    return _only([choice for choice in there if re.search(rf"{_word(choice)}\W*$", line, re.IGNORECASE)], among=there)


def _word(choice: str) -> str:
    return rf"(?<!\w){re.escape(choice)}(?!\w)"


def _only(named: Sequence[str], among: Sequence[str] = ()) -> str | None:
    return named[0] if len(named) == 1 and len(among) <= 1 else None


def _bare(said: str) -> str:
    """Words without the marks around them, if anything is left then."""
    stripped = re.sub(r"^[\W_]+|[\W_]+$", "", said)
    return " ".join((stripped or said).split())
