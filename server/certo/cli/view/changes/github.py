"""GitHub's workflow commands: annotations that a pull request shows beside its lines."""

from __future__ import annotations

from collections.abc import Sequence

from certo.presentation.changed_function import RULES
from certo.protocol.changed_functions import ChangedFunctionReport, ChangesReport
from certo.vocabulary.display import one_line

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}

_ORDER = tuple(_COMMANDS)


def github_text(reports: Sequence[ChangedFunctionReport], end: ChangesReport) -> str:
    """Return one line for each note, the gravest first: GitHub shows ten of a kind at most."""
    lines = [
        (
            _ORDER.index(note.level),
            f"::{_COMMANDS[note.level]} {_place(end.folder, report, note.line, note.rule)}::{_text(note.message)}",
        )
        for report in reports
        for note in report.notes
    ]
    return "".join(f"{line}\n" for _, line in sorted(lines, key=lambda each: each[0]))


def _place(folder: str, report: ChangedFunctionReport, line: int, rule: str) -> str:
    title = f"certo: {RULES[rule]}"
    values = {
        "file": f"{folder}{report.path}",
        "line": str(line),
        "title": f"{title} ({report.qualname or report.path})",
    }
    return ",".join(f"{name}={_value(value)}" for name, value in values.items())


def _text(message: str) -> str:
    """Return a message as the value of a command."""
    return one_line(message).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(value: str) -> str:
    """Return a property of a command: no part of it may be taken for another one."""
    return _text(value).replace(":", "%3A").replace(",", "%2C")
