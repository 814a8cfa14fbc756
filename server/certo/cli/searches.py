"""`certo searches`: what became of the searches made on this machine, going on with them, and forgetting them."""

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
from certo.cli.generate import concluded, progress_view
from certo.cli.request_arguments import read_dollars, read_seconds
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
    """Go on with a search, show it, and apply its winner when asked to; returns the exit code.

    Raises:
        SearchNotFound: there is no such search.
        NotResumable: it cannot go on; the sentence says why.
        BadRequest: it cannot be aimed any more, or its winner not be applied.
        BrokenWorld: the journal cannot be read, or the search not run here.
    """
    keep_log()
    kept = _chosen(archive, arguments.search)
    flags = {setting: getattr(arguments, name) for name, setting in _SETTINGS.items()}
    given = {setting: value for setting, value in flags.items() if value is not None}
    answer, progress = answer_console(), progress_console()
    if _has_changed(kept):
        sentence = f"{kept.asked.document} has changed since; the search goes on over the text it began with"
        progress.print(Text(visible(sentence), "open"), soft_wrap=True)

    async def begin(searches: Searches) -> LiveSearch:
        return await resume_search(searches, kept, given)

    view = JsonLines(sys.stdout) if arguments.json else progress_view(progress)
    watched = await watch_begun(begin, view, journals=archive.folder)
    return await concluded(watched, arguments, answer, progress, apply_it="")


def _chosen(archive: Archive, search: str | None) -> StoredSearch:
    """The search that is meant: without an id the newest, if its process has died in the midst of it."""
    if search is not None:
        found = archive.find(search)
        if found is None:
            raise SearchNotFound(f"no search {search!r} is kept; `certo searches list` has those that are")
        return found[0]
    for kept in archive.searches():
        if not kept.outcome and not is_running(kept):
            return kept
    raise NotResumable("no search was interrupted; name one, as `certo searches list` does")


def _has_changed(kept: StoredSearch) -> bool:
    """Whether the file of a search is not the text any more that it began with."""
    try:
        return read_source(Path(kept.asked.document)) != kept.asked.text
    except BadRequest:
        return True


_EXAMPLES = """\
examples:
  certo searches list                 every search that is kept, the newest first
  certo searches show                 what the newest was asked, what it tried, and the candidate it ended with
  certo searches show 5f0c2a9e        the same of another one
  certo searches show 5f0c2a9e --json
                                      its events, a line each, as they were told
  certo searches show 5f0c2a9e --tree
                                      which try or idea led to which, and how often it went well from there
  certo searches show 5f0c2a9e --html report.html
                                      all of it on one page, which needs no network and runs no script
  certo searches show 5f0c2a9e --prompts
                                      what language models were asked in it and answered, where journal.prompts
                                      has it kept: a line of JSON each, which search.replay reads
  certo searches checkout             bring the best candidate of the newest search about this project into it
  certo searches checkout 5f0c2a9e --candidate 3 --branch faster
                                      another one, on a branch of another name
  certo searches resume 5f0c2a9e      go on where it was when it was killed, cancelled, or its budget spent;
                                      nothing is paid for twice
  certo searches forget 5f0c2a9e      leave nothing of it, nor of what was learned in it (see certo memory forget)
  certo searches forget --all         leave nothing of any that has ended

A search is kept for journal.days (30); journal.enabled = false keeps none. Candidates are kept for checkout as
experiments.keep says: those that passed, all, or none.

checkout makes a commit of what the candidate changes, and of nothing else, on top of what you have checked out, with a
branch certo/SEARCH/NUMBER at it, and brings the files it changes to it. Your other changes stay what they are, staged
or not; so do your own changes of the same files that were there when the search began, as far as they can be told from
the candidate's. It is refused, and nothing is changed, where one of these files has changed since, is staged in yet
another version, or is in the way; in the midst of a merge or a rebase; and where there is such a branch already.
Without git the files are written, and that is all.
"""

