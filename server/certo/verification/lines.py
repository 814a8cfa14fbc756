"""Which lines are the target's, and which of them a candidate changed: what is watched while tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from certo.edits.diff import changed_lines
from certo.edits.newlines import split_lines
from certo.vocabulary.problem import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """Lines of one text, 1-based: the target's `first` to `last`, and those in which a change can be seen to run.

    `entry_counts` says that the target's head changed: it runs when the function is defined, so that entering the
    function is what shows it.
    """

    first: int
    last: int
    changed: frozenset[int] = frozenset()
    entry_counts: bool = False


def watched(base: str, text: str, target: Target) -> Watched:
    """Return what to watch in `text`, a candidate's (or the base text itself), for a target found in `base`."""
    first = len(split_lines(base[: target.span.start] + "x"))
    last = len(split_lines(base[: target.span.end])) + len(split_lines(text)) - len(split_lines(base))
    changed = {line for line in changed_lines(base, text) if first <= line <= last}
    head, statements = first, [*_statements(text, first, last)]
    if statements:
        head = statements[0].stop
    # A change within a statement shows in whichever of the statement's lines the interpreter reports.
    whole = {line for statement in statements[1:] if changed.intersection(statement) for line in statement}
    return Watched(
        first=first,
        last=max(first, last),
        changed=frozenset(changed | whole),
        entry_counts=any(line < head for line in changed),
    )


def watched_elsewhere(base: str, text: str) -> frozenset[int]:
    """Return the 1-based lines of another file in which a change can be seen to run, statements of several lines whole.

    The line of a `def` stands for all that enters its function, as it runs only when that is defined.
    """
    changed = changed_lines(base, text)
    last = len(split_lines(text))
    whole = {line for lines in _statements(text, 1, last) if changed.intersection(lines) for line in lines}
    return frozenset(changed | whole)


def _statements(text: str, first: int, last: int) -> Iterator[range]:
    """Yield each statement's own lines, those of the statements inside it left out; the target's head comes first."""
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # The last two are what Python says of a text that is nested too deeply for its parser.
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.ExceptHandler) or not first <= node.lineno <= last:
            continue
        inner = getattr(node, "body", None)
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        yield range(start, inner[0].lineno if inner else (node.end_lineno or node.lineno) + 1)
