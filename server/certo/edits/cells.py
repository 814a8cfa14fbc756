"""The cells of notebooks as plain Python: what is for IPython alone is made a comment, and nothing moves."""

from __future__ import annotations

import re

from certo.edits.newlines import split_lines
from certo.edits.source import parse

_FOR_IPYTHON = re.compile(r"\s*[%!?]|.*\?\s*$")
"""A line that runs a magic or a program, or asks for help; it only counts as one where it is no Python."""

_AROUND_PYTHON = re.compile(r"%%(time|capture|prun)\b")
"""The beginning of a cell that is Python for all that; behind other such beginnings may stand any language."""


def as_python(cell: str) -> str | None:
    """The text of a cell as Python of the same length, in which every place is where it was; None when it is none.

    A line is only made a comment when Python cannot read it, for `% 3` may well go on with an expression above it.
    """
    lines = split_lines(cell)
    for _ in range(len(lines) + 1):
        try:
            parse("".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not _is_for_ipython(lines[at]):
                return None
            blank = len(lines[at]) - len(lines[at].lstrip())
            lines[at] = f"{lines[at][:blank]}#{lines[at][blank + 1 :]}"
        else:
            return "".join(lines)
    return None


def _is_for_ipython(line: str) -> bool:
    if line.startswith("%%"):
        return _AROUND_PYTHON.match(line) is not None
    return not line.lstrip().startswith("#") and _FOR_IPYTHON.match(line) is not None
