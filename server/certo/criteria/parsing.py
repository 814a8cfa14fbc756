"""Reading a judge's answer: a vote or a number, and the reason given for it, in whatever form they come."""

from __future__ import annotations

import json
import math
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


_FOR = frozenset({"true", "yes", "pass", "passed", "passes"})
_AGAINST = frozenset({"false", "no", "fail", "failed", "fails"})
_PLAIN_WORDS = frozenset({"true", "false"})
"""Words that are a vote whatever follows them; "no" is none in "no tests", nor "pass" in "pass rate"."""

_NEGATIONS = frozenset({"not", "never", "cannot", "neither", "nor"})

_VOTE_KEYS = ("verdict", "vote", "passed", "pass", "answer", "result", "decision")
_NUMBER_KEYS = ("score", "rating", "value", "number", "answer", "result")
_REASON_KEYS = ("reason", "reasons", "explanation", "rationale", "why", "comment")

_LABEL = (
    r"(?:(?:final|my|the|overall)\W+)*(?:verdict|vote|answer|result|decision|conclusion|score|rating|value)"
    r"(?:\s*\([^()]*\)|\s+out\s+of\s+\d+)?"
)
_WORD_LINE = re.compile(
    rf"^[\W_]*(?P<label>{_LABEL}(?:\W*[:=]|\s+is\s)[\W_]*)?(?P<word>[^\W_]+)(?P<rest>.*)$", re.IGNORECASE
)
_FIGURE = (
    r"(?P<number>[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*(?:/|out\s+of)\s*(?P<whole>\d+(?:\.\d+)?)|(?P<percent>\s*%))?"
)
_FIGURES = re.compile(rf"(?<![\w.]){_FIGURE}(?!\w|\.\d)", re.IGNORECASE)
_NUMBER_LINE = re.compile(
    rf"^[^\w+.-]*(?P<label>{_LABEL}(?:\W*?[:=]|\s+is\s)[^\w+.-]*)?{_FIGURE}(?!\w|\.\d)(?P<rest>.*)$", re.IGNORECASE
)
_EITHER = re.compile(r"\W*(?:or|/|\|)\W*(?:true|false|yes|no|pass|fail)", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:[-–]|,(?=\d)|to\b|or\b)\s*\d")
"""What follows a word or a number that is one of two, or the whole part of one with a decimal comma."""