_STYLES = {"accepted": "good", "solved": "good", "running": "open", "interrupted": "open", "unverified": "open"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=("list", "show", "resume", "checkout", "forget"),
        help="list all (the default), show one, go on with one, bring a candidate of one into the project, "
        "or leave nothing of some",
    )
    parser.add_argument(
        "search",
        nargs="?",
        metavar="ID",
        help="which search, as the list names it; with show the newest, about this project if there is one",
    )
    parser.add_argument(
        "--all", action="store_true", help="with forget: every search that has ended, and journals of no use"
    )
    parser.add_argument("--tree", action="store_true", help="with show: its tries and ideas as a tree")
    parser.add_argument(
        "--html", metavar="FILE", help="with show: write it as one page that explains itself (- prints it)"
    )
    parser.add_argument(
        "--prompts", action="store_true", help="with show: what language models were asked, as JSON lines"
    )
    parser.add_argument("--candidate", metavar="ID", help="with checkout: which one, by id or number; else the best")
    parser.add_argument("--branch", metavar="NAME", help="with checkout: what the branch is called")
    parser.add_argument("--apply", action="store_true", help="with resume: put a verified winner in the file")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=read_seconds, help="with resume: end it after so long in all"
    )
    parser.add_argument(
        "--dollars", metavar="N", type=read_dollars, help="with resume: let it cost so much at most in all"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line on standard output")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int | Awaitable[int]:
    """List, show, resume, check out or forget; returns the exit code, or what it can be awaited from.

    Raises:
        BadRequest: there is no such search, or it cannot be forgotten or checked out now.
        BrokenWorld: a journal cannot be read.
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
    """The newest search about the project around here, or else of all."""
    here, searches = Path.cwd(), archive.searches()
    if not searches:
        raise SearchNotFound("no search is kept; `certo generate` makes one")
    return next((kept.id for kept in searches if here.is_relative_to(kept.root)), searches[0].id)


def _list(archive: Archive, *, as_json: bool) -> None:
    searches = archive.searches()
    if as_json:
        for kept in searches:
            write_line(sys.stdout, _as_json(kept))
        return
    console = answer_console()
    if not searches:
        console.print(Text("No search is kept.", "quiet"))
    # The newest project comes first, as its newest search does.
    for root in dict.fromkeys(kept.root for kept in searches):
        console.print(Text(one_line(root), "place"), soft_wrap=True)
        console.print(_table(tuple(kept for kept in searches if kept.root == root)))


def _table(searches: tuple[StoredSearch, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="quiet")
    table.add_column("id", no_wrap=True)
    table.add_column("began", no_wrap=True)
    table.add_column("function", overflow="fold")
    table.add_column("", no_wrap=True)
    for kept in searches:
        word = standing(kept)
        where = one_line(f"{kept.asked.path}::{kept.asked.qualname}")
        table.add_row(kept.id, when(kept), Text(where), Text(word, _STYLES.get(word, "quiet")))
    return table


def _show(archive: Archive, arguments: argparse.Namespace) -> None:
    search = arguments.search if arguments.search is not None else _newest(archive)
    found = archive.find(search)
    if found is None:
        raise SearchNotFound(f"no search {search!r} is kept; `certo searches list` has those that are")
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
            raise SearchNotFound(f"no search {arguments.search!r} is kept; `certo searches list` has those that are")
        if is_running(found[0]):
            raise BadRequest(f"search {arguments.search} is running; end it first")
        chosen = (found[0],)
    await forget_experiments(archive, chosen)
    gone = archive.forget(*(kept.id for kept in chosen))
    if arguments.all and (damaged := archive.forget_set_aside()):
        say(f"{amount(damaged, 'journal')} that had been set aside went with them")
    if arguments.json:
        for kept in chosen:
            write_line(sys.stdout, _as_json(kept))
    else:
        what = f", with {counts(gone)}" if chosen and gone else ""
        sys.stdout.write(f"forgot {amount(len(chosen), 'search')}{what}\n")
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
