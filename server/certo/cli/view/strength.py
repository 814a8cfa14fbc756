"""Test strength in the terminal: what the tests notice, and each change that they miss with a call that shows it."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from certo.cli.view.terminal import mark
from certo.presentation.strength import (
    change_in_words,
    remarks,
    shown_gaps,
    strength_in_words,
    unshown,
    witness_in_words,
)
from certo.vocabulary.display import one_line
from certo.vocabulary.strength import TestStrength


def show_strength(strength: TestStrength, name: str, console: Console) -> None:
    """Print how many small changes of the function `name` the tests notice, and those they miss."""
    gaps = shown_gaps(strength)
    sign, style = ("✓", "good") if strength.is_measured and strength.of and not strength.gaps else ("?", "open")
    said = strength_in_words(strength)
    ending = f"; {'this one goes' if len(gaps) == 1 else 'these go'} unnoticed:" if gaps else ""
    console.print(Text.assemble((mark(sign, console), style), f" strength  {one_line(said)}{ending}"), soft_wrap=True)
    if gaps:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for gap in gaps:
            before, after = change_in_words(gap)
            table.add_row(
                Text(f"    line {gap.line}", "quiet"),
                Text.assemble((before, "removed"), (f"  {mark('→', console)}  ", "quiet"), (after, "added")),
            )
            table.add_row("", witness_in_words(gap))
        console.print(table)
    for remark in filter(None, [unshown(strength), *remarks(strength, name)]):
        console.print(Text(f"    {one_line(remark)}", "quiet"), soft_wrap=True)
    console.print()
