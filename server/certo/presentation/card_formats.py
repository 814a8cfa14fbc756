"""Formats of a score card: Markdown, and plain text for a monospaced font."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from certo.presentation.card import Card
from certo.vocabulary.display import as_code, as_diff, as_markdown, one_line

COLUMNS = 80
"""Maximum width of a card in plain text."""

_GAP = 2
"""Distance between the columns of a table in plain text."""

_MIN_WIDTH = 20
"""Minimum width of the last column of a table."""

_CONTINUED = "↪ "
"""Mark at the start of a line that continues the previous one after a break without a space."""


def markdown(card: Card) -> str:
    """Return the card in Markdown."""
    parts = [f"**{as_markdown(card.heading)}**"]
    if card.lines:
        rows = [
            f"| {line.sign} | {as_markdown(line.verifier, in_cell=True)} "
            f"| {as_markdown(line.evidence, in_cell=True)} | {line.seconds} |"
            for line in card.lines
        ]
        parts.append("\n".join(["| | check | evidence | time |", "|:-:|:--|:--|--:|", *rows]))
    if card.links:
        parts.append(" · ".join(f"[{link.label}]({link.uri})" for link in card.links))
    if card.facts:
        parts.append("  \n".join(f"*{word}:* {as_markdown(said)}" for word, said in card.facts))
    parts.extend(as_markdown(note) for note in card.notes)
    if card.diff:
        parts.append(as_code(card.diff, "diff"))
    return "\n\n".join(parts)


def plain(card: Card) -> str:
    """Return the card in plain text with columns, at most COLUMNS wide; links are left out."""
    parts = ["\n".join(_folded(one_line(card.heading), COLUMNS))]
    if card.lines:
        parts.append(
            _columns([(line.sign, line.verifier, line.seconds, line.evidence) for line in card.lines], right=2)
        )
    if card.facts:
        parts.append(_columns(card.facts))
    parts.extend("\n".join(_folded(one_line(note), COLUMNS)) for note in card.notes)
    if card.diff:
        parts.append("\n".join(part for line in as_diff(card.diff).rstrip().split("\n") for part in _cut(line)))
    return "\n\n".join(parts)


def _columns(rows: Sequence[Sequence[str]], right: int | None = None) -> str:
    """Return rows with aligned columns, the last one folded; column `right` is aligned to the right."""
    rows = [tuple(map(one_line, row)) for row in rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    room = max(_MIN_WIDTH, COLUMNS - sum(widths) - _GAP * len(widths))
    lines = []
    for row in rows:
        first = [
            row[place].rjust(wide) if place == right else row[place].ljust(wide) for place, wide in enumerate(widths)
        ]
        blank = [" " * wide for wide in widths]
        for number, part in enumerate(_folded(row[-1], room)):
            lines.append((" " * _GAP).join([*(blank if number else first), part]).rstrip())
    return "\n".join(lines)


def _folded(words: str, width: int) -> list[str]:
    """Return text in lines of at most that width; words that are too long are broken."""
    return textwrap.wrap(words, width, break_on_hyphens=False) or [""]


def _cut(line: str) -> Iterator[str]:
    """Yield a line of code in pieces of bearable width; nothing is left out, because the code is to be judged."""
    yield line[:COLUMNS]
    step = COLUMNS - len(_CONTINUED)
    for at in range(COLUMNS, len(line), step):
        yield _CONTINUED + line[at : at + step]
