"""Comments that keep a tool from saying what it has to say, as a candidate may not add them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from certo.edits.newlines import split_lines
from certo.verification.remarks import Remark

_COMMENTS: Mapping[str, re.Pattern[str]] = {
    "mypy": re.compile(r"#\s*(?:type:\s*ignore|mypy:)"),
    "pyright": re.compile(r"#\s*(?:type:\s*ignore|(?:based)?pyright:)"),
    "ty": re.compile(r"#\s*(?:type:\s*ignore|ty:)"),
    "ruff": re.compile(r"#\s*(?:noqa|(?:ruff|flake8):)", re.IGNORECASE),
    "flake8": re.compile(r"#\s*(?:noqa|flake8:)", re.IGNORECASE),
}
"""How such a comment begins; a text in which one stands within a string is no loss."""


def new_silences(tool: str, base: str, text: str) -> tuple[Remark, ...]:
    """Return a remark on each such comment by which `text` has more of them than `base`.

    A candidate that silences a tool would pass for one that the tool has nothing to say of.
    """
    found = _silenced(tool, text)
    new = len(found) - len(_silenced(tool, base))
    # Which of them are new nobody can tell for sure; those on lines that were not there before are likeliest.
    known = {line.strip() for line in split_lines(base)}
    likely = sorted(found, key=lambda each: each[1].strip() in known)[: max(0, new)]
    return tuple(
        Remark(line=line, code="", message=f"do without the comment that silences {tool}: {source.strip()}")
        for line, source in sorted(likely)
    )


def _silenced(tool: str, text: str) -> list[tuple[int, str]]:
    return [
        (number, line) for number, line in enumerate(split_lines(text), start=1) for _ in _COMMENTS[tool].findall(line)
    ]
