"""Report on one search as a single page; it needs no network and runs no script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

from certo import __version__
from certo.presentation.phrases import money, reaching, sentence, set_aside
from certo.presentation.report.candidates import candidate, facts, table_of
from certo.presentation.report.charts import charts
from certo.presentation.report.markup import KINDS, Html, join, mark_alone, section, tag
from certo.presentation.report.timeline import branches, timeline
from certo.presentation.rivals import agreement_in_words
from certo.presentation.search_history import SearchHistory
from certo.presentation.status import CandidateStatus, standing_of
from certo.search.board import SearchState
from certo.vocabulary.display import amount, ended_lanes
from certo.vocabulary.records import dataclass

_STYLE = Path(__file__).with_name("page.css")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """Facts about a search that its events lack, in words: id, state, begin, project and instruction."""

    search: str
    standing: str
    began: str
    project: str
    instruction: str


def page(course: SearchHistory, headline: Headline) -> str:
    """Return the whole page, which has its own style only and is forbidden to load anything."""
    style = _STYLE.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = f"{_title(course.board)} – certo"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(style)),
    )
    body = tag("body", _header(course, headline), tag("main", *_sections(course)), _footer(headline))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _title(board: SearchState) -> str:
    started = board.started
    return "A search that did not start" if started is None else f"{started.goal.value} {started.qualname}"


def _header(course: SearchHistory, headline: Headline) -> Html:
    started, stopped = course.board.started, course.board.stopped
    place = "" if started is None else f"{started.path}:{started.line}"
    sign = "untried" if stopped is None or not course.board.rows else KINDS[_how(course)]
    ending = f"The search is {headline.standing}." if stopped is None else stopped.outcome.value
    because = stopped.reason if stopped is not None else ""
    asked = tag("blockquote", headline.instruction) if headline.instruction else None
    return tag(
        "header",
        tag("h1", _title(course.board)),
        tag("p", place, class_="place"),
        asked,
        tag("p", mark_alone(sign), tag("span", ending), class_="outcome"),
        tag("p", sentence(because), class_="quiet") if because else None,
        facts(_facts(course, headline)),
    )


def _how(course: SearchHistory) -> CandidateStatus:
    best = course.board.best_row
    return CandidateStatus.FAILED if best is None else standing_of(best, over=True)


def _facts(course: SearchHistory, headline: Headline) -> Iterator[tuple[str, str]]:
    board, spent = course.board, course.board.spent
    yield "Candidates", f"{len(board.rows)}"
    yield "Verified", f"{sum(row.verified for row in board.rows.values())}"
    yield "Time", f"{course.seconds:.1f} s"
    if spent.calls:
        yield "Model calls", f"{spent.calls:,}"
        cached = f", {spent.cached_tokens:,} of them cached" if spent.cached_tokens else ""
        yield "Tokens", f"{spent.tokens:,}{cached}"
        yield "Price", "unknown" if spent.dollars is None else money(spent.dollars)
    if board.started is not None:
        yield "Strategy", board.started.strategy
        yield "Generator", board.started.generator
        yield "Tests", reaching(board.started.baseline)
    yield "Started", headline.began
    yield "Became", headline.standing


def _sections(course: SearchHistory) -> Iterator[Html]:
    board = course.board
    if board.started is not None:
        aside = "\n".join(set_aside(board.started.baseline))
        best = board.best_row
        beside = agreement_in_words(best, board.groups()) if best is not None and board.contenders(best) else ""
        notes = [*filter(None, [beside, *board.started.baseline.problems, aside])]
        if notes:
            yield section("Read this first", tag("ul", *(tag("li", note) for note in notes), class_="notes"))
    if board.best_row is not None:
        yield section("The best candidate", candidate(board.best_row, course))
    yield section("Search tree", _ways(course), tag("div", branches(course), class_="wide"))
    if board.rows:
        yield tag("div", *charts(course), class_="charts")
        yield section(
            "Timeline",
            tag("div", timeline(course), class_="drawn wide"),
            tag("details", tag("summary", "Show as a table"), table_of(course), class_="table"),
        )
    others = [row for row in board.rows.values() if row.candidate_id != board.best]
    if others:
        title = "Candidates" if board.best_row is None else "The other candidates"
        yield section(title, *(candidate(row, course) for row in others))
    if course.declined:
        said = (tag("li", sentence(ended_lanes((each.slot,), each.reason))) for each in course.declined)
        yield section("Lanes that ended", tag("ul", *said, class_="notes"))


def _ways(course: SearchHistory) -> Html:
    standings = [standing_of(row, over=course.board.stopped is not None) for row in course.board.rows.values()]
    if not standings:
        return tag("p", "No candidate was proposed.", class_="summary")
    counts = (f"{standings.count(each)} {each.value}" for each in CandidateStatus if each in standings)
    return tag("p", f"Of {amount(len(standings), 'candidate')}: {', '.join(counts)}.", class_="summary")


def _footer(headline: Headline) -> Html:
    said = f"Search {headline.search} in {headline.project}, written by certo {__version__}."
    return tag("footer", tag("p", join(said)))
