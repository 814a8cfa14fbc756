"""The candidates in the report: change, verdicts and origin of each."""

from __future__ import annotations

from collections.abc import Iterable

from certo.presentation.evidence_level import level_in_words
from certo.presentation.phrases import (
    SIGNS,
    explained,
    fraction,
    in_passing,
    isolation,
    objection,
    passed_checks,
    price,
    ruling_shown,
    sentence,
    spreads_in_words,
    what_it_ran,
)
from certo.presentation.report.markup import KINDS, Html, join, mark_alone, tag
from certo.presentation.rivals import agreement_in_words, why_alone
from certo.presentation.search_history import SearchHistory
from certo.presentation.status import standing_of, status_in_words
from certo.presentation.strength import strength_in_short
from certo.presentation.why_right import why_right
from certo.search.board import CandidateState
from certo.vocabulary.display import as_diff
from certo.vocabulary.events import VoteCast
from certo.vocabulary.verdict import Report, Verdict


def candidate(row: CandidateState, course: SearchHistory) -> Html:
    """Return one candidate, folded unless it is the best."""
    over = course.board.stopped is not None
    standing = standing_of(row, over=over)
    best = row.candidate_id == course.board.best
    short = objection(row.report) if row.scored and not row.passed else price(row.cost)
    summary = tag(
        "summary",
        mark_alone(KINDS[standing]),
        tag("span", f"#{row.number}", class_="name"),
        tag("span", status_in_words(row, over=over), class_=f"standing {KINDS[standing]}"),
        tag("span", "the best", class_="crown") if best else None,
        tag("span", short, class_="why"),
    )
    return tag(
        "details",
        summary,
        diff(row.diff),
        _reasons(row, course),
        _checks(row.report),
        facts(_facts(row, course)),
        _votes(course.votes.get(row.candidate_id, [])),
        id=f"candidate-{row.number}",
        class_="candidate",
        open="" if best else None,
    )


def diff(text: str) -> Html:
    """Return a unified diff; added and removed lines differ by sign as well as colour."""
    lines = (tag("span", line, class_=_kind(line)) for line in as_diff(text).splitlines())
    return tag("pre", tag("code", *lines), class_="diff")


def facts(known: Iterable[tuple[str, str]]) -> Html:
    """Return names with their values; empty values are left out."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", said)) for name, said in known if said), class_="facts")


def table_of(course: SearchHistory) -> Html:
    """Return all candidates in a table, for readers who cannot see the drawings or want the numbers."""
    heads = ("#", "Standing", "Lane", "Proposed", "Judged", "Tests", "Score", "Cost")
    over = course.board.stopped is not None
    rows = (
        (
            f"{row.number}",
            status_in_words(row, over=over),
            f"{row.origin.slot + 1}",
            _at(course.proposed.get(row.candidate_id)),
            _at(course.scored.get(row.candidate_id)),
            fraction(row.report),
            "" if row.score is None else f"{row.score.value:.3g}",
            price(row.cost),
        )
        for row in course.board.rows.values()
    )
    body = (tag("tr", tag("th", first, scope="row"), *(tag("td", cell) for cell in cells)) for first, *cells in rows)
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    return tag("div", tag("table", head, tag("tbody", *body)), class_="wide")


def _facts(row: CandidateState, course: SearchHistory) -> list[tuple[str, str]]:
    from_row = course.board.rows.get(row.parent or "")
    origin = row.origin
    idea = course.board.ideas.get(-1 if origin.idea is None else origin.idea)
    places = [each.candidate_id for each in course.board.ranked()]
    place = places.index(row.candidate_id) + 1 if row.candidate_id in places else 0
    return [
        ("Lane", f"{origin.slot + 1}, attempt {origin.attempt + 1}"),
        ("Made from", "" if from_row is None else f"#{from_row.number}"),
        ("Idea", "" if idea is None else f"{idea.idea}: {idea.text}"),
        ("Proposed by", ": ".join(filter(None, (origin.generator, origin.note)))),
        ("Proposed", f"{row.times} times" if row.times > 1 else ""),
        ("After", _at(course.scored.get(row.candidate_id, course.proposed.get(row.candidate_id)))),
        ("Score", "" if row.score is None else f"{row.score.value:.3g} {row.score.unit}, {row.score.source}"),
        ("Cost", "" if row.cost is None else explained(row.cost)),
        ("Criteria", "" if row.cost is None else spreads_in_words(row.cost)),
        ("Rank", f"{place} of {len(places)}" if place else ""),
        ("Compared", why_alone(row, course.board.contenders(row))),
    ]


def _reasons(row: CandidateState, course: SearchHistory) -> Html:
    """Return why a candidate is right, the level of evidence, how it stands beside others, and what tests notice."""
    strength = " ".join(strength_in_short(row.strength)) if row.strength is not None else ""
    beside = agreement_in_words(row, course.board.groups())
    said = (why_right(course.board, row), level_in_words(row.report), sentence(beside) if beside else "", strength)
    return join(*(tag("p", each) for each in said if each))


def _checks(report: Report) -> Html:
    """Return the checks that did not pass or have more to say, and the others in one line to unfold."""
    confined = isolation(report)
    passed = [each for each in report.verdicts if in_passing(each, confined)]
    others = [each for each in report.verdicts if each not in passed]
    line = tag("summary", passed_checks(passed, confined))
    folded = tag("details", line, _table_of_checks(passed), class_="table") if passed else None
    return join(_table_of_checks(others) if others else None, folded)


def _table_of_checks(verdicts: Iterable[Verdict]) -> Html:
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Check", "Verdict", "Evidence", "Time")))
    rows = (
        tag(
            "tr",
            tag("th", each.verifier, scope="row"),
            tag("td", f"{SIGNS[ruling]} {word}", class_=f"ruling {ruling.value}"),
            tag("td", what_it_ran(each, subject="changed lines"), class_="evidence"),
            tag("td", f"{each.seconds:.2f} s", class_="number"),
        )
        for each in verdicts
        for ruling, word in [ruling_shown(each)]
    )
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="wide")


def _votes(votes: list[VoteCast]) -> Html | None:
    if not votes:
        return None
    said = (tag("li", f"{vote.criterion} {vote.number + 1}: {_vote(vote)}") for vote in votes)
    return join(tag("h4", "Votes"), tag("ul", *said, class_="votes"))


def _vote(vote: VoteCast) -> str:
    if vote.value is None:
        said = "unusable"
    elif isinstance(vote.value, bool):
        said = "in favour" if vote.value else "against"
    else:
        said = f"{vote.value:g}"
    return f"{said} – {vote.reason}" if vote.reason else said


def _at(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f} s"


def _kind(line: str) -> str | None:
    if line.startswith(("--- ", "+++ ")):
        return "head"
    return {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1])
