"""Diagnostics that a tool reports for a candidate but not for the base text, independent of line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from certo.edits.positions import split_lines
from certo.vocabulary.records import dataclass

_NUMBER = re.compile(r"\b\d+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a tool about a text: its line (1-based), and the tool's code for its kind."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedText:
    """A text, and all messages of a tool about it."""

    text: str
    remarks: tuple[Diagnostic, ...]


def new_remarks(base: InspectedText, candidate: InspectedText) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of the candidate that the base text lacks, in order.

    Two diagnostics are equal if code, message and source line are. If one occurs more often than before, its last
    occurrences are new.
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
"""Beginning of a suppression comment, per tool; a match inside a string is harmless."""


def new_suppressions(tool: str, base: str, text: str) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each suppression comment that `text` has beyond `base`.

    Otherwise a candidate that silences a tool would pass as clean.
    """
    found = _silenced(tool, text)
    new = len(found) - len(_silenced(tool, base))
    # It cannot be known which of them are new; those on new lines are likeliest.
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
