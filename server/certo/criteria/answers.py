"""What any answer of a judge may look like: lines, a label, JSON at an end, and the reason given."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value", bool, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[Value]):
    """What an answer says: its value, and the reason that stands with it.

    The value is None when it cannot be told, or cannot be used; `why` then says so where it is not simply unclear.
    """

    value: Value | None
    reason: str = ""
    why: str = ""


LABEL = (
    r"(?:(?:final|my|the|overall)\W+)*(?:verdict|vote|answer|result|decision|conclusion|score|rating|value)"
    r"(?:\s*\([^()]*\)|\s+out\s+of\s+\d+)?"
)
"""What may stand before a verdict, as a regular expression without groups."""

REASON_LINE = re.compile(r"^\W*(?:reason(?:ing|s)?|explanation|because|why)\b\W*", re.IGNORECASE)
"""The beginning of a line that gives a reason and no verdict."""

_REASON_KEYS = ("reason", "reasons", "explanation", "rationale", "why", "comment")

_READ = 4000
"""How many characters of an answer are read at its beginning and at its end; verdicts stand there."""

_OPENINGS = 10
"""How many openings of an object are tried at an answer's beginning and at its end; an honest one has a few."""

_REASON = 600
"""How many characters of a reason are kept."""


def legible(answer: str) -> tuple[str, list[str]]:
    """The part of an answer that is read, in plain letters and digits, and its lines that are not empty."""
    if len(answer) > 2 * _READ:
        answer = f"{answer[:_READ]}\n{answer[-_READ:]}"
    # White space is made short first, because expressions that skip it would go over a long stretch again and again.
    said = [" ".join(line.split()) for line in unicodedata.normalize("NFKC", answer).splitlines()]
    lines = [line for line in said if line and not line.startswith("```")]
    return "\n".join(lines).removesuffix("```").strip(), lines


def outer_lines(lines: list[str]) -> Iterable[tuple[str, list[str]]]:
    """The last line and the first, each with the others."""
    if lines:
        yield lines[-1], lines[:-1]
    if len(lines) > 1:
        yield lines[0], lines[1:]


def json_at_an_end(text: str) -> Mapping[str, object] | None:
    """The largest JSON object that ends where the text does, or else the one it begins with."""
    decoder = json.JSONDecoder(strict=False)
    starts = [opening.start() for opening in re.finditer(r"\{", text)] if text.endswith("}") else []
    if len(starts) > 2 * _OPENINGS:
        starts = starts[:_OPENINGS] + starts[-_OPENINGS:]
    for start in (*starts, 0):
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and (end == len(text) or start == 0):
            return {str(key).strip().lower(): inner for key, inner in value.items()}
    return None


def from_json(
    found: Mapping[str, object], keys: tuple[str, ...], read: Callable[[object], Value | None]
) -> Reading[Value]:
    """What stands under the first of the keys that is there, or under the only one that is no reason."""
    reasons = [found[key] for key in _REASON_KEYS if key in found]
    reason = said_as_reason([str(part) for said in reasons for part in (said if isinstance(said, list) else [said])])
    others = [key for key in found if key not in _REASON_KEYS]
    key = next((key for key in keys if key in found), others[0] if len(others) == 1 else None)
    return Reading(value=None if key is None else read(found[key]), reason=reason)


def said_as_reason(lines: Iterable[str]) -> str:
    """Lines as one sentence or more, without the label and no longer than anyone reads."""
    said = REASON_LINE.sub("", " ".join(" ".join(lines).split()))
    return said if len(said) <= _REASON else f"{said[:_REASON]}…"
