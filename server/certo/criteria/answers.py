"""Parsing of judges' answers: lines, a label, JSON at an end, and the reason."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from certo.vocabulary.records import dataclass

Value = TypeVar("Value", bool, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[Value]):
    """A parsed answer: its value and its reason.

    The value is None if it is unclear or unusable; `why` gives the reason unless it is just unclear.
    """

    value: Value | None
    reason: str = ""
    why: str = ""


LABEL = (
    r"(?:(?:final|my|the|overall)\W+)*(?:verdict|vote|answer|result|decision|conclusion|score|rating|value)"
    r"(?:\s*\([^()]*\)|\s+out\s+of\s+\d+)?"
)
"""Labels before a verdict, as a regular expression without groups."""

REASON_LINE = re.compile(r"^\W*(?:reason(?:ing|s)?|explanation|because|why)\b\W*", re.IGNORECASE)
"""The beginning of a line that gives a reason and not a verdict."""

_REASON_KEYS = ("reason", "reasons", "explanation", "rationale", "why", "comment")

_READ = 4000
"""Number of characters read at the beginning and at the end of an answer, where verdicts are."""

_OPENINGS = 10
"""Number of opening braces tried at the beginning and at the end of an answer; a regular one has few."""

_REASON = 600
"""Maximum length of a reason in characters."""


def legible(answer: str) -> tuple[str, list[str]]:
    """Return the part of an answer that is read, in plain letters and digits, and its non-empty lines."""
    if len(answer) > 2 * _READ:
        answer = f"{answer[:_READ]}\n{answer[-_READ:]}"
    # White space is collapsed first, because patterns that skip it would rescan a long run again and again.
    said = [" ".join(line.split()) for line in unicodedata.normalize("NFKC", answer).splitlines()]
    lines = [line for line in said if line and not line.startswith("```")]
    return "\n".join(lines).removesuffix("```").strip(), lines


def outer_lines(lines: list[str]) -> Iterable[tuple[str, list[str]]]:
    """Return the last line and the first, each with the others."""
    if lines:
        yield lines[-1], lines[:-1]
    if len(lines) > 1:
        yield lines[0], lines[1:]


def json_at_an_end(text: str) -> Mapping[str, object] | None:
    """Return the largest JSON object at the end of the text, or else the one at its beginning."""
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
    """Return the value of the first key that exists, or of the only key that is no reason."""
    reasons = [found[key] for key in _REASON_KEYS if key in found]
    reason = said_as_reason([str(part) for said in reasons for part in (said if isinstance(said, list) else [said])])
    others = [key for key in found if key not in _REASON_KEYS]
    key = next((key for key in keys if key in found), others[0] if len(others) == 1 else None)
    return Reading(value=None if key is None else read(found[key]), reason=reason)


def said_as_reason(lines: Iterable[str]) -> str:
    """Return lines as a text without the label, cut to a bearable length."""
    said = REASON_LINE.sub("", " ".join(" ".join(lines).split()))
    return said if len(said) <= _REASON else f"{said[:_REASON]}…"


_NUMBER_KEYS = ("score", "rating", "value", "number", "answer", "result")

_FIGURE = (
    r"(?P<number>[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*(?:/|out\s+of)\s*(?P<whole>\d+(?:\.\d+)?)|(?P<percent>\s*%))?"
)
_FIGURES = re.compile(rf"(?<![\w.]){_FIGURE}(?!\w|\.\d)", re.IGNORECASE)
_NUMBER_LINE = re.compile(
    rf"^[^\w+.-]*(?P<label>{LABEL}(?:\W*?[:=]|\s+is\s)[^\w+.-]*)?{_FIGURE}(?!\w|\.\d)(?P<rest>.*)$", re.IGNORECASE
)
_RANGE = re.compile(r"\s*(?:[-–]|,(?=\d)|to\b|or\b)\s*\d")
"""Continuation of a number that is one of two, or the whole part of one with a decimal comma."""

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")


def read_number(answer: str, *, low: float, high: float) -> Reading[float]:
    """Return a number on the scale from `low` to `high`: alone, "7/10", "Score: 7", in a sentence or as JSON.

    It is finite but may be outside the scale; a fraction of another whole ("4/5", "80 %") is converted if the scale
    begins at 0. Several numbers without a hint which is meant are no reading.
    """
    text, lines = legible(answer)

    def of(figure: re.Match[str]) -> float | None:
        return _on_scale(figure, low, high)

    found = json_at_an_end(text)
    if found is not None:
        return from_json(found, _NUMBER_KEYS, lambda value: _as_number(value, of))
    for line, others in outer_lines(lines):
        figure = _NUMBER_LINE.match(line)
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
        figure = _NUMBER_LINE.match(value.strip())
        return of(figure) if figure is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _finite(value)


def _on_scale(figure: re.Match[str], low: float, high: float) -> float | None:
    """Return a number in an answer as one on the scale; None if it is only part of a value."""
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


_FOR = frozenset({"true", "yes", "pass", "passed", "passes"})
_AGAINST = frozenset({"false", "no", "fail", "failed", "fails"})
_PLAIN_WORDS = frozenset({"true", "false"})
"""Words that are a vote whatever follows; "no" is none in "no tests", nor "pass" in "pass rate"."""

_NEGATIONS = frozenset({"not", "never", "cannot", "neither", "nor"})
_VOTE_KEYS = ("verdict", "vote", "passed", "pass", "answer", "result", "decision")

_VOTE_LINE = re.compile(
    rf"^[\W_]*(?P<label>{LABEL}(?:\W*[:=]|\s+is\s)[\W_]*)?(?P<word>[^\W_]+)(?P<rest>.*)$", re.IGNORECASE
)
_EITHER = re.compile(r"\W*(?:or|/|\|)\W*(?:true|false|yes|no|pass|fail)", re.IGNORECASE)
"""Continuation of a word that is one of two alternatives."""

_CLAUSE_END = re.compile(r"[.!?;:,](?=\s|$)")


def read_vote(answer: str) -> Reading[bool]:
    """Return a vote: true or false, yes or no, pass or fail, alone, in a sentence or as JSON; None if there is none.

    The end of an answer counts more than its beginning, and both more than the middle, because judges quote the
    material. The order is: JSON, the last line, the first line, the last word (negated behind "not"), the first word.
    """
    text, lines = legible(answer)
    found = json_at_an_end(text)
    if found is not None:
        return from_json(found, _VOTE_KEYS, _as_vote)
    for line, others in outer_lines(lines):
        vote = _vote_of_line(line)
        if vote is not None:
            return Reading(value=vote, reason=said_as_reason(others))
    votes = (_last_word(lines[-1]), _first_word(lines[0])) if lines else ()
    return Reading(value=next((vote for vote in votes if vote is not None), None), reason=said_as_reason(lines))


def _as_vote(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return _vote_of_line(value.strip()) if isinstance(value, str) else None


def _vote_of_line(line: str) -> bool | None:
    """Return the vote that makes up a whole line, or follows a label such as "Verdict:"."""
    found = _VOTE_LINE.match(line)
    if found is None or (found["label"] is None and re.search(r"[^\W_]", found["rest"])):
        return None
    return _vote_that_opens(found)


def _first_word(line: str) -> bool | None:
    """Return the vote at the beginning of a line."""
    found = _VOTE_LINE.match(line)
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
    """Return the vote at the end of a line's last clause; None if the clause denies something else.

    A line marked as a reason is no vote: its last word is about the material.
    """
    clauses = [clause for clause in _CLAUSE_END.split(line) if re.search(r"[^\W_]", clause)]
    if not clauses or REASON_LINE.match(line):
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


_CHOICE_KEYS = ("value", "answer", "choice", "label", "class", "category", "result")

_LABELLED = re.compile(
    rf"^\W*(?:{LABEL}|choice|label|class|category)(?:\W*[:=]|\s+is\s)\s*(?P<rest>.*)$", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:not|never|cannot|neither|nor|or)\b|n['’]t\b", re.IGNORECASE)
"""Words that keep the last word of a sentence from being a choice."""


def read_choice(answer: str, choices: Sequence[str]) -> str | None:
    """Return the one of `choices` that an answer names; None if it names none or several.

    As with votes: JSON, the last line, the first line, or the last words of a sentence without another choice. Case and
    surrounding punctuation are ignored.
    """
    text, lines = legible(answer)
    found = json_at_an_end(text)
    if found is not None:
        named = [choice for choice in choices if from_json(found, _CHOICE_KEYS, partial(_is, choice)).value]
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
    """Return the choices equal to the words: those with the same spelling, or else ignoring case."""
    bare = _bare(said)
    same = [choice for choice in choices if choice in (said, bare)]
    return same or [choice for choice in choices if _bare(choice).casefold() == bare.casefold()]


def _ending(line: str, choices: Sequence[str]) -> str | None:
    """Return the choice at the end of a line without another one, unless the line denies it or is a reason."""
    if REASON_LINE.match(line) or _DENIED.search(line):
        return None
    there = [choice for choice in choices if re.search(_word(choice), line, re.IGNORECASE)]
    return _only([choice for choice in there if re.search(rf"{_word(choice)}\W*$", line, re.IGNORECASE)], among=there)


def _word(choice: str) -> str:
    return rf"(?<!\w){re.escape(choice)}(?!\w)"


def _only(named: Sequence[str], among: Sequence[str] = ()) -> str | None:
    return named[0] if len(named) == 1 and len(among) <= 1 else None


def _bare(said: str) -> str:
    """Return words without surrounding punctuation, unless nothing is left."""
    stripped = re.sub(r"^[\W_]+|[\W_]+$", "", said)
    return " ".join((stripped or said).split())
