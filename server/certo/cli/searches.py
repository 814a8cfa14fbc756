"""`certo searches`: list, resume and delete the searches made on this machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path

from rich.table import Table
from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.checkout import check_out, forget_experiments, say
from certo.cli.exit_codes import SOLVED
from certo.cli.request_arguments import read_dollars, read_seconds
from certo.cli.runs.search_run import concluded, progress_view
from certo.cli.view.json_lines import JsonLines, write_line
from certo.cli.view.saved_search import show_card, show_tree, standing, when, write_page
from certo.cli.view.terminal import answer_console, progress_console
from certo.cli.watch import watch_begun
from certo.edits.source import read_source
from certo.presentation.phrases import counts
from certo.sessions.live import LiveSearch
from certo.sessions.resume import resume_search
from certo.sessions.searches import Searches
from certo.storage.archive import Archive, is_running
from certo.storage.location import journal_folder
from certo.storage.search_record import StoredSearch
from certo.vocabulary.display import amount, one_line, visible
from certo.vocabulary.errors import BadRequest, BadSetting, NotResumable, SearchNotFound

_SETTINGS = {"timeout": "search.seconds", "dollars": "search.dollars"}


async def resume(archive: Archive, arguments: argparse.Namespace) -> int:
    """Resume a search, show it, and apply its winner on request; return the exit code.

    Raises:
        SearchNotFound: There is no such search.
        NotResumable: It cannot be resumed, for the reason given.
        BadRequest: Its target is gone, or its winner cannot be applied.
        BrokenWorld: The journal cannot be read, or the search cannot run here.
    """
    keep_log()
    kept = _chosen(archive, arguments.search)
    flags = {setting: getattr(arguments, name) for name, setting in _SETTINGS.items()}
    given = {setting: value for setting, value in flags.items() if value is not None}
    answer, progress = answer_console(), progress_console()
    if _has_changed(kept):
        sentence = f"{kept.asked.document} has changed since; the search continues with the text it started from"
        progress.print(Text(visible(sentence), "open"), soft_wrap=True)

    async def begin(searches: Searches) -> LiveSearch:
        return await resume_search(searches, kept, given)

    view = JsonLines(sys.stdout) if arguments.json else progress_view(progress)
    watched = await watch_begun(begin, view, journals=archive.folder)
    return await concluded(watched, arguments, answer, progress, apply_it="")


def _chosen(archive: Archive, search: str | None) -> StoredSearch:
    """Return the search with this id; without an id the newest, if its process died during it."""
    if search is not None:
        found = archive.find(search)
        if found is None:
            raise SearchNotFound(f"no search {search!r} is stored; `certo searches list` shows all")
        return found[0]
    for kept in archive.searches():
        if not kept.outcome and not is_running(kept):
            return kept
    raise NotResumable("no search was interrupted; name one, as `certo searches list` does")


def _has_changed(kept: StoredSearch) -> bool:
    """True if the file of a search differs from the text it began with."""
    try:
        return read_source(Path(kept.asked.document)) != kept.asked.text
    except BadRequest:
        return True


_EXAMPLES = """\
examples:
  certo searches list                 every stored search, the newest first
  certo searches show                 the newest search: its request, its candidates and its winner
  certo searches show 5f0c2a9e        the same for another search
  certo searches show 5f0c2a9e --json
                                      its events, one per line, as they were sent
  certo searches show 5f0c2a9e --tree
                                      which candidate or idea led to which, with wins and visits
  certo searches show 5f0c2a9e --html report.html
                                      all of it on one page that needs no network and runs no script
  certo searches show 5f0c2a9e --prompts
                                      the questions to language models and their answers, if journal.prompts
                                      keeps them: one line of JSON each, which search.replay reads
  certo searches checkout             check out the best candidate of the newest search in this project
  certo searches checkout 5f0c2a9e --candidate 3 --branch faster
                                      another candidate, on a branch with another name
  certo searches resume 5f0c2a9e      continue it after it was killed or stopped, or after its budget was spent;
                                      nothing is paid for twice
  certo searches forget 5f0c2a9e      delete it, with all that was learned in it (see certo memory forget)
  certo searches forget --all         delete every search that has ended

A search is kept for journal.days (30); journal.enabled = false keeps none. experiments.keep says which candidates are
kept for checkout: those that passed, all, or none.

