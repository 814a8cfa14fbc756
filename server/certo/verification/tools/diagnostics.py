"""Diagnostics that a tool reports for a candidate but not for the base text, wherever lines have moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from certo.edits.positions import split_lines

_NUMBER = re.compile(r"\b\d+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One thing a tool says of a text: on which line (1-based), and the tool's code for things of that kind."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedText:
    """A text, and all that a tool said of it."""

    text: str
    remarks: tuple[Diagnostic, ...]


def new_remarks(base: InspectedText, candidate: InspectedText) -> tuple[Diagnostic, ...]:
    """Return what is said of the candidate and not of the base text, in the order in which it was said.

    Two remarks are the same when code, message and the source of the line are. Of a remark that is made more
    often than before, the last ones are new.
    """
    known = Counter(key for _remark, key in _keyed(base))
    found = []
    for remark, key in _keyed(candidate):
        known[key] -= 1
        if known[key] < 0:
            found.append(remark)
    return tuple(found)


def _keyed(inspected: InspectedText) -> Iterable[tuple[Diagnostic, tuple[str, str, str]]]:
    lines = split_lines(inspected.text)
    for remark in inspected.remarks:
        source = lines[remark.line - 1].strip() if 0 < remark.line <= len(lines) else ""
        # Messages speak of other lines by number, and measure lengths and complexities: a function that is still too
        # complex, though less so, is no new complaint.
        yield remark, (remark.code, _NUMBER.sub("0", remark.message), source)


_COMMENTS: Mapping[str, re.Pattern[str]] = {
    "mypy": re.compile(r"#\s*(?:type:\s*ignore|mypy:)"),
    "pyright": re.compile(r"#\s*(?:type:\s*ignore|(?:based)?pyright:)"),
    "ty": re.compile(r"#\s*(?:type:\s*ignore|ty:)"),
    "ruff": re.compile(r"#\s*(?:noqa|(?:ruff|flake8):)", re.IGNORECASE),
    "flake8": re.compile(r"#\s*(?:noqa|flake8:)", re.IGNORECASE),
}
"""How such a comment begins; a text in which one stands within a string is no loss."""


def new_suppressions(tool: str, base: str, text: str) -> tuple[Diagnostic, ...]:
    """Return a remark on each such comment by which `text` has more of them than `base`.

    A candidate that silences a tool would pass for one that the tool has nothing to say of.
    """
    found = _silenced(tool, text)
    new = len(found) - len(_silenced(tool, base))
    # Which of them are new nobody can tell for sure; those on lines that were not there before are likeliest.
    known = {line.strip() for line in split_lines(base)}
    likely = sorted(found, key=lambda each: each[1].strip() in known)[: max(0, new)]
    return tuple(
        Diagnostic(line=line, code="", message=f"do without the comment that silences {tool}: {source.strip()}")
        for line, source in sorted(likely)
    )


def _silenced(tool: str, text: str) -> list[tuple[int, str]]:
    return [
        (number, line) for number, line in enumerate(split_lines(text), start=1) for _ in _COMMENTS[tool].findall(line)
    ]