_REASON_LINE = re.compile(r"^\W*(?:reason(?:ing|s)?|explanation|because|why)\b\W*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_CLAUSE_END = re.compile(r"[.!?;:,](?=\s|$)")

_READ = 4000
"""How many characters of an answer are read at its beginning and at its end; verdicts stand there."""

_OPENINGS = 10
"""How many openings of an object are tried at an answer's beginning and at its end; an honest one has a few."""

_REASON = 600
"""How many characters of a reason are kept."""


def read_vote(answer: str) -> Reading[bool]:
    """Read a vote: true or false, yes or no, pass or fail, alone, in a sentence or as JSON; None when it is none.

    The end of an answer counts more than its beginning, and both more than what lies between: judges quote what they
    judge. So it is JSON, the last line, the first line, the last word (turned round behind "not"), the first word.
    """
    text, lines = _legible(answer)
    found = _json_at_an_end(text)
    if found is not None:
        return _from_json(found, _VOTE_KEYS, _as_vote)
    for line, others in _outer_lines(lines):
        vote = _vote_of_line(line)
        if vote is not None:
            return Reading(value=vote, reason=_reason(others))
    votes = (_last_word(lines[-1]), _first_word(lines[0])) if lines else ()
    return Reading(value=next((vote for vote in votes if vote is not None), None), reason=_reason(lines))


def read_number(answer: str, *, low: float, high: float) -> Reading[float]:
    """Read a number on the scale from `low` to `high`: alone, "7/10", "Score: 7", in a sentence or as JSON.

    It may lie outside of the scale, but is finite; what is said of another whole ("4/5", "80 %") is brought to a scale
    that begins at 0. Where more numbers stand than one and nothing says which is meant, it is none.
    """
    text, lines = _legible(answer)

    def of(figure: re.Match[str]) -> float | None:
        return _on_scale(figure, low, high)

    found = _json_at_an_end(text)
    if found is not None:
        return _from_json(found, _NUMBER_KEYS, lambda value: _as_number(value, of))
    for line, others in _outer_lines(lines):
        figure = _NUMBER_LINE.match(line)
        if figure is not None and (figure["label"] or not re.search(r"[^\W_]", figure["rest"])):
            return Reading(value=of(figure), reason=_reason(others))
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    for sentence in (*sentences[-1:], text):
        figures = list(_FIGURES.finditer(sentence))
        wholes = [figure for figure in figures if figure["whole"] and float(figure["whole"]) == high]
        if len(figures) == 1 or len(wholes) == 1:
            return Reading(value=of((wholes or figures)[0]), reason=_reason(lines))
    return Reading(value=None, reason=_reason(lines))


def _legible(answer: str) -> tuple[str, list[str]]:
    """The part of an answer that is read, in plain letters and digits, and its lines that are not empty."""
    if len(answer) > 2 * _READ:
        answer = f"{answer[:_READ]}\n{answer[-_READ:]}"
    # White space is made short first, because expressions that skip it would go over a long stretch again and again.
    said = [" ".join(line.split()) for line in unicodedata.normalize("NFKC", answer).splitlines()]
    lines = [line for line in said if line and not line.startswith("```")]
    return "\n".join(lines).removesuffix("```").strip(), lines


def _outer_lines(lines: list[str]) -> Iterable[tuple[str, list[str]]]:
    """The last line and the first, each with the others."""
    if lines:
        yield lines[-1], lines[:-1]
    if len(lines) > 1:
        yield lines[0], lines[1:]


def _json_at_an_end(text: str) -> Mapping[str, object] | None:
    """The largest JSON object that ends where the text does, or else the one it begins with."""
    decoder = json.JSONDecoder()
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


def _from_json(
    found: Mapping[str, object], keys: tuple[str, ...], read: Callable[[object], Value | None]
) -> Reading[Value]:
    """What stands under the first of the keys that is there, or under the only one that is no reason."""
    reasons = [found[key] for key in _REASON_KEYS if key in found]
    reason = _reason([str(part) for said in reasons for part in (said if isinstance(said, list) else [said])])
    others = [key for key in found if key not in _REASON_KEYS]
    key = next((key for key in keys if key in found), others[0] if len(others) == 1 else None)
    return Reading(value=None if key is None else read(found[key]), reason=reason)


def _as_vote(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return _vote_of_line(value.strip()) if isinstance(value, str) else None


def _as_number(value: object, of: Callable[[re.Match[str]], float | None]) -> float | None:
    if isinstance(value, str):
        figure = _NUMBER_LINE.match(value.strip())
        return of(figure) if figure is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _finite(value)


def _vote_of_line(line: str) -> bool | None:
    """The vote that is all there is of a line, or that stands behind a label such as "Verdict:"."""
    found = _WORD_LINE.match(line)
    if found is None or (found["label"] is None and re.search(r"[^\W_]", found["rest"])):
        return None
    return _vote_that_opens(found)


def _first_word(line: str) -> bool | None:
    """The vote that a line begins with."""
    found = _WORD_LINE.match(line)
    return None if found is None else _vote_that_opens(found)


def _vote_that_opens(found: re.Match[str]) -> bool | None:
    word, rest = found["word"].lower(), found["rest"].strip()
    if _EITHER.match(rest) or (rest[:1].isalnum() and word not in _PLAIN_WORDS):
        return None
    return _vote_of_word(word)


def _vote_of_word(word: str) -> bool | None:
    if word in _FOR:
        return True
    return False if word in _AGAINST else None


def _last_word(line: str) -> bool | None:
    """The vote that ends the last clause of a line; none when the clause denies something else than the word.

    A line that says it is a reason is none: what it ends with is about the material.
    """
    clauses = [clause for clause in _CLAUSE_END.split(line) if re.search(r"[^\W_]", clause)]
    if not clauses or _REASON_LINE.match(line):
        return None
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", clauses[-1].lower())
    vote = _vote_of_word(words[-1])
    denied = [place for place, word in enumerate(words) if word in _NEGATIONS or re.search(r"n['’]t$", word)]
    before = words[-2] if len(words) > 1 else ""
    if vote is None or before == "or" or _vote_of_word(before) is (not vote):
        return None
    if not denied:
        return vote
    return not vote if denied == [len(words) - 2] else None


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


def _reason(lines: Iterable[str]) -> str:
    """Lines as one sentence or more, without the label and no longer than anyone reads."""
    said = _REASON_LINE.sub("", " ".join(" ".join(lines).split()))
    return said if len(said) <= _REASON else f"{said[:_REASON]}…"
