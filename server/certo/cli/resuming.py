"""`certo searches resume`: go on with a search that was killed, was cancelled, or had spent its budget."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.text import Text

from certo.cli.bugs import keep_log
from certo.cli.generate import concluded, progress_view
from certo.cli.json_lines import JsonLines
from certo.cli.terminal import answer_console, progress_console
from certo.cli.watching import watch_begun
from certo.edits.source import read_source
from certo.sessions.live import LiveSearch
from certo.sessions.resuming import take_up
from certo.sessions.searches import Searches
from certo.storage.archive import Archive, is_running
from certo.storage.asked import Kept
from certo.vocabulary.errors import BadRequest, NotResumable, SearchNotFound
from certo.vocabulary.visible import visible

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
        return await take_up(searches, kept, given)

    view = JsonLines(sys.stdout) if arguments.json else progress_view(progress)
    watched = await watch_begun(begin, view, journals=archive.folder)
    return await concluded(watched, arguments, answer, progress, apply_it="")


def _chosen(archive: Archive, search: str | None) -> Kept:
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


def _has_changed(kept: Kept) -> bool:
    """Whether the file of a search is not the text any more that it began with."""
    try:
        return read_source(Path(kept.asked.document)) != kept.asked.text
    except BadRequest:
        return True
