"""Charts over time: what candidates reached or cost, and what was spent, as drawings with axes in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certo.cli.report.marks import mark
from certo.cli.report.markup import Html, tag
from certo.cli.report.scales import Scale, ticks

_WIDTH, _HEIGHT = 560.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 16.0, 14.0, 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A candidate in a chart: when, how much, its mark, where a click leads, and what it is in words."""

    at: float
    value: float
    kind: str
    link: str
    says: str


def chart(
    name: str, axis: str, *, points: Sequence[Point], steps: Sequence[tuple[float, float]], seconds: float
) -> Html:
    """Points over time, and a line that goes by steps to its last value and from there to the end.

    `name` is what it shows, in a sentence for those who do not see it; `axis` names the numbers with their unit.
    """
    values = [*(point.value for point in points), *(value for _, value in steps)]
    marks_of_values, marks_of_time = ticks(min(0.0, *values), max(values)), ticks(0.0, max(seconds, 0.1))
    across = Scale(low=0.0, high=marks_of_time[-1], start=_LEFT, end=_WIDTH - _RIGHT)
    up = Scale(low=marks_of_values[0], high=marks_of_values[-1], start=_HEIGHT - _BOTTOM, end=_TOP)
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


def _line(steps: Sequence[tuple[float, float]], across: Scale, up: Scale, seconds: float, kind: str) -> Html | None:
    if not steps:
        return None
    first, *more = steps
    drawn = [f"M{across(first[0]):.1f} {up(first[1]):.1f}"]
    drawn += [f"H{across(at):.1f}V{up(value):.1f}" for at, value in more]
    return tag("path", class_=kind, d="".join([*drawn, f"H{across(max(seconds, steps[-1][0])):.1f}"]))


def _dot(point: Point, x: float, y: float) -> Html:
    return tag("a", tag("title", point.says), mark(point.kind, x, y), href=point.link)
