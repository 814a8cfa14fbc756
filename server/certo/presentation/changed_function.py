"""Wording of what is known of a changed function, as notes that a pull request can show beside its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from certo.behaviour.diff import BehaviourDiff
from certo.presentation.behaviour import in_one_line
from certo.presentation.phrases import objection
from certo.presentation.strength import gap_in_words, shown_gaps, strength_in_words
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.records import dataclass
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.verdict import Report, Ruling

Level = Literal["error", "warning", "note"]
Result = Literal["verified", "not-verified", "undecided", "failed", "not-judged", "unreadable", "deleted"]

RULES = {
    "failed": "A changed function fails a check",
    "undecided": "A check of a changed function could not judge",
    "not-verified": "No test shows that a changed function is right",
    "not-judged": "A changed function could not be judged",
    "unreadable": "A changed file is no Python text",
    "different": "A changed function does something else than before",
    "not-compared": "A changed function could not be compared with its older version",
    "gap": "No test notices a small change of a changed function",
}
"""What each rule means; its name stands in every format."""

COUNTED: tuple[Result, ...] = ("verified", "not-verified", "undecided", "failed", "not-judged", "unreadable", "deleted")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOnChange:
    """One sentence about a line of a changed function; `rule` is one of RULES."""

    level: Level
    rule: str
    line: int
    message: str


def result_of(report: Report) -> Result:
    """Return the result of a verified function in one word."""
    if report.verified:
        return "verified"
    rulings = {verdict.ruling for verdict in report.verdicts}
    if Ruling.FAILED in rulings:
        return "failed"
    return "undecided" if Ruling.UNDECIDED in rulings and _has_tests(report) else "not-verified"


def _has_tests(report: Report) -> bool:
    return any(verdict.tests is not None and verdict.tests.ran for verdict in report.verdicts)


def notes_on(report: Report, diff: BehaviourDiff | None, line: int) -> Iterator[NoteOnChange]:
    """Yield the notes on a changed function at a line, the gravest first."""
    result = result_of(report)
    if result != "verified":
        said = report.headline if report.caveat else f"{report.headline}: {objection(report)}"
        level: Level = "error" if result == "failed" else "warning"
        yield NoteOnChange(level=level, rule=result, line=line, message=one_line(said))
    if diff is not None:
        yield from _on_behaviour(diff, line)
    if report.strength is not None:
        for gap in shown_gaps(report.strength):
            yield NoteOnChange(level="note", rule="gap", line=gap.line, message=one_line(gap_in_words(gap)))


def _on_behaviour(diff: BehaviourDiff, line: int) -> Iterator[NoteOnChange]:
    if diff.is_different:
        yield NoteOnChange(
            level="note", rule="different", line=line, message=one_line(f"since {diff.older} {in_one_line(diff)}")
        )
    elif not diff.is_compared:
        yield NoteOnChange(level="note", rule="not-compared", line=line, message=one_line(in_one_line(diff)))


def change_in_one_line(diff: BehaviourDiff | None, strength: TestStrength | None) -> str:
    """Return what a changed function does otherwise, and how much its tests notice."""
    behaviour = "new" if diff is None else one_line(in_one_line(diff))
    if diff is not None and diff.older_place:
        behaviour = f"before: {one_line(diff.older_place)}; {behaviour}"
    tests = "" if strength is None else one_line(strength_in_words(strength))
    return "; ".join(filter(None, [behaviour, tests]))


def results_in_words(results: Sequence[Result], cached: int) -> str:
    """Return how many functions have which result: "3 functions: 2 verified, 1 failed; 2 from the cache"."""
    said = [f"{results.count(each)} {each.replace('-', ' ')}" for each in COUNTED if each in results]
    words = f"{amount(len(results), 'change')}: {', '.join(said)}" if results else "nothing to verify"
    return f"{words}; {cached} from the cache" if cached else words
