"""Moving code to another margin without touching what stands in its strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from certo.edits.offsets import SourceMap
from certo.vocabulary.text import Span


def indentation(text: str, offset: int) -> str:
    """The blanks between the start of a line and an offset on it; "" when something else stands there too."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return before if not before.strip() else ""


def reindented(
    source: str, statements: Sequence[ast.stmt], to: str, *, span: Span | None = None, docstring: bool = False
) -> str:
    r"""The lines of neighbouring statements of `source`, at the margin `to`; lines end with \n, the last one without.

    `span` is the stretch of source that is meant where there is more than the statements, such as comments before them.
    The lines of a string stay as they are, or its value would change; only a `docstring` moves as a whole.
    """
    places = SourceMap(source)
    span = span or Span(places.span(statements[0]).start, places.end(statements[-1]))
    first = places.line_of(span.start)
    fixed = set() if docstring else set(_string_lines(source, statements))
    margins = (indentation(source, places.span(each).start) for each in statements)
    margin = next(filter(None, margins), "")
    opening, *others = source[span.start : span.end].split("\n")
    lines = [to + opening.strip(" \t;")] if opening.strip(" \t;") else []
    if lines and first in fixed:
        lines = [to + opening.lstrip(" \t;")]
    for number, line in enumerate(others, first + 1):
        if number in fixed:
            lines.append(line)
        elif not line.strip():
            lines.append("")
        elif line.startswith(margin):
            lines.append(to + line[len(margin) :])
        else:
            lines.append(line if docstring else to + line.lstrip(" \t"))
    return "\n".join(lines).strip("\n")


def _string_lines(source: str, statements: Sequence[ast.stmt]) -> Iterator[int]:
    """The 1-based lines that begin within a string."""
    places = SourceMap(source)
    for statement in statements:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Constant | ast.JoinedStr) or node.lineno == node.end_lineno:
                continue
            span = places.span(node)
            text = source[span.start : span.end]
            # Several strings side by side are one node; only within one of these may the lines not move.
            if '"""' in text or "'''" in text or "\\\n" in text:
                yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
