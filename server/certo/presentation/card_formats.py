"""Formats of a score card: Markdown, and plain text for a monospaced font."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from certo.presentation.card import Card, VerifierLine
from certo.presentation.phrases import SIGNS
from certo.vocabulary.display import as_code, as_diff, as_markdown, one_line
from certo.vocabulary.verdict import Ruling

COLUMNS = 80
"""Maximum width of a card in plain text."""

_GAP = 2
"""Distance between the columns of a table in plain text."""

_MIN_WIDTH = 20
"""Minimum width of the last column of a table."""

_SHORT_DIFF = 11
"""Maximum number of lines of a diff that comes first: one changed line with its context."""

_CONTINUED = "↪ "
"""Mark at the start of a line that continues the previous one after a break without a space."""


def markdown(card: Card, *, unfolded: bool = False) -> str:
    """Return the card in Markdown: a short diff and what tells candidates apart come first.

    Checks that passed share a line, or have one each if they are `unfolded`.
    """
    diff = [as_code(card.diff, "diff")] if card.diff else []
    telling, silent = (card.lines, "") if unfolded else _by_evidence(card)
    parts = [f"**{as_markdown(card.heading)}**", *(diff if _is_short(card) else [])]
    parts.extend(as_markdown(note) for note in card.notes)
    if telling:
        rows = [
            f"| {line.sign} | {as_markdown(line.verifier, in_cell=True)} "
            f"| {as_markdown(line.evidence, in_cell=True)} | {line.seconds} |"
            for line in telling
        ]
        parts.append("\n".join(["| | check | evidence | time |", "|:-:|:--|:--|--:|", *rows]))
    if silent:
        parts.append(as_markdown(silent))
    parts.extend(as_markdown(aside) for aside in card.asides)
    if card.links:
        parts.append(" · ".join(f"[{link.label}]({link.uri})" for link in card.links))
    if card.facts:
        parts.append("  \n".join(f"*{word}:* {as_markdown(said)}" for word, said in card.facts))
    return "\n\n".join([*parts, *([] if _is_short(card) else diff)])


def plain(card: Card) -> str:
    """Return the card in plain text with columns, at most COLUMNS wide, in the same order; links are left out."""
    diff = "\n".join(part for line in as_diff(card.diff).rstrip().split("\n") for part in _cut(line))
    telling, silent = _by_evidence(card)
    parts = ["\n".join(_folded(one_line(card.heading), COLUMNS)), *([diff] if _is_short(card) else [])]
    parts.extend("\n".join(_folded(one_line(note), COLUMNS)) for note in card.notes)
    if telling:
        parts.append(_columns([(line.sign, line.verifier, line.seconds, line.evidence) for line in telling], right=2))
    if silent:
        parts.append("\n".join(_folded(silent, COLUMNS)))
    parts.extend("\n".join(_folded(one_line(aside), COLUMNS)) for aside in card.asides)
    if card.facts:
        parts.append(_columns(card.facts))
    return "\n\n".join([*parts, *([diff] if card.diff and not _is_short(card) else [])])


def _by_evidence(card: Card) -> tuple[Sequence[VerifierLine], str]:
    """Return the verifiers that need a line of their own, and one line with the others, which passed."""
    names = ", ".join(line.short for line in card.lines if line.short)
    return [line for line in card.lines if not line.short], f"{SIGNS[Ruling.PASSED]} {names}" if names else ""


def _is_short(card: Card) -> bool:
    """True if the diff leaves room for the rest of the card."""
    return bool(card.diff) and card.diff.count("\n") <= _SHORT_DIFF


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
