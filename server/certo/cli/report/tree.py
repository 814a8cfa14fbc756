"""The tree of a search as nested lists, which read in order without their lines too."""

from __future__ import annotations

from certo.cli.branches import reason, stats
from certo.cli.course import Course
from certo.cli.report.marks import KINDS, mark_alone
from certo.cli.report.markup import Html, tag
from certo.cli.standing import standing_of
from certo.cli.words import first_line
from certo.search.retracing import Traced
from certo.search.tree import after


def branches(course: Course) -> Html:
    """Every node below the one it grew from: its mark, number, figures and idea, and why nothing more came of it."""
    # From the leaves up, so that no depth is too much for it.
    made: dict[int, Html] = {}
    for node in after(course.retracing.tree.root):
        below = [made.pop(child.id) for child in node.children]
        children = tag("ul", *below) if below else None
        made[node.id] = tag("li", _line(node, course), children)
    return tag("ul", made[0], class_="branches")


def _line(node: Traced, course: Course) -> Html:
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
