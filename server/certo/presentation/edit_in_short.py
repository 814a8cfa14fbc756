"""A candidate's edit in a few words: the expression that it changes, before and after."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from certo.edits.source import parse
from certo.vocabulary.display import amount
from certo.vocabulary.text import Hunk

_MAX_CHARACTERS = 100
"""Maximum length of a change that is shown in a line with other words."""


def fix_in_short(hunks: Sequence[Hunk], state: str = "") -> str:
    """Return a fix in words, with its state: "one-line fix ready: half + 1 → half - 1", "fix of 3 lines ready"."""
    lines = sum(max(len(hunk.removed), len(hunk.added)) for hunk in hunks)
    if lines != 1:
        return f"fix of {amount(lines, 'line')}{state}"
    change = _change(*("".join(side).strip() for side in (hunks[0].removed, hunks[0].added)))
    return f"one-line fix{state}: {change}" if len(change) <= _MAX_CHARACTERS else f"one-line fix{state}"


def _change(before: str, after: str) -> str:
    if not before or not after:
        return f"“{after}” added" if after else f"“{before}” left out"
    return " → ".join(_smallest(before, after))


def _smallest(before: str, after: str) -> tuple[str, str]:
    """Return the smallest expressions in which two lines differ, not smaller than an operation or a call."""
    for old in sorted(_expressions(before), key=len):
        start = before.find(old)
        rest = len(before) - start - len(old)
        new = after[start : len(after) - rest]
        around = before[:start], before[start + len(old) :]
        if (after[:start], after[len(after) - rest :]) == around and _is_expression(new) and old != new:
            return old, new
    return before, after


def _expressions(line: str) -> list[str]:
    """Return the expressions in a line that say what is computed; none if it cannot be parsed by itself."""
    try:
        tree = parse(f"{line}\n    pass" if line.endswith(":") else line)
    except SyntaxError:
        return []
    telling = (ast.BinOp, ast.BoolOp, ast.Compare, ast.Call, ast.UnaryOp, ast.Subscript, ast.IfExp)
    found = (ast.get_source_segment(line, node) for node in ast.walk(tree) if isinstance(node, telling))
    return [each for each in found if each]


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
