"""The score card: what was proved of a candidate, or where its search stands, in Markdown or plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from certo.features.wording import (
    objection,
    passing_line,
    short_name,
    standing,
    why,
)
from certo.search.board import Row
from certo.search.wording import (
    SET_ASIDE,
    SIGNS,
    amount,
    assured,
    confined_by,
    explained,
    models_in_words,
    said_of_change,
    spreads_in_words,
    votes_in_words,
)
from certo.sessions.searches import LiveSearch
from certo.vocabulary.cost import Cost
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import TestEvidence, Verdict

_SHOWN_FAILURES = 3

_CODE = re.compile(r"((?<!`)`[^`]+`(?!`))")
"""Code between backticks."""

_MARKUP = re.compile(
    r"""
    `
    | \\ (?= [!-/:-@\[-`{-~] )               # a backslash takes away the meaning of what follows
    | \* (?= \S ) | (?<= \S ) \*             # emphasis needs a neighbour
    | (?<! [^\W_] ) _ | _ (?! [^\W_] )       # and an underscore one that is no letter
    | < (?= [A-Za-z/!?] )                    # HTML
    | & (?= [A-Za-z#] )                      # an entity
    | \[ | \] (?= \( )                       # a link
    | ~ (?= ~ )
    | ^ (?: [-+>] | \# (?= [\s\#] ) | = )
    | (?<= ^ \d ) [.)]
    """,
    re.VERBOSE,
)
"""What Markdown would take for markup in a line of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One verifier's line of the table."""

    verifier: str
    ruling: str
    evidence: str
    seconds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a score card says, before it is written in one form or the other.

    `facts` are pairs of a word and what is to be said of it; `notes` whole sentences; `diff` a unified diff or "".
    """

    heading: str
    lines: tuple[Line, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    diff: str = ""


def card_of(live: LiveSearch, row: Row | None) -> Card:
    """The card of a search: of the candidate given, or of the search itself when there is none."""
    name = short_name(live.aim.target)
    if row is not None:
        heading = f"Candidate #{row.number} for {name}: {standing(row)}"
        return Card(heading=heading, lines=_lines(row), facts=_facts(live, row), notes=_asides(live), diff=row.diff)
    if live.running:
        return Card(heading=f"Searching for {name}", notes=(passing_line(live), *_failures(live)))
    stopped = live.board.stopped
    needless = stopped is not None and stopped.outcome is Outcome.NOTHING_TO_FIX
    return Card(
        heading=f"Nothing to repair in {name}" if needless else f"Nothing found for {name}",
        notes=(why(live), *_failures(live), *_set_aside(live), _spent_in_all(live)),
    )


def markdown(card: Card) -> str:
    """The card in Markdown."""
    parts = [f"**{_escaped(card.heading)}**"]
    if card.lines:
        rows = [f"| {line.verifier} | {line.ruling} | {_cell(line.evidence)} | {line.seconds} |" for line in card.lines]
        parts.append("\n".join(["| check | ruling | evidence | time |", "|:--|:--|:--|--:|", *rows]))
    if card.facts:
        parts.append("  \n".join(f"*{word}:* {_escaped(said)}" for word, said in card.facts))
    parts.extend(_escaped(note) for note in card.notes)
    if card.diff:
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", card.diff)), default=0))
        parts.append(f"{fence}diff\n{card.diff.rstrip()}\n{fence}")
    return "\n\n".join(parts)


def plain(card: Card) -> str:
    """The card in plain text, aligned for a fixed-width font."""
    parts = [card.heading]
    if card.lines:
        cells = [(line.verifier, line.ruling, line.seconds, line.evidence) for line in card.lines]
        parts.append(_aligned(cells, right=2))
    if card.facts:
        parts.append(_aligned(card.facts))
    parts.extend(card.notes)
    if card.diff:
        parts.append(card.diff.rstrip())
    return "\n\n".join(parts)


def _aligned(rows: Sequence[Sequence[str]], right: int | None = None) -> str:
    """Rows with their columns under each other, two spaces apart; the column `right` is set to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place == right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _cell(words: str) -> str:
    """Words for a cell of a table."""
    return _escaped(words).replace("|", "\\|")


def _escaped(words: str) -> str:
    """Words on one line, in which Markdown finds nothing but code between backticks.

    Only what would be read as something else gets a backslash: some editors show Markdown as it is written.
    """
    parts = _CODE.split(" ".join(words.split()))
    return "".join(part if place % 2 else _MARKUP.sub(r"\\\g<0>", part) for place, part in enumerate(parts))


def _lines(row: Row) -> tuple[Line, ...]:
    return tuple(
        Line(
            verifier=verdict.verifier,
            ruling=f"{SIGNS[verdict.ruling]} {verdict.ruling.value}",
            evidence=_evidence(verdict),
            seconds=f"{verdict.seconds:.2f} s",
        )
        for verdict in row.verdicts
    )


def _evidence(verdict: Verdict) -> str:
    """What a verifier ran and found."""
    said = [" ".join(finding.message.split()) for finding in verdict.findings[:_SHOWN_FAILURES]]
    if verdict.tests is not None:
        said.insert(0, _tests(verdict.tests))
    if verdict.assurance:
        said.insert(0, assured(verdict))
    if verdict.votes is not None:
        said.insert(0, votes_in_words(verdict.votes))
    return "; ".join(said)


def _tests(tests: TestEvidence) -> str:
    said = [f"{tests.passed} of {tests.collected} passed"]
    if tests.newly_passing:
        said.append(f"{tests.newly_passing} newly passing")
    if tests.skipped:
        said.append(f"{tests.skipped} skipped")
    if tests.touched is not None:
        said.append("changed lines executed" if tests.touched else "changed lines never executed")
    confined = confined_by(tests)
    return f"{confined}: {', '.join(said)}" if confined else ", ".join(said)


def _priced(cost: Cost) -> str:
    """What a candidate costs, with what that is made of where it is not plain."""
    return said_of_change(cost) if cost.unit == "tokens" else explained(cost)


def _facts(live: LiveSearch, row: Row) -> tuple[tuple[str, str], ...]:
    """How the candidate was confined, what it costs, what it took, and why it was no quicker."""
    isolation = next((v.tests.isolation for v in row.verdicts if v.tests is not None and v.tests.isolation), "")
    cold = next((v.tests.cold for v in row.verdicts if v.tests is not None and v.tests.cold), "")
    facts = [
        ("confined", isolation),
        ("cost", _priced(row.cost) if row.cost else ""),
        ("criteria", spreads_in_words(row.cost) if row.cost else ""),
        ("found by", " — ".join(dict.fromkeys(part for part in (row.origin.generator, row.origin.note) if part))),
        ("search", passing_line(live) if live.running else _spent(live)),
        ("models", models_in_words(live.board.spent)),
        ("allowed", live.board.started.baseline.needs if live.board.started else ""),
        ("ran", f"in fresh processes: {cold}" if cold else ""),
    ]
    return tuple((word, said) for word, said in facts if said)


def _spent(live: LiveSearch) -> str:
    return f"{amount(len(live.board.rows), 'candidate')} in {live.seconds:.1f} s"


def _spent_in_all(live: LiveSearch) -> str:
    """The same with what language models took, if any was asked."""
    models = models_in_words(live.board.spent)
    return f"{_spent(live)}; {models}." if models else f"{_spent(live)}."


def _failures(live: LiveSearch) -> tuple[str, ...]:
    """Why the latest candidates did not pass, when none has."""
    if live.board.best_row is not None:
        return ()
    failed = [row for row in live.board.rows.values() if row.report.failure is not None]
    return tuple(
        f"#{row.number} {objection(verdict)}"
        for row in failed[-_SHOWN_FAILURES:]
        if (verdict := row.report.failure) is not None
    )


def _asides(live: LiveSearch) -> tuple[str, ...]:
    """What the user should know besides: problems of the project's tests."""
    started = live.board.started
    return (*(started.baseline.problems if started else ()), *_set_aside(live))


def _set_aside(live: LiveSearch) -> tuple[str, ...]:
    started = live.board.started
    aside = started.baseline.set_aside if started else ()
    if not aside:
        return ()
    named = ", ".join(test.id for test in aside[:_SHOWN_FAILURES])
    more = f" and {len(aside) - _SHOWN_FAILURES} more" if len(aside) > _SHOWN_FAILURES else ""
    return (f"Set aside, {SET_ASIDE}: {named}{more}.",)
