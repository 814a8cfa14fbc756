"""Reading a number from a judge's answer, in whatever form it comes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from certo.criteria.answers import LABEL, Reading, from_json, json_at_an_end, legible, outer_lines, said_as_reason

_KEYS = ("score", "rating", "value", "number", "answer", "result")

_FIGURE = (
    r"(?P<number>[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*(?:/|out\s+of)\s*(?P<whole>\d+(?:\.\d+)?)|(?P<percent>\s*%))?"
)
_FIGURES = re.compile(rf"(?<![\w.]){_FIGURE}(?!\w|\.\d)", re.IGNORECASE)
_LINE = re.compile(
    rf"^[^\w+.-]*(?P<label>{LABEL}(?:\W*?[:=]|\s+is\s)[^\w+.-]*)?{_FIGURE}(?!\w|\.\d)(?P<rest>.*)$", re.IGNORECASE
)
_RANGE = re.compile(r"\s*(?:[-–]|,(?=\d)|to\b|or\b)\s*\d")
"""What follows a number that is one of two, or the whole part of one with a decimal comma."""

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")


def read_number(answer: str, *, low: float, high: float) -> Reading[float]:
    """Read a number on the scale from `low` to `high`: alone, "7/10", "Score: 7", in a sentence or as JSON.

    It may lie outside of the scale, but is finite; what is said of another whole ("4/5", "80 %") is brought to a scale
    that begins at 0. Where more numbers stand than one and nothing says which is meant, it is none.
    """
    text, lines = legible(answer)

    def of(figure: re.Match[str]) -> float | None:
        return _on_scale(figure, low, high)

    found = json_at_an_end(text)
    if found is not None:
        return from_json(found, _KEYS, lambda value: _as_number(value, of))
    for line, others in outer_lines(lines):
        figure = _LINE.match(line)
        if figure is not None and (figure["label"] or not re.search(r"[^\W_]", figure["rest"])):
            return Reading(value=of(figure), reason=said_as_reason(others))
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    for sentence in (*sentences[-1:], text):
        figures = list(_FIGURES.finditer(sentence))
        wholes = [figure for figure in figures if figure["whole"] and float(figure["whole"]) == high]
        if len(figures) == 1 or len(wholes) == 1:
            return Reading(value=of((wholes or figures)[0]), reason=said_as_reason(lines))
    return Reading(value=None, reason=said_as_reason(lines))


def _as_number(value: object, of: Callable[[re.Match[str]], float | None]) -> float | None:
    if isinstance(value, str):
        figure = _LINE.match(value.strip())
        return of(figure) if figure is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _finite(value)


def _on_scale(figure: re.Match[str], low: float, high: float) -> float | None:
    """The number that stands in an answer, as one on the scale; none where it is half of something else."""
    if _RANGE.match(figure.string, figure.end("percent" if figure["percent"] else "number")):
        return None
    value = float(figure["number"])
    whole = 100.0 if figure["percent"] else float(figure["whole"] or 0)
    if whole and whole != high and low == 0:
        value = value * high / whole
    return _finite(value)


def _finite(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
