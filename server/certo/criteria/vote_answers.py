"""Reading a vote from a judge's answer, in whatever form it comes."""

from __future__ import annotations

import re

from certo.criteria.answers import (
    LABEL,
    REASON_LINE,
    Reading,
    from_json,
    json_at_an_end,
    legible,
    outer_lines,
    said_as_reason,
)

_FOR = frozenset({"true", "yes", "pass", "passed", "passes"})
_AGAINST = frozenset({"false", "no", "fail", "failed", "fails"})
_PLAIN_WORDS = frozenset({"true", "false"})
"""Words that are a vote whatever follows them; "no" is none in "no tests", nor "pass" in "pass rate"."""

_NEGATIONS = frozenset({"not", "never", "cannot", "neither", "nor"})
_KEYS = ("verdict", "vote", "passed", "pass", "answer", "result", "decision")

_LINE = re.compile(rf"^[\W_]*(?P<label>{LABEL}(?:\W*[:=]|\s+is\s)[\W_]*)?(?P<word>[^\W_]+)(?P<rest>.*)$", re.IGNORECASE)
_EITHER = re.compile(r"\W*(?:or|/|\|)\W*(?:true|false|yes|no|pass|fail)", re.IGNORECASE)
"""What follows a word that is one of two."""

_CLAUSE_END = re.compile(r"[.!?;:,](?=\s|$)")


def read_vote(answer: str) -> Reading[bool]:
    """Read a vote: true or false, yes or no, pass or fail, alone, in a sentence or as JSON; None when it is none.

    The end of an answer counts more than its beginning, and both more than what lies between: judges quote what they
    judge. So it is JSON, the last line, the first line, the last word (turned round behind "not"), the first word.
    """
    text, lines = legible(answer)
    found = json_at_an_end(text)
    if found is not None:
        return from_json(found, _KEYS, _as_vote)
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
    """The vote that is all there is of a line, or that stands behind a label such as "Verdict:"."""
    found = _LINE.match(line)
    if found is None or (found["label"] is None and re.search(r"[^\W_]", found["rest"])):
        return None
    return _vote_that_opens(found)


def _first_word(line: str) -> bool | None:
    """The vote that a line begins with."""
    found = _LINE.match(line)
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
