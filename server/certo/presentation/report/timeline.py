"""Timeline of a search: when each candidate was judged, in its lane."""

from __future__ import annotations

from certo.presentation.phrases import first_line
from certo.presentation.report.charts import LinearScale, ticks
from certo.presentation.report.markup import KINDS, Html, mark_alone, tag
from certo.presentation.search_history import SearchHistory
from certo.presentation.status import standing_of, status_in_words
from certo.presentation.tree_text import reason, stats
from certo.search.board import CandidateState
from certo.search.replay import ReplayTreeNode
from certo.search.tree import after
from certo.vocabulary.display import lane

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 1120.0, 112.0, 16.0, 4.0, 40.0
_MIN_WIDTH = 4.0
"""Minimum width of a bar, so that one without duration is visible."""

_FOR_NUMBER = 22.0
"""Minimum width of a bar that shows its number."""


def timeline(course: SearchHistory) -> Html:
    """Return a bar per candidate, from its proposal until it was judged or the search ended."""
    slots = sorted({row.origin.slot for row in course.board.rows.values()})
    lane = 26.0 if len(slots) <= 30 else 12.0
    floor = _TOP + lane * len(slots)
    marks_of_time = ticks(0.0, max(course.seconds, 0.1), 8)
    across = LinearScale(low=0.0, high=marks_of_time[-1], start=_LEFT, end=_WIDTH - _RIGHT)
    tops = {slot: _TOP + lane * place for place, slot in enumerate(slots)}
    return tag(
        "svg",
        *(_time(each, across(each), floor) for each in marks_of_time),
        *(_lane(slot, top + lane / 2) for slot, top in tops.items() if lane > 20 or slot % 5 == 0),
        tag("text", "Time (seconds)", class_="axis end", x=_WIDTH - _RIGHT, y=floor + 34),
        *(_bar(row, course, across, tops[row.origin.slot], lane) for row in course.board.rows.values()),
        class_="chart timeline",
        viewBox=f"0 0 {_WIDTH:g} {floor + _BOTTOM:g}",
        role="img",
        aria_label="When each candidate was judged, by lane; the table of candidates has the same times.",
    )


def _time(value: float, x: float, floor: float) -> Html:
    line = tag("line", x1=x, x2=x, y1=_TOP, y2=floor)
    return tag("g", line, tag("text", f"{value:g}", x=x, y=floor + 16, class_="middle"), class_="tick")


def _lane(slot: int, middle: float) -> Html:
    name = lane(slot)
    return tag("text", name[:1].upper() + name[1:], class_="quiet", x=0.0, y=middle, dy="4")


def _bar(row: CandidateState, course: SearchHistory, across: LinearScale, top: float, lane: float) -> Html:
    begun = course.proposed[row.candidate_id]
    ended = course.scored.get(row.candidate_id, course.seconds)
    over = course.board.stopped is not None
    standing, words = standing_of(row, over=over), status_in_words(row, over=over)
    left, width = across(begun), max(_MIN_WIDTH, across(ended) - across(begun))
    gap = lane / 9
    shape = tag("rect", x=left, y=top + gap, width=width, height=lane - 2 * gap, rx="3")
    number = (
        tag("text", f"{standing.sign} {row.number}", x=left + width / 2, y=top + lane / 2, dy="4", class_="middle")
        if width >= _FOR_NUMBER and lane > 20
        else None
    )
    title = tag("title", f"Candidate #{row.number}, {words}, from {begun:.2f} s to {ended:.2f} s")
    return tag("a", title, shape, number, class_=f"bar {KINDS[standing]}", href=f"#candidate-{row.number}")


def branches(course: SearchHistory) -> Html:
    """Return every node below its parent: mark, number, figures, idea, and the reason why it was not continued."""
    # From the leaves up instead of recursively, so that no depth is too much.
    made: dict[int, Html] = {}
    for node in after(course.retracing.tree.root):
        below = [made.pop(child.id) for child in node.children]
        children = tag("ul", *below) if below else None
        made[node.id] = tag("li", _line(node, course), children)
    return tag("ul", made[0], class_="branches")


def _line(node: ReplayTreeNode, course: SearchHistory) -> Html:
    figures = tag("span", stats(node), class_="figures") if node.visits else None
    if node.parent is None:
        return tag("div", tag("span", "The problem’s own text", class_="name"), figures, class_="node")
    trace, row = node.data, node.data.row
    why = tag("span", said, class_="why") if (said := reason(node, course.retracing)) else None
    if row is None:
        name = tag("span", f"idea {trace.number}", class_="name")
        return tag("div", mark_alone("untried"), name, _what(trace.idea), why, figures, class_="node quiet")
    standing = standing_of(row, over=course.board.stopped is not None)
    links = [tag("a", f"#{each.number}", href=f"#candidate-{each.number}", class_="name") for each in trace.rows]
    best = any(each.candidate_id == course.board.best for each in trace.rows)
    return tag(
        "div",
        mark_alone(KINDS[standing]),
        *links,
        tag("span", standing.value, class_="aloud"),
        tag("span", "the best", class_="crown") if best else None,
        _what(trace.idea or row.origin.note or row.origin.generator),
        why,
        figures,
        class_="node isBest" if best else "node",
    )


def _what(words: str) -> Html:
    return tag("span", first_line(words), class_="what")
