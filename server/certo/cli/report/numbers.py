"""How good and how dear candidates were over time, and what language models took, each as a section with its chart."""

from __future__ import annotations

from collections.abc import Iterator

from certo.cli.course import Course
from certo.cli.report.charts import Point, chart
from certo.cli.report.marks import KINDS
from certo.cli.report.markup import Html, section, tag
from certo.cli.standing import standing_of
from certo.search.board import Row
from certo.search.wording import amount, cost_in_words
from certo.vocabulary.cost import Spent
from certo.vocabulary.score import merit_of


def charts(course: Course) -> Iterator[Html]:
    """A section for each number that there is: scores, costs, and what language models took."""
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


def _point(row: Row, course: Course, value: float) -> Point:
    standing = standing_of(row, over=True)
    says = f"Candidate #{row.number}, {standing.value}, {value:.3g}"
    link = f"#candidate-{row.number}"
    return Point(at=course.scored[row.candidate_id], value=value, kind=KINDS[standing], link=link, says=says)


def _records(scored: list[Row], course: Course) -> list[tuple[float, float]]:
    """The best score so far, each time there was a better one."""
    steps: list[tuple[float, float]] = []
    best = float("-inf")
    for row in sorted(scored, key=lambda each: course.scored[each.candidate_id]):
        if row.score is not None and row.score.merit > best:
            best = row.score.merit
            steps.append((course.scored[row.candidate_id], row.score.value))
    return steps


def _of_scores(scored: list[Row]) -> str:
    best = max(scored, key=lambda row: merit_of(row.score))
    if best.score is None:
        return ""
    return f"The best is candidate #{best.number}’s: {best.score.value:.3g} {best.score.unit}."


def _of_costs(course: Course) -> str:
    known = [(at, cost) for at, _, cost in course.improvements if cost.known]
    if not known:
        return "No candidate that passed has a price."
    at, cost = known[-1]
    first = f" The first that passed cost {cost_in_words(known[0][1])}." if len(known) > 1 else ""
    return f"The best candidate costs {cost_in_words(cost)}; it came after {at:.1f} s.{first}"


def _spending(course: Course) -> tuple[str, list[tuple[float, float]]]:
    """What is spent, in the unit that says most: dollars where they are known, else tokens, else calls."""
    last = course.board.spent

    def dollars(spent: Spent) -> float:
        return spent.dollars or 0.0

    if last.dollars:
        return "Price (US dollars)", [(at, dollars(spent)) for at, spent in course.spending]
    if last.tokens:
        return "Tokens read and written", [(at, float(spent.tokens)) for at, spent in course.spending]
    return "Calls of language models", [(at, float(spent.calls)) for at, spent in course.spending]
