"""The page of a search: self-contained, inert for any words in it, and readable without its drawings."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.presentation.report.charts import LinearScale, ticks
from certo.presentation.report.markup import Html, tag
from certo.presentation.report.page import Headline, page
from certo.presentation.search_history import course_of
from certo.vocabulary.candidate import Observation, Origin, Standing
from certo.vocabulary.cost import Cost
from certo.vocabulary.events import (
    BestImproved,
    CandidateCompared,
    CandidateProposed,
    CandidateScored,
    Event,
    IdeaAdded,
)
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Finding, Ruling, Verdict
from support.search.events import told

HEADLINE = Headline(
    search="5f0c2a9e", standing="solved", began="2026-11-22 14:31", project="/home/me/till", instruction=""
)
HOSTILE = '</script></style></pre><img src=x onerror=alert(1)> \u202e" onload="alert(2) &lt; \x1b[31m'
VOID = {"meta"}
_OF_PAGES = "html head meta title style body header main section footer"
_OF_TEXT = "div span p a h1 h2 h4 ul li dl dt dd blockquote pre code"
_OF_TABLES = "details summary table thead tbody tr th td"
_OF_DRAWINGS = "svg g path circle rect line text"
HARMLESS = frozenset(f"{_OF_PAGES} {_OF_TEXT} {_OF_TABLES} {_OF_DRAWINGS}".split(" "))


class Reader(HTMLParser):
    """A parser that reads a page as a browser does and fails at elements that are not closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(name)
        self.attributes += [(name, key, value or "") for key, value in attrs]
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        self.text += data

    def of(self, key: str) -> list[str]:
        return [value for _, name, value in self.attributes if name == key]


def many(number: int, words: str = "a note") -> list[Event]:
    """A search with so many candidates, each made from the one before, of which the last passes."""
    start, *_ = [event for event in told() if event.type == "search.started"]
    events: list[Event] = [start, IdeaAdded(seq=1, search="s", at=0.0, idea=1, parent=None, text=words)]
    for each in range(number):
        origin = Origin(generator="builtin", note=words, slot=each % 4, attempt=each)
        at, last = float(each), each == number - 1
        name = f"c{each}"
        verdict = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message=words),))
        cost = Cost(value=2.0, unit="tokens", source=words) if last else None
        score = Score(value=each / number, unit="of 1", source=words)
        parent = f"c{each - 1}" if each else None
        diff = f"--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-{words}\n+{words}\n"
        made = {"candidate_id": name, "search": "s", "seq": 1}
        events += [
            CandidateProposed(at=at, parent=parent, origin=origin, edits=(), diff=diff, hunks=(), **made),
            replace(next(event for event in told() if event.type == "verdict"), candidate_id=name, verdict=verdict),
            CandidateScored(at=at + 0.5, passed=last, verified=last, cost=cost, score=score, **made),
        ]
        if cost is not None:
            events.append(BestImproved(at=at + 0.5, candidate_id=name, cost=cost, seq=1, search="s"))
    return events


@pytest.mark.parametrize("outcome", [Outcome.SOLVED, Outcome.UNVERIFIED, Outcome.EXHAUSTED, Outcome.CANCELLED])
def test_page_shows_request_attempts_and_result(outcome: Outcome) -> None:
    read = Reader(page(course_of(told(outcome=outcome)), replace(HEADLINE, instruction="be <b>quick</b>")))
    assert {"svg", "table", "details"} <= read.names <= HARMLESS
    for words in ("repair change", "till/coins.py:1", "be <b>quick</b>", outcome.value, "while due >= 1", "test_exact"):
        assert words in read.text, words
    assert "Count the coins of each kind." in read.text
    assert "dropped: less promising than others" in read.text
    assert "tests/test_old.py fails at collection" in read.text


def test_hostile_words_stay_text_on_the_page() -> None:
    written = page(course_of(many(3, HOSTILE)), replace(HEADLINE, instruction=HOSTILE, project=HOSTILE))
    read = Reader(written)
    assert read.names <= HARMLESS
    assert not [key for _, key, _ in read.attributes if key.startswith("on") or key in {"style", "src", "srcdoc"}]
    assert all(link.startswith("#candidate-") for link in read.of("href"))
    assert "<img src=x onerror=alert(1)>" in read.text
    assert "\\u202e" in read.text
    assert not {"\u202e", "\x1b"} & set(written)


