"""Why a candidate is right, as far as its evidence goes, in a few sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from certo.presentation.phrases import tests_of
from certo.project.testfiles import short_test_name
from certo.search.board import CandidateState, SearchState
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.text import Hunk

_AFTERTHOUGHTS = re.compile(r", (?:At index \d+ diff|Left contains|Right contains|Extra items|Omitting|Differing)\b.*")
"""What pytest adds to an assertion that compares two values, which have been shown."""


def why_right(board: SearchState, row: CandidateState) -> str:
    """Return what was wrong, what a candidate changes, which tests show it, and what nobody checked.

    Every sentence is made of evidence that was told before, and left out if there is none. Empty if the candidate is
    not verified.
    """
    if not row.verified:
        return ""
    failing = board.started.baseline.failing if board.started is not None else ()
    said = (_begun(_wrong(failing)), _changed(row), _shown(row), _unchecked(board, row))
    return " ".join(f"{each}." for each in said if each)


def _wrong(failing: Sequence[KnownTest]) -> str:
    """Return the first test that failed before, with its reason, and the number of others."""
    if not failing:
        return ""
    first = next((test for test in failing if test.message), failing[0])
    reason = _AFTERTHOUGHTS.sub("", one_line(first.message)).rstrip(".")
    said = f"{_named(first)} failed: {reason}" if reason else f"{_named(first)} failed"
    others = len(failing) - 1
    return f"{said}; so did {amount(others, 'other test')}" if others else said


def _begun(words: str) -> str:
    """Return the beginning of a sentence; the name of a test keeps its spelling."""
    return f"{words[:1].upper()}{words[1:]}" if words.startswith(("the ", "your ")) else words


def _named(test: KnownTest) -> str:
    if test.is_given:
        return f"your {test.id}"
    if test.is_doctest:
        return f"the example on line {test.id.rpartition(':')[2]}"
    return short_test_name(test.id) or test.id


def _changed(row: CandidateState) -> str:
    """Return the lines that the candidate changes, with their text if there are one or two, and their suspicion."""
    places = [(f"line {hunk.line}", hunk) for hunk in row.hunks]
    places += [(f"line {hunk.line} of {one_line(each.path)}", hunk) for each in row.elsewhere for hunk in each.hunks]
    if len(places) == 1:
        places = [(f"{place}{_suspicion(row)}", hunk) for place, hunk in places]
    said = [_lone(*each) for each in places]
    if not 1 <= len(said) <= 2 or not all(said):
        return _counted(row)
    more = _suspicion(row, "up to ") if len(said) == 2 else ""
    return f"L{'; '.join(said)[1:]}{more}"


def _counted(row: CandidateState) -> str:
    """Return how many lines the candidate changes."""
    files = len(row.elsewhere)
    beside = f", and {amount(files, 'other file')}" if files else ""
    if not row.hunks:
        return f"The candidate changes {amount(files, 'other file')}" if files else ""
    lines = sum(max(len(hunk.removed), len(hunk.added)) for hunk in row.hunks)
    first, last = row.hunks[0].line, max(hunk.line + max(len(hunk.added), 1) - 1 for hunk in row.hunks)
    where = f"between line {first} and line {last}{_suspicion(row, 'up to ')}"
    return f"The candidate changes {amount(lines, 'line')} {where}{beside}"


def _suspicion(row: CandidateState, most: str = "") -> str:
    """Return the suspicion of the changed line, in brackets; of several, the most."""
    suspicion = row.origin.suspicion
    return "" if suspicion is None else f" (suspicion {most}{suspicion:.2f} of 1)"


def _lone(place: str, hunk: Hunk) -> str:
    """Return a hunk of one line in words; "" if it has more."""
    if max(len(hunk.removed), len(hunk.added)) != 1:
        return ""
    was, now = (one_line("".join(lines).strip()) for lines in (hunk.removed, hunk.added))
    if not hunk.removed:
        return f"{place} is new: `{now}`"
    if not hunk.added:
        return f"{place} was `{was}`, and is gone"
    return f"{place} was `{was}`, and is now `{now}`"


def _shown(row: CandidateState) -> str:
    """Return how many tests pass now that failed, how many still pass, and how many notice a wrong version."""
    passed, _, newly = tests_of(row.verdicts)
    if not passed:
        return ""
    before = passed - newly
    parts = [
        *([f"{amount(newly, 'test')} that failed {'passes' if newly == 1 else 'pass'} now"] if newly else []),
        *([f"{amount(before, 'test')} {'passes' if before == 1 else 'pass'} as before"] if before else []),
    ]
    return "; ".join([" and ".join(parts), *_noticed(row)])


def _noticed(row: CandidateState) -> Iterator[str]:
    known = next((verdict.dependence for verdict in row.verdicts if verdict.dependence is not None), None)
    if known is not None and known.noticed:
        notice = "notices" if known.noticed == 1 else "notice"
        yield f"{amount(known.noticed, 'test')} {notice} a wrong version of it"


def _unchecked(board: SearchState, row: CandidateState) -> str:
    """Return that other calls were not checked, unless calls can be named, which the notes after this one do."""
    measured = row.strength is not None and row.strength.is_measured
    if measured or len(board.contenders(row)) > 1:
        return ""
    return "Calls that these tests do not make were not checked"
