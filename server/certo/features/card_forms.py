"""The forms a score card is written in: Markdown, and plain text for a font in which all letters are equally wide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from certo.features.card import Card

COLUMNS = 80
"""How wide a card is at most in plain text."""

_GAP = 2
"""How far the columns of a table in plain text are apart."""

_CONTINUED = "↪ "
"""What begins a line that goes on with the one above it, where no space is to fold it at."""

_CODE = re.compile(r"((?<!`)`[^`]+`(?!`))")
"""Code between backticks."""

_MARKUP = re.compile(
    r"""
    `
    | \\ (?= [!-/:-@\[-`{-~] )               # a backslash takes away the meaning of what follows
    | \* (?= \S ) | (?<= \S ) \*             # emphasis needs a neighbour
    | (?<! [^\W_] ) _ | _ (?! [^\W_] )       # and an underscore one that is no letter
    | < (?= [A-Za-z/!?] )                    # HTML
    | & (?= [A-Za-z#] )                      # an entity
    | \[ | \] (?= \( )                       # a link
    | ~ (?= ~ )
    | ^ (?: [-+>] | \# (?= [\s\#] ) | = )
    | (?<= ^ \d ) [.)]
    """,
    re.VERBOSE,
)
"""What Markdown would take for markup in a line of words."""


def markdown(card: Card) -> str:
    """The card in Markdown."""
    parts = [f"**{_escaped(card.heading)}**"]
    if card.lines:
        rows = [f"| {line.sign} | {line.verifier} | {_cell(line.evidence)} | {line.seconds} |" for line in card.lines]
        parts.append("\n".join(["| | check | evidence | time |", "|:-:|:--|:--|--:|", *rows]))
    if card.links:
        parts.append(" · ".join(f"[{_escaped(link.label)}]({link.uri})" for link in card.links))
    if card.facts:
        parts.append("  \n".join(f"*{word}:* {_escaped(said)}" for word, said in card.facts))
    parts.extend(_escaped(note) for note in card.notes)
    if card.diff:
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", card.diff)), default=0))
        parts.append(f"{fence}diff\n{card.diff.rstrip()}\n{fence}")
    return "\n\n".join(parts)


def plain(card: Card) -> str:
    """The card in plain text, in columns, and no wider than COLUMNS; links have no form there."""
    parts = ["\n".join(_folded(card.heading, COLUMNS))]
    if card.lines:
        parts.append(
            _columns([(line.sign, line.verifier, line.seconds, line.evidence) for line in card.lines], right=2)
        )
    if card.facts:
        parts.append(_columns(card.facts))
    parts.extend("\n".join(_folded(note, COLUMNS)) for note in card.notes)
    if card.diff:
        parts.append("\n".join(part for line in card.diff.rstrip().split("\n") for part in _cut(line)))
    return "\n\n".join(parts)


def _columns(rows: Sequence[Sequence[str]], right: int | None = None) -> str:
    """Rows with their columns under each other, the last of them folded; the column `right` is set to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    room = COLUMNS - sum(widths) - _GAP * len(widths)
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
    """Words in lines of at most that width; what has no space to fold it at is broken."""
    return textwrap.wrap(words, width, break_on_hyphens=False) or [""]


def _cut(line: str) -> Iterator[str]:
    """A line of code in pieces that are not too wide; nothing of it is left out, for it is there to be judged."""
    yield line[:COLUMNS]
    step = COLUMNS - len(_CONTINUED)
    for at in range(COLUMNS, len(line), step):
        yield _CONTINUED + line[at : at + step]


def _cell(words: str) -> str:
    """Words for a cell of a table."""
    return _escaped(words).replace("|", "\\|")


def _escaped(words: str) -> str:
    """Words on one line, in which Markdown finds nothing but code between backticks.

    Only what would be read as something else gets a backslash: some editors show Markdown as it is written.
    """
    parts = _CODE.split(" ".join(words.split()))
    return "".join(part if place % 2 else _MARKUP.sub(r"\\\g<0>", part) for place, part in enumerate(parts))
