"""Charts over time: scores, costs and spending of a search, with labelled axes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from certo.presentation.phrases import cost_in_words
from certo.presentation.report.markup import KINDS, Html, mark, section, tag
from certo.presentation.search_history import SearchHistory
from certo.presentation.status import standing_of
from certo.search.board import CandidateState
from certo.vocabulary.cost import Spent
from certo.vocabulary.display import amount
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import merit_of

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearScale:
    """Linear scale from the values `low` to `high` to the coordinates `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def ticks(low: float, high: float, count: int = 5) -> tuple[float, ...]:
    """Return about `count` distinct round numbers, from one at or below `low` to one at or above `high`.

    Raises:
        ValueError: A limit is not finite.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"an axis goes from one finite number to another, not from {low} to {high}")
    width = (high - low) / count
    if not width > abs(high) * 1e-9:
        width = max(abs(high), 1.0) / count
    power = 10.0 ** math.floor(math.log10(width))
    step = power * next(each for each in _ROUND if each * power >= width * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(number * step for number in range(first, max(last, first + 1) + 1))


_WIDTH, _HEIGHT = 560.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 16.0, 14.0, 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A candidate in a chart: time, value, mark, link target and description."""

    at: float
    value: float
    kind: str
    link: str
    says: str


def chart(
    name: str, axis: str, *, points: Sequence[Point], steps: Sequence[tuple[float, float]], seconds: float
) -> Html:
    """Return points over time, with a step line that extends to the end.

    `name` describes the chart in a sentence for those who cannot see it; `axis` names the values and their unit.
    """
    values = [*(point.value for point in points), *(value for _, value in steps)]
    marks_of_values, marks_of_time = ticks(min(0.0, *values), max(values)), ticks(0.0, max(seconds, 0.1))
    across = LinearScale(low=0.0, high=marks_of_time[-1], start=_LEFT, end=_WIDTH - _RIGHT)
    up = LinearScale(low=marks_of_values[0], high=marks_of_values[-1], start=_HEIGHT - _BOTTOM, end=_TOP)
    return tag(
        "svg",
        *(_rule(each, up(each)) for each in marks_of_values),
        *(_tick(each, across(each)) for each in marks_of_time),
        tag("text", axis, class_="axis", x=0.0, y=-8.0),
        tag("text", "Time (seconds)", class_="axis end", x=_WIDTH - _RIGHT, y=_HEIGHT - 6),
        _line(steps, across, up, seconds, "best" if points else "sum"),
        *(_dot(point, across(point.at), up(point.value)) for point in points),
        class_="chart",
        viewBox=f"0 -20 {_WIDTH:g} {_HEIGHT + 20:g}",
        role="img",
        aria_label=name,
    )


def _rule(value: float, y: float) -> Html:
    line = tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y)
    return tag("g", line, tag("text", f"{value:g}", x=_LEFT - 8, y=y, dy="4", class_="end"), class_="tick")


def _tick(value: float, x: float) -> Html:
    text = tag("text", f"{value:g}", x=x, y=_HEIGHT - _BOTTOM + 16, class_="middle")
    return tag("g", text, class_="tick")


def _line(
    steps: Sequence[tuple[float, float]], across: LinearScale, up: LinearScale, seconds: float, kind: str
) -> Html | None:
    if not steps:
        return None
    first, *more = steps
    drawn = [f"M{across(first[0]):.1f} {up(first[1]):.1f}"]
    drawn += [f"H{across(at):.1f}V{up(value):.1f}" for at, value in more]
    return tag("path", class_=kind, d="".join([*drawn, f"H{across(max(seconds, steps[-1][0])):.1f}"]))


def _dot(point: Point, x: float, y: float) -> Html:
    return tag("a", tag("title", point.says), mark(point.kind, x, y), href=point.link)


def charts(course: SearchHistory) -> Iterator[Html]:
    """Yield a section per available measure: scores, costs and spending on language models."""
    board = course.board
    scored = [row for row in board.rows.values() if row.score is not None and row.candidate_id in course.scored]
    if scored and scored[0].score is not None:
        first = scored[0].score
        axis = f"Score ({first.unit}), {'more' if first.maximize else 'less'} is better"
        points = [_point(row, course, row.score.value) for row in scored if row.score is not None]
        drawn = chart(axis, axis, points=points, steps=_records(scored, course), seconds=course.seconds)
        yield section("Scores over time", tag("p", _of_scores(scored), class_="summary"), _drawn(drawn))
    priced = [row for row in board.rows.values() if row.cost and row.cost.known and row.candidate_id in course.scored]
    if priced and priced[0].cost is not None:
        axis = f"Cost ({priced[0].cost.unit}), less is better"
        points = [_point(row, course, row.cost.value) for row in priced if row.cost is not None]
        steps = [(at, cost.value) for at, _, cost in course.improvements if cost.known]
        said = tag("p", _of_costs(course), class_="summary")
        yield section(
            "Costs over time", said, _drawn(chart(axis, axis, points=points, steps=steps, seconds=course.seconds))
        )
    if board.spent.calls:
        axis, steps = _spending(course)
        said = tag("p", f"Language models took {amount(board.spent.calls, 'call')}.", class_="summary")
        yield section(
            "Spend over time", said, _drawn(chart(axis, axis, points=(), steps=steps, seconds=course.seconds))
        )


def _drawn(drawing: Html) -> Html:
    return tag("div", drawing, class_="drawn wide")


def _point(row: CandidateState, course: SearchHistory, value: float) -> Point:
    standing = standing_of(row, over=True)
    says = f"Candidate #{row.number}, {standing.value}, {value:.3g}"
    link = f"#candidate-{row.number}"
    return Point(at=course.scored[row.candidate_id], value=value, kind=KINDS[standing], link=link, says=says)


def _records(scored: list[CandidateState], course: SearchHistory) -> list[tuple[float, float]]:
    """Return the best score so far at each improvement, with its time."""
    steps: list[tuple[float, float]] = []
    best = float("-inf")
    for row in sorted(scored, key=lambda each: course.scored[each.candidate_id]):
        if row.score is not None and row.score.merit > best:
            best = row.score.merit
            steps.append((course.scored[row.candidate_id], row.score.value))
    return steps


def _of_scores(scored: list[CandidateState]) -> str:
    best = max(scored, key=lambda row: merit_of(row.score))
    if best.score is None:
        return ""
    return f"The best is candidate #{best.number}’s: {best.score.value:.3g} {best.score.unit}."


def _of_costs(course: SearchHistory) -> str:
    known = [(at, cost) for at, _, cost in course.improvements if cost.known]
    if not known:
        return "No candidate that passed has a price."
    at, cost = known[-1]
    first = f" The first that passed cost {cost_in_words(known[0][1])}." if len(known) > 1 else ""
    return f"The best candidate costs {cost_in_words(cost)}; it came after {at:.1f} s.{first}"


def _spending(course: SearchHistory) -> tuple[str, list[tuple[float, float]]]:
    """Return spending over time in the most informative unit: dollars if known, otherwise tokens or calls."""
    last = course.board.spent

    def dollars(spent: Spent) -> float:
        return spent.dollars or 0.0

    if last.dollars:
        return "Price (US dollars)", [(at, dollars(spent)) for at, spent in course.spending]
    if last.tokens:
        return "Tokens read and written", [(at, float(spent.tokens)) for at, spent in course.spending]
    return "Calls of language models", [(at, float(spent.calls)) for at, spent in course.spending]
