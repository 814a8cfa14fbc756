"""The table of changed functions in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from certo.cli.view.terminal import mark
from certo.presentation.changed_function import results_in_words
from certo.protocol.changed_functions import ChangedFunctionReport, ChangesReport
from certo.vocabulary.display import amount, one_line

_SIGNS = {"verified": ("✓", "good"), "failed": ("✗", "bad"), "unreadable": ("✗", "bad"), "deleted": ("–", "quiet")}
_OPEN = ("?", "open")


def show_changes(reports: Sequence[ChangedFunctionReport], end: ChangesReport, console: Console) -> None:
    """Print each function with what deserves attention, and what was not looked at."""
    console.print(Text(f"Changed since {end.revision}\n", "quiet"), soft_wrap=True)
    for one in reports:
        sign, style = _SIGNS.get(one.result, _OPEN)
        name = f"{one.path}::{one.qualname}" if one.qualname else one.path
        cached = "  (cached)" if one.cached else ""
        about = "" if one.result == "verified" else f"  {one.result.replace('-', ' ')}"
        console.print(
            Text.assemble((mark(sign, console), style), f" {one_line(name)}", (about, style), (cached, "quiet")),
            soft_wrap=True,
        )
        for said in [one.reason] if one.reason else filter(None, [one.summary, *_told(one)]):
            console.print(Text(f"    {one_line(said)}", "quiet"), soft_wrap=True)
    if reports:
        console.print()
    for line in _left_out(end):
        console.print(Text(line, "quiet"), soft_wrap=True)
    console.print(Text(results_in_words([one.result for one in reports], end.cached)), soft_wrap=True)


def _told(one: ChangedFunctionReport) -> list[str]:
    """Return the notes that the summary does not say in short."""
    return [f"line {note.line}: {note.message}" for note in one.notes if note.rule not in ("different", "not-compared")]


def _left_out(end: ChangesReport) -> list[str]:
    said = []
    if end.outside:
        files = ", ".join(map(one_line, end.outside[:3])) + (" …" if len(end.outside) > 3 else "")
        said.append(f"not judged: code outside of functions, which differs in {files}")
    if end.test_files:
        said.append(f"{amount(len(end.test_files), 'test file')} changed too; tests are not verified themselves")
    return said
