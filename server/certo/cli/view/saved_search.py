"""Display of a stored search as a card, a tree or a page."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

from rich.console import Console

from certo.cli.view.card import show_facts, show_nothing, show_winner
from certo.cli.view.json_lines import write_line
from certo.cli.view.table import candidates, header
from certo.cli.view.terminal import answer_console
from certo.cli.view.tree import draw, nodes
from certo.presentation.report.page import Headline, page
from certo.presentation.search_history import board_of, kept_course
from certo.search.board import SearchState
from certo.storage.archive import is_running
from certo.storage.search_record import StoredSearch
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest


def standing(kept: StoredSearch) -> str:
    """Return the state of a search in one word, or else its outcome."""
    if kept.standing in ("accepted", "dismissed"):
        return kept.standing
    return kept.outcome or ("running" if is_running(kept) else "interrupted")


def when(kept: StoredSearch) -> str:
    """Return the begin of a search in local time."""
    return datetime.fromtimestamp(kept.began).astimezone().strftime("%Y-%m-%d %H:%M")


def show_tree(lines: tuple[str, ...], *, as_json: bool) -> None:
    """Print the tree of a search, or a line of JSON per node.

    Raises:
        BadRequest: This version cannot read its events.
    """
    retracing = kept_course(lines).retracing
    if not as_json:
        draw(retracing, answer_console())
        return
    for node in nodes(retracing):
        write_line(sys.stdout, node)


def write_page(kept: StoredSearch, lines: tuple[str, ...], file: str) -> None:
    """Write a search as one page of HTML; the file "-" is standard output.

    Raises:
        BadRequest: The file cannot be written, or this version cannot read the events.
    """
    asked = Headline(
        search=kept.id,
        standing=standing(kept),
        began=when(kept),
        project=kept.root,
        instruction=kept.asked.instruction,
    )
    written = page(kept_course(lines), asked)
    if file == "-":
        sys.stdout.write(written)
        return
    try:
        Path(file).write_text(written, encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"{file} cannot be written: {error.strerror or error}; name another file") from error
    sys.stderr.write(f"wrote {visible(file)}\n")


def show_card(kept: StoredSearch, lines: tuple[str, ...]) -> None:
    """Print a search's request, its tries, and its final candidate.

    Raises:
        BadRequest: This version cannot read its events.
    """
    console = answer_console()
    show_facts(
        {
            "search": f"{kept.id}, {standing(kept)}",
            "began": when(kept),
            "project": kept.root,
            "target": f"{kept.asked.path}::{kept.asked.qualname}",
            "asked": kept.asked.instruction,
        },
        console,
    )
    _show_board(board_of(lines), console)


def _show_board(board: SearchState, console: Console) -> None:
    if board.started is not None:
        console.print()
        console.print(header(board.started, console), soft_wrap=True)
    if board.rows:
        console.print()
        console.print(candidates(board, console, rows=len(board.rows)))
    if board.stopped is None:
        return
    console.print()
    if board.stopped.winner is not None:
        show_winner(board, board.stopped.winner, console, next_step="", unfolded=True)
    else:
        show_nothing(board, board.stopped, console)