checkout commits the candidate's changes, and nothing else, on top of your current commit. It makes the branch
certo/SEARCH/NUMBER for that commit and updates the changed files. Your other changes stay as they are, staged or not.
Your own changes in the same files, from before the search, stay too if they can be separated from the candidate's.
checkout refuses, and changes nothing, if one of these files has changed since, is staged in another version, or is in
the way; during a merge or a rebase; and if the branch exists already. Without git it only writes the files.
"""

_STYLES = {"accepted": "good", "solved": "good", "running": "open", "interrupted": "open", "unverified": "open"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=("list", "show", "resume", "checkout", "forget"),
        help="list searches (default), show or resume one, check out one of its candidates, or delete searches",
    )
    parser.add_argument(
        "search",
        nargs="?",
        metavar="ID",
        help="id of a search; with show, default: the newest one, of this project if it has any",
    )
    parser.add_argument(
        "--all", action="store_true", help="with forget: every search that has ended, and unusable journals"
    )
    parser.add_argument("--tree", action="store_true", help="with show: its candidates and ideas as a tree")
    parser.add_argument("--html", metavar="FILE", help="with show: write it as one page of HTML (- prints it)")
    parser.add_argument(
        "--prompts", action="store_true", help="with show: the questions to language models, as JSON lines"
    )
    parser.add_argument(
        "--candidate", metavar="ID", help="with checkout: a candidate's id or number (default: the best)"
    )
    parser.add_argument("--branch", metavar="NAME", help="with checkout: name of the branch")
    parser.add_argument("--apply", action="store_true", help="with resume: write a verified winner to the file")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=read_seconds, help="with resume: upper limit for its time in all"
    )
    parser.add_argument(
        "--dollars", metavar="N", type=read_dollars, help="with resume: upper limit for its price in all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int | Awaitable[int]:
    """List, show, resume, check out or delete; return the exit code, or an awaitable of it.

    Raises:
        BadRequest: There is no such search, or it cannot be deleted or checked out now.
        BrokenWorld: A journal cannot be read.
    """
    archive = Archive(journal_folder(os.environ), say)
    if arguments.what == "list":
        _list(archive, as_json=arguments.json)
    elif arguments.what == "show":
        _show(archive, arguments)
    elif arguments.what == "checkout":
        return check_out(archive, arguments)
    elif arguments.what == "resume":
        return resume(archive, arguments)
    else:
        return _forget(archive, arguments)
    return SOLVED


def _newest(archive: Archive) -> str:
    """Return the id of the newest search of the current project, or else of all."""
    here, searches = Path.cwd(), archive.searches()
    if not searches:
        raise SearchNotFound("no search is stored; `certo generate` starts one")
    return next((kept.id for kept in searches if here.is_relative_to(kept.root)), searches[0].id)


def _list(archive: Archive, *, as_json: bool) -> None:
    searches = archive.searches()
    if as_json:
        for kept in searches:
            write_line(sys.stdout, _as_json(kept))
        return
    console = answer_console()
    if not searches:
        console.print(Text("No search is stored.", "quiet"))
    # The newest project comes first, as its newest search does.
    for root in dict.fromkeys(kept.root for kept in searches):
        console.print(Text(one_line(root), "place"), soft_wrap=True)
        console.print(_table(tuple(kept for kept in searches if kept.root == root)))


def _table(searches: tuple[StoredSearch, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="quiet")
    table.add_column("id", no_wrap=True)
    table.add_column("started", no_wrap=True)
    table.add_column("target", overflow="fold")
    table.add_column("state", no_wrap=True)
    for kept in searches:
        word = standing(kept)
        where = one_line(f"{kept.asked.path}::{kept.asked.qualname}")
        table.add_row(kept.id, when(kept), Text(where), Text(word, _STYLES.get(word, "quiet")))
    return table


def _show(archive: Archive, arguments: argparse.Namespace) -> None:
    search = arguments.search if arguments.search is not None else _newest(archive)
    found = archive.find(search)
    if found is None:
        raise SearchNotFound(f"no search {search!r} is stored; `certo searches list` shows all")
    kept, lines = found
    if arguments.html is not None:
        write_page(kept, lines, arguments.html)
    elif arguments.tree:
        show_tree(lines, as_json=arguments.json)
    elif arguments.json or arguments.prompts:
        sys.stdout.writelines(f"{line}\n" for line in (archive.exchanges(search) if arguments.prompts else lines))
    else:
        show_card(kept, lines)


async def _forget(archive: Archive, arguments: argparse.Namespace) -> int:
    if arguments.all:
        if arguments.search is not None:
            raise BadSetting("`certo searches forget` takes an ID or --all, not both")
        chosen = tuple(kept for kept in archive.searches() if not is_running(kept))
    else:
        if arguments.search is None:
            raise BadSetting("`certo searches forget` needs an ID, or --all; `certo searches list` has the IDs")
        found = archive.find(arguments.search)
        if found is None:
            raise SearchNotFound(f"no search {arguments.search!r} is stored; `certo searches list` shows all")
        if is_running(found[0]):
            raise BadRequest(f"search {arguments.search} is running; stop it first")
        chosen = (found[0],)
    await forget_experiments(archive, chosen)
    gone = archive.forget(*(kept.id for kept in chosen))
    if arguments.all and (damaged := archive.forget_set_aside()):
        say(f"{amount(damaged, 'journal')} that had been set aside deleted too")
    if arguments.json:
        for kept in chosen:
            write_line(sys.stdout, _as_json(kept))
    else:
        what = f", with {counts(gone)}" if chosen and gone else ""
        sys.stdout.write(f"deleted {amount(len(chosen), 'search')}{what}\n")
    return SOLVED


def _as_json(kept: StoredSearch) -> dict[str, object]:
    return {
        "type": "search",
        "id": kept.id,
        "root": kept.root,
        "path": kept.asked.path,
        "qualname": kept.asked.qualname,
        "instruction": kept.asked.instruction,
        "began": datetime.fromtimestamp(kept.began, UTC).isoformat(timespec="milliseconds"),
        "standing": standing(kept),
    }
