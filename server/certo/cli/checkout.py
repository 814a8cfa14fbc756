"""`certo searches checkout`: bring a candidate that a search has kept into the project, on a branch of its own."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from certo.cli.exit_codes import SOLVED
from certo.cli.view.json_lines import write_line
from certo.cli.view.terminal import answer_console
from certo.presentation.search_history import board_of
from certo.project.candidate_store.backends import ExperimentsOf
from certo.project.candidate_store.store import CheckedOut, branch_name
from certo.search.board import CandidateState, SearchState
from certo.storage.archive import Archive
from certo.storage.location import experiments_folder
from certo.storage.search_record import StoredSearch
from certo.vocabulary.display import visible
from certo.vocabulary.errors import CandidateNotFound, SearchNotFound


async def check_out(archive: Archive, arguments: argparse.Namespace) -> int:
    """Check a candidate out and say what was done; returns the exit code.

    Raises:
        SearchNotFound: there is no such search, or none about this project of which a candidate was kept.
        CandidateNotFound: the search has no such candidate, or it was not kept.
        CheckoutRefused: something of the user's would be lost, or is in the way.
        BrokenWorld: what is kept cannot be read.
    """
    kept, lines = _search(archive, arguments.search)
    row = _row(kept, board_of(lines), arguments.candidate)
    experiments = await experiments_of(archive, kept).of(kept.id)
    done = await experiments.check_out(row.number, arguments.branch or branch_name(kept.id, row.number))
    archive.accept(kept.id)
    if arguments.json:
        write_line(sys.stdout, _as_json(kept, row, done))
    else:
        _show(kept, row, done, answer_console())
    return SOLVED


async def forget_experiments(archive: Archive, searches: tuple[StoredSearch, ...]) -> None:
    """Leave nothing of what these searches have kept as experiments.

    Raises:
        BrokenWorld: something of it cannot be removed.
    """
    for kept in searches:
        await experiments_of(archive, kept).forget(kept.id)


def experiments_of(archive: Archive, kept: StoredSearch) -> ExperimentsOf:
    """The experiments about a search's project."""
    root = Path(kept.root)
    return ExperimentsOf(root=root, folder=experiments_folder(archive.folder, root), environ=os.environ, say=say)


def say(sentence: str) -> None:
    """Say beside the answer what a user should know."""
    sys.stderr.write(f"certo: {visible(sentence)}\n")


def _search(archive: Archive, wanted: str | None) -> tuple[StoredSearch, tuple[str, ...]]:
    """The search that is wanted, or the newest about the project around here of which candidates were kept."""
    found = archive.find(wanted if wanted is not None else _newest(archive))
    if found is None:
        raise SearchNotFound(f"no search {wanted!r} is stored; `certo searches list` shows all")
    return found


def _newest(archive: Archive) -> str:
    here = Path.cwd()
    for kept in archive.searches():
        if here.is_relative_to(kept.root) and kept.id in experiments_of(archive, kept).searches():
            return kept.id
    raise SearchNotFound(
        f"no search about a project around {here} has kept a candidate; `certo searches list` shows all searches, and "
        "experiments.keep says which candidates are kept"
    )


def _row(kept: StoredSearch, board: SearchState, wanted: str | None) -> CandidateState:
    """The candidate that is wanted, by its id or its number, or else the best one."""
    if wanted is None:
        if board.best_row is None:
            raise CandidateNotFound(f"no candidate of search {kept.id} has passed; name one with --candidate")
        return board.best_row
    for row in board.rows.values():
        if wanted.removeprefix("#") in (row.candidate_id, str(row.number)):
            return row
    raise CandidateNotFound(f"search {kept.id} has no candidate {wanted!r}; `certo searches show {kept.id}` has them")


def _show(kept: StoredSearch, row: CandidateState, done: CheckedOut, console: Console) -> None:
    files = ", ".join(map(visible, done.paths)) or "no file had to be written"
    what = f"candidate #{row.number} of search {kept.id}"
    if done.branch is None:
        console.print(Text(f"{what} is in the project: {files}", "good"), soft_wrap=True)
        return
    console.print(Text(f"{what} is on the branch {done.branch}, which you are on now: {files}", "good"), soft_wrap=True)
    if done.mixed:
        named = ", ".join(map(visible, done.mixed))
        own = f"Its commit has your own uncommitted changes of {named} too, which are in the same lines"
        console.print(Text(own, "open"), soft_wrap=True)
    if done.back:
        console.print(Text(f"`{visible(done.back)}` leads back.", "quiet"), soft_wrap=True)


def _as_json(kept: StoredSearch, row: CandidateState, done: CheckedOut) -> dict[str, object]:
    return {
        "type": "checkout",
        "search": kept.id,
        "candidate": row.candidate_id,
        "number": row.number,
        "branch": done.branch,
        "back": done.back,
        "paths": list(done.paths),
        "mixed": list(done.mixed),
    }
