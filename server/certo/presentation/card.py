"""Score card: the evidence for a candidate, or the state of its search."""

from __future__ import annotations

from collections.abc import Iterator

from certo.presentation.evidence_level import level_in_words
from certo.presentation.phrases import (
    SET_ASIDE,
    SIGNS,
    assurances,
    assured,
    confined_by,
    explained,
    in_passing,
    models_in_words,
    ruling_shown,
    said_of_change,
    sentence,
    spreads_in_words,
    votes_as_dots,
    votes_in_words,
)
from certo.presentation.rivals import agreement_in_words, differing_calls, uncompared, why_alone
from certo.presentation.search_view import SearchView
from certo.presentation.speed import speed_in_words
from certo.presentation.status import objection, passing_line, short_name, standing, why
from certo.presentation.strength import remarks, strength_in_short
from certo.presentation.why_right import why_right
from certo.search.board import CandidateState
from certo.vocabulary.cost import Cost
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import TestEvidence, Verdict

_SHOWN_FAILURES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierLine:
    """One verifier's line of the table; `sign` is its ruling: ✓, ✗, ? (could not judge) or – (not asked).

    `short` has the few words that stand for it among the checks that passed, "" if it needs a line of its own.
    """

    sign: str
    verifier: str
    evidence: str
    seconds: str
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An action that a card offers its reader."""

    label: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Content of a score card, independent of its format.

    `notes` and `asides` are whole sentences, before and after the checks in `lines`; `facts` are pairs of a label and a
    text; `diff` is a unified diff or "". `links` are for readers that can follow them.
    """

    heading: str
    lines: tuple[VerifierLine, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    diff: str = ""
    links: tuple[Link, ...] = ()


def card_of(live: SearchView, row: CandidateState | None) -> Card:
    """Return the card of a candidate, or of the search itself if `row` is None."""
    name = short_name(live.target)
    if row is not None:
        heading = f"Candidate #{row.number} for {name}: {standing(row)}"
        because = [why_right(live.state, row), level_in_words(row.report)]
        return Card(
            heading=heading,
            lines=tuple(_lines(live, row)),
            facts=_facts(live, row),
            notes=(*filter(None, because), *_rivals(live, row), *_strength(row)),
            asides=_asides(live),
            diff=row.diff,
        )
    if live.running:
        return Card(heading=f"Searching for {name}", notes=(passing_line(live), *_failures(live)))
    stopped = live.state.stopped
    needless = stopped is not None and stopped.outcome is Outcome.NOTHING_TO_FIX
    said = why(live) if stopped is None else f"{why(live)} {stopped.outcome.advice}".rstrip()
    return Card(
        heading=f"Nothing to repair in {name}" if needless else f"Nothing found for {name}",
        notes=(said, *_failures(live), *_set_aside(live), _spent_in_all(live)),
    )


def _lines(live: SearchView, row: CandidateState) -> Iterator[VerifierLine]:
    """Yield the verdicts in order, then the verifiers not asked after a failure."""
    confined = _confined(row)
    for verdict in row.verdicts:
        sign, seconds = SIGNS[ruling_shown(verdict)[0]], f"{verdict.seconds:.2f} s"
        yield VerifierLine(
            sign=sign,
            verifier=verdict.verifier,
            evidence=_evidence(verdict, confined),
            seconds=seconds,
            short=in_passing(verdict, confined),
        )
    ruled = {verdict.verifier for verdict in row.verdicts}
    for verifier in live.state.started.verifiers if live.state.started else ():
        if verifier not in ruled:
            evidence = "running now" if verifier == row.judging else "not run"
            yield VerifierLine(
                sign="…" if verifier == row.judging else "–", verifier=verifier, evidence=evidence, seconds=""
            )


def _evidence(verdict: Verdict, confined: str) -> str:
    """Return a verifier's evidence and findings; confinement is mentioned if it differs from `confined`."""
    said = [one_line(finding.message) for finding in verdict.findings[:_SHOWN_FAILURES]]
    if len(verdict.findings) > _SHOWN_FAILURES:
        said.append(f"and {len(verdict.findings) - _SHOWN_FAILURES} more")
    if verdict.tests is not None:
        said.insert(0, _tests(verdict.tests, confined))
    if verdict.assurance:
        said.insert(0, assured(verdict))
    if verdict.votes is not None:
        said.insert(0, f"{votes_as_dots(verdict.votes)} {votes_in_words(verdict.votes)}".strip())
    if verdict.speed is not None and verdict.passed:
        said += speed_in_words(verdict.speed)
    if verdict.remembered:
        said.append("cached")
    return "; ".join(said)


def _tests(tests: TestEvidence, confined: str) -> str:
    said = [f"{tests.passed}/{tests.collected} passed"]
    if tests.newly_passing:
        said.append(f"{tests.newly_passing} newly passing")
    if tests.skipped:
        said.append(f"{tests.skipped} skipped")
    if tests.touched is not None:
        said.append("changed lines executed" if tests.touched else "changed lines never executed")
    otherwise = confined_by(tests) if tests.isolation != confined else ""
    return f"{otherwise}: {', '.join(said)}" if otherwise else ", ".join(said)


def _confined(row: CandidateState) -> str:
    """Return the confinement of the first verifier that ran something; "" if none did."""
    return next((v.tests.isolation for v in row.verdicts if v.tests is not None and v.tests.isolation), "")


def _priced(cost: Cost) -> str:
    """Return the cost of a candidate, explained unless it is obvious."""
    return said_of_change(cost) if cost.unit == "tokens" else explained(cost)


def _facts(live: SearchView, row: CandidateState) -> tuple[tuple[str, str], ...]:
    """Return the facts of a card: confinement, cost, effort, and the reason for slow runs."""
    cold = next((v.tests.cold for v in row.verdicts if v.tests is not None and v.tests.cold), "")
    facts = [
        ("confined", _confined(row)),
        ("cost", _priced(row.cost) if row.cost else ""),
        ("criteria", spreads_in_words(row.cost) if row.cost else ""),
        ("strength", _unmeasured(row)),
        ("not counted", " ".join(_uncounted(live, row))),
        *assurances(row.verdicts),
        ("compared", why_alone(row, live.state.contenders(row))),
        ("found by", " — ".join(dict.fromkeys(part for part in (row.origin.generator, row.origin.note) if part))),
        ("search", passing_line(live) if live.running else _spent(live)),
        ("models", models_in_words(live.state.spent)),
        ("allowed", live.state.started.baseline.needs if live.state.started else ""),
        ("ran", f"in fresh processes: {cold}" if cold else ""),
    ]
    return tuple((word, said) for word, said in facts if said)


def _spent(live: SearchView) -> str:
    return f"{amount(len(live.state.rows), 'candidate')} in {live.seconds:.1f} s"


def _spent_in_all(live: SearchView) -> str:
    """Return the effort of a search and its predecessors, with that of language models."""
    models = models_in_words(live.state.spent)
    return f"{_spent(live)}; {models}." if models else f"{_spent(live)}."


def _rivals(live: SearchView, row: CandidateState) -> tuple[str, ...]:
    """Return how many behave like a candidate, and the calls that distinguish it from others, in sentences."""
    contenders = live.state.contenders(row)
    unknown = [other for other in uncompared(contenders) if other is not row]
    others = [f"#{other.number}" for other in contenders if other is not row and other not in unknown]
    known = agreement_in_words(row, live.state.groups())
    said = [f"{known[:1].upper()}{known[1:]}."] if known else []
    if others and not known:
        act = "passes and behaves" if len(others) == 1 else "pass and behave"
        calls = "; ".join(differing_calls(row, contenders))
        said = [f"{' and '.join(others)} also {act} differently: {calls}."]
    if unknown:
        were = "passes and was" if len(unknown) == 1 else "pass and were"
        named = " and ".join(f"#{other.number}" for other in unknown)
        said.append(f"{named} also {were} not compared: {unknown[0].uncompared}.")
    return tuple(said)


def _strength(row: CandidateState) -> list[str]:
    return strength_in_short(row.strength) if row.strength is not None else []


def _unmeasured(row: CandidateState) -> str:
    """Return why the strength of the tests could not be measured; "" if it was, or nobody tried."""
    return "" if row.strength is None or row.strength.is_measured else row.strength.reason


def _uncounted(live: SearchView, row: CandidateState) -> list[str]:
    """Return what the strength of the tests does not count, in sentences."""
    if row.strength is None or not row.strength.is_measured:
        return []
    return [sentence(said) for said in remarks(row.strength, short_name(live.target))]


def _failures(live: SearchView) -> tuple[str, ...]:
    """Return the reasons why the latest candidates failed; empty if one has passed."""
    if live.state.best_row is not None:
        return ()
    failed = [row for row in live.state.rows.values() if row.report.failure is not None]
    return tuple(
        f"#{row.number} {objection(verdict)}"
        for row in failed[-_SHOWN_FAILURES:]
        if (verdict := row.report.failure) is not None
    )


def _asides(live: SearchView) -> tuple[str, ...]:
    """Return additional notes for the user: problems of the project's tests."""
    started = live.state.started
    return (*(started.baseline.problems if started else ()), *_set_aside(live))


def _set_aside(live: SearchView) -> tuple[str, ...]:
    started = live.state.started
    aside = started.baseline.failing_elsewhere if started else ()
    if not aside:
        return ()
    named = ", ".join(test.id for test in aside[:_SHOWN_FAILURES])
    more = f" and {len(aside) - _SHOWN_FAILURES} more" if len(aside) > _SHOWN_FAILURES else ""
    return (f"Tests set aside, {SET_ASIDE}: {named}{more}.",)
