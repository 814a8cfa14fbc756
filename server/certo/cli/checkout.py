"""`certo searches checkout`: check out a stored candidate of a search on a new branch."""

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
    """Check out a candidate and print the result; return the exit code.

    Raises:
        SearchNotFound: There is no such search, or none of this project with a stored candidate.
        CandidateNotFound: The search has no such candidate, or it was not stored.
        CheckoutRefused: Work of the user would be lost or is in the way.
        BrokenWorld: Stored data is unreadable.
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
    """Delete all experiments of these searches.

    Raises:
        BrokenWorld: Something cannot be removed.
    """
    for kept in searches:
        await experiments_of(archive, kept).forget(kept.id)


def experiments_of(archive: Archive, kept: StoredSearch) -> ExperimentsOf:
    """Return the experiments of a search's project."""
    root = Path(kept.root)
    return ExperimentsOf(root=root, folder=experiments_folder(archive.folder, root), environ=os.environ, say=say)


def say(sentence: str) -> None:
    """Print a note to the user on standard error."""
    sys.stderr.write(f"certo: {visible(sentence)}\n")


def _search(archive: Archive, wanted: str | None) -> tuple[StoredSearch, tuple[str, ...]]:
    """Return the wanted search, or the newest of the current project with stored candidates."""
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
    """Return the wanted candidate by its id or number, or else the best one."""
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
