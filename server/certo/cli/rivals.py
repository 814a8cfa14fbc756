"""What passed like the winner and acts otherwise: the calls that tell, the code of each, how to say who is right."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from certo.cli.standing import Standing, standing_of
from certo.cli.words import mark, quoted
from certo.search.board import Board, Row
from certo.search.contending import compared, deciding, example_of, uncompared
from certo.search.wording import amount
from certo.vocabulary.visible import as_diff, one_line

_MOST_LINES = 10
"""So many changed lines of a rival are shown; its diff is in the editor, and in what `--json` writes."""


def show_rivals(board: Board, winner: Row, console: Console) -> None:
    """Print which candidates pass what the winner passes, for which calls they do otherwise, and what they change."""
    contenders = board.contenders(winner)
    if not contenders:
        return
    unknown = uncompared(contenders)
    if known := len(contenders) - 1 - len(unknown):
        console.print(Text(f"PASSED TOO, and act otherwise: {amount(known, 'candidate')}", "unsure"))
    if unknown:
        why = f"PASSED TOO, not compared: {amount(len(unknown), 'candidate')} ({unknown[0].uncompared})"
        console.print(Text(one_line(why), "unsure"), soft_wrap=True)
    if winner.agreeing and known:
        others = sum(row.passed and row.agreeing > 0 for row in board.rows.values())
        console.print(Text(f"  {winner.agreeing} of the {others} that were compared act as #{winner.number} does"))
    for call, results in compared(contenders):
        console.print(Text(f"  {one_line(call)}"), soft_wrap=True)
        named = [(" ".join(f"#{row.number}" for row in rows), said) for said, rows in results]
        room = max(len(numbers) for numbers, _ in named)
        for numbers, said in named:
            console.print(Text.assemble("    ", (f"{numbers:<{room}}", "quiet"), f"  {one_line(said)}"), soft_wrap=True)
    console.print()
    for row in contenders[1:]:
        _show_code(row, console)
    console.print()


def decision(board: Board, winner: Row) -> str:
    """How the user says of each rival that it is right and no other one; nothing where no value tells."""
    contenders = board.contenders(winner)
    said = [
        f"if #{row.number} is right, add {' '.join(f'--example {quoted(example_of(seen))}' for seen in examples)}"
        for row in contenders[1:]
        if (examples := deciding(row, contenders))
    ]
    return "\n".join(said)


def _show_code(row: Row, console: Console) -> None:
    """Print what a rival changes, without the lines around it."""
    how = standing_of(row, over=True)
    standing = "" if how is Standing.VERIFIED else f", {how.value}"
    console.print(
        Text.assemble(f"  #{row.number}  ", (f"{one_line(row.origin.note)}{standing}", "quiet")), soft_wrap=True
    )
    lines = [
        (sign, style, line)
        for hunk in row.hunks
        for sign, style, side in (("-", "removed", hunk.removed), ("+", "added", hunk.added))
        for line in side
    ]
    for sign, style, line in lines[:_MOST_LINES]:
        console.print(Text(f"    {sign}{as_diff(line.rstrip())}", style), soft_wrap=True)
    if len(lines) > _MOST_LINES:
        more = amount(len(lines) - _MOST_LINES, "line")
        console.print(Text(f"    {mark('…', console)} {more} more", "quiet"))
