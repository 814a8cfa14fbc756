"""The formats of `certo verify --changed`: which there are, and writing each to its file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from certo.cli.view.changes.github import github_text
from certo.cli.view.changes.junit import junit_text
from certo.cli.view.changes.sarif import sarif_text
from certo.cli.view.changes.table import show_changes
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console, console_on
from certo.protocol.changed_functions import ChangedFunctionReport, ChangesReport
from certo.vocabulary.errors import BadRequest

Reports = Sequence[ChangedFunctionReport]

TEXTS: Mapping[str, Callable[[Reports, ChangesReport], str]] = {
    "sarif": sarif_text,
    "junit": junit_text,
    "github": github_text,
}
"""What makes the text of each format that is one document, or plain lines."""

FORMATS = ("table", "jsonl", *TEXTS)


def read_formats(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the formats of arguments such as "sarif=out.sarif", each with its file; "" is standard output.

    Raises:
        BadRequest: One is unknown, or two would write to the same place.
    """
    found: dict[str, str] = {}
    for word in words:
        name, separator, file = word.partition("=")
        if name not in FORMATS or (separator and not file):
            raise BadRequest(f"--format {word}: write one of {', '.join(FORMATS)}, or NAME=FILE, as in sarif=out.sarif")
        if file in found:
            place = file or "standard output"
            raise BadRequest(f"--format {word}: {found[file]} goes to {place} already; name another file: {name}=FILE")
        found[file] = name
    return tuple((name, file) for file, name in found.items())


def write_changes(formats: Sequence[tuple[str, str]], reports: Reports, end: ChangesReport) -> None:
    """Write all formats.

    Raises:
        BadRequest: A file cannot be written.
    """
    for name, file in formats:
        if not file:
            _write(name, reports, end, sys.stdout)
            continue
        try:
            with Path(file).expanduser().open("w", encoding="utf-8") as stream:
                _write(name, reports, end, stream)
        except OSError as error:
            raise BadRequest(f"{name} cannot be written to {file}: {error.strerror}") from error


def _write(name: str, reports: Reports, end: ChangesReport, stream: TextIO) -> None:
    if name == "jsonl":
        for one in (*reports, end):
            write_line(stream, one.model_dump(mode="json", by_alias=True))
    elif name == "table":
        show_changes(reports, end, answer_console() if stream is sys.stdout else console_on(stream))
    else:
        stream.write(TEXTS[name](reports, end))