def test_page_loads_nothing_and_has_one_style() -> None:
    written = page(course_of(told()), HEADLINE)
    [style] = re.findall(r"<style>(.*?)</style>", written, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert policy in Reader(written).of("content")
    assert "url(" not in style
    assert "@import" not in style


def test_page_of_200_candidates_has_working_links() -> None:
    read = Reader(page(course_of(many(200)), HEADLINE))
    places = read.of("id")
    assert len(places) == len(set(places)) == 200
    assert {link.removeprefix("#") for link in read.of("href")} == set(places)
    # What is drawn is in words too.
    assert all(label for name, key, label in read.attributes if name == "svg" and key == "aria-label")
    assert all(f"Candidate #{number}, " in read.text for number in range(1, 201))


def test_search_that_never_began_has_a_page() -> None:
    read = Reader(page(course_of(()), replace(HEADLINE, standing="interrupted")))
    assert "No candidate was proposed." in read.text
    assert "The search is interrupted." in read.text


@given(st.text(), st.text())
def test_any_text_stays_text(inside: str, attribute: str) -> None:
    written = tag("span", inside, title=attribute)
    assert isinstance(written, Html)
    read = Reader(written)
    assert read.names == {"span"}
    assert [key for _, key, _ in read.attributes] == ["title"]


FINITE = st.floats(min_value=-1e12, max_value=1e12)


@given(FINITE, FINITE)
def test_axis_numbers_enclose_all_drawn_values(one: float, other: float) -> None:
    low, high = sorted((one, other))
    at = ticks(low, high)
    assert 2 <= len(at) <= 15
    slack = (at[-1] - at[0]) * 1e-6
    assert at[0] <= low + slack
    assert at[-1] >= high - slack
    place = LinearScale(low=at[0], high=at[-1], start=0.0, end=100.0)
    assert -0.01 <= place(low) <= place(high) <= 100.01


def test_smallest_score_is_best_if_minimizing() -> None:
    def turned(event: Event) -> Event:
        if isinstance(event, CandidateScored) and event.score is not None:
            return replace(event, score=replace(event.score, maximize=False))
        return event

    read = Reader(page(course_of(map(turned, many(5))), HEADLINE))
    assert "The best is candidate #1’s: 0 of 1." in read.text
    assert "Score (of 1), less is better" in read.text


def test_evidence_comes_before_checks_and_costs() -> None:
    shown = Reader(page(course_of(told(outcome=Outcome.SOLVED)), HEADLINE)).text
    order = [
        "+    while due >= 1:",
        "test_exact failed: assert [50] == [50, 1].",
        "✓ syntax, tests 2/2 (1 newly)",
        "Lane",
    ]
    places = [shown.index(said) for said in order]
    assert places == sorted(places)


def test_agreement_is_among_what_to_read_first() -> None:
    """A difference that nobody but the user can judge is said before the candidates."""
    events = [*told(outcome=Outcome.SOLVED)]
    winner, other = dict.fromkeys(each.candidate_id for each in events if isinstance(each, CandidateProposed))
    results = {other: ("1", 1, 2), winner: ("2", 2, 1)}
    for name, (result, group, agreeing) in results.items():
        seen = (Observation(call="change(1)", result=result),)
        standing = Standing(group=group, agreeing=agreeing, backed=agreeing, compared=3, observations=seen)
        cost = Cost(value=1.0, unit="lines", source="size")
        events += [
            CandidateScored(seq=99, search="5eac", candidate_id=name, passed=True, verified=True, cost=cost),
            CandidateCompared(seq=99, search="5eac", candidate_id=name, standing=standing),
        ]
    shown = Reader(page(course_of(events), HEADLINE)).text
    assert re.search(r"Read this first.*\d of 3 candidates agree.*differs on `change\(1\)`.*The best", shown, re.S)
