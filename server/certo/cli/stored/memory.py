"""`certo memory`: show and delete knowledge about a project from its files and earlier searches."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from certo.cli.exit_codes import SOLVED
from certo.cli.view.json_lines import write_line
from certo.knowledge.past_attempts import recent, similar, top
from certo.knowledge.project_index import ProjectIndex
from certo.knowledge.repo_memory import BRIEF_CHARACTERS, RepoMemory
from certo.presentation.phrases import counts
from certo.project.root import find_root
from certo.sandbox.placement import place_executor
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.storage.database import UnusableDatabase, is_corrupt, open_database
from certo.storage.journal import Journal
from certo.storage.location import journal_file, journal_folder
from certo.vocabulary.display import amount, visible
from certo.vocabulary.errors import BadSetting, BrokenWorld
from certo.vocabulary.knowledge import SECTIONS, PastAttempt

_EXAMPLES = """\
examples:
  certo memory show                        a summary, as language models get it
  certo memory show --section gotchas      all of one section, with the evidence
  certo memory tries                       the newest candidates of all searches, with their results
  certo memory tries --by cost             the best ones; --by score where something scores them
  certo memory tries --like "KeyError in total"
                                           the candidates that are most similar to some words
  certo memory forget                      delete what a later search would use: lessons, the map, the test map,
                                           candidates, cached verdicts, cached answers of models. The searches stay,
                                           with your feedback on their candidates (`certo searches forget`)

A claim is shown until its search is deleted, or until the text it quotes is gone from its file.
"""

_SECONDS = 600.0
"""Maximum time for reading files; long, because the user waits and can interrupt."""

_TRIES = 20
"""Maximum number of tries shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "what",
        choices=("show", "tries", "forget"),
        help="show what is known, show earlier candidates, or delete all of it",
    )
    parser.add_argument("--section", choices=tuple(SECTIONS), metavar="NAME", help=f"one of {', '.join(SECTIONS)}")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--by", choices=("cost", "score", "time"), default="time", help="with tries: the order, best or newest first"
    )
    which.add_argument("--like", metavar="WORDS", help="with tries: the candidates most similar to these words")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(),
        metavar="DIRECTORY",
        help="a directory of the project (default: the current one)",
    )
    parser.add_argument("--json", action="store_true", help="print claims or candidates as one JSON object per line")
    parser.epilog = _EXAMPLES


async def main(arguments: argparse.Namespace) -> int:
    """Show or delete knowledge; return the exit code.

    Raises:
        BadRequest: A setting is invalid.
        BrokenWorld: The journal cannot be used, or files cannot be read here.
    """
    # A project is found by a document in it, whether there is one or not.
    root = find_root(arguments.root.absolute() / "a document")
    settings = load_settings(root, client=None, environ=os.environ, flags=None)
    if not settings.journal.enabled:
        raise BadSetting("journal.enabled is false, so certo keeps nothing about this project; set it to true")
    file = journal_file(journal_folder(os.environ), root.resolve())
    try:
        with closing(Journal(open_database(file, root.resolve()))) as journal:
            if arguments.what == "forget":
                _forget(journal)
            elif arguments.what == "tries":
                _show_tries(await _chosen(journal.learned.tries(), arguments), as_json=arguments.json)
            else:
                _show(await _known(root, settings, journal), arguments)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and is_corrupt(error):
            raise BrokenWorld(_useless(file, UnusableDatabase(f"it is damaged ({error})"))) from error
        raise BrokenWorld(f"the journal {file} cannot be used: {error}; try again") from error
    except UnusableDatabase as error:
        raise BrokenWorld(_useless(file, error)) from error
    return SOLVED


def _useless(file: Path, why: UnusableDatabase) -> str:
    """Return the message about an unusable journal, which waiting does not help."""
    return f"the journal {file} cannot be used: {why}; {why.then}"


async def _known(root: Path, settings: Settings, journal: Journal) -> RepoMemory:
    """Return the knowledge about a project after reading its changed files."""
    executor = await place_executor(settings.sandbox, settings.executor)
    survey = ProjectIndex(root=root, journal=journal, executor=executor, environ=os.environ, written=journal.commit)
    if not await survey.look(seconds=_SECONDS):
        sys.stderr.write("certo: not every file could be read; what is missing is read by the next search\n")
    return await survey.memory()


def _show(memory: RepoMemory, arguments: argparse.Namespace) -> None:
    if arguments.json:
        for claim in memory.claims:
            if arguments.section in (None, claim.section):
                write_line(sys.stdout, {"type": "claim", **asdict(claim)})
        return
    if arguments.section is None:
        text = memory.summary(BRIEF_CHARACTERS)
    else:
        text = "\n".join(memory.section(arguments.section)) or f"Nothing is known of {SECTIONS[arguments.section]}."
    sys.stdout.write("".join(f"{visible(line)}\n" for line in text.splitlines()))


async def _chosen(tries: tuple[PastAttempt, ...], arguments: argparse.Namespace) -> tuple[PastAttempt, ...]:
    if arguments.like is not None:
        return await similar(tries, arguments.like, _TRIES)
    return recent(tries, _TRIES) if arguments.by == "time" else top(tries, _TRIES, by=arguments.by)


def _show_tries(tries: Iterable[PastAttempt], *, as_json: bool) -> None:
    for each in tries:
        if as_json:
            write_line(sys.stdout, {"type": "try", **asdict(each)})
            continue
        cost = "" if each.cost is None else f", at a cost of {each.cost:g}"
        score = "" if each.score is None else f", with a score of {each.score.value:g} {each.score.unit}"
        said = f"{each.search} #{each.number}  {each.path}::{each.qualname}  {each.came_of_it}{cost}{score}"
        sys.stdout.write(f"{visible(said)}\n")


def _forget(journal: Journal) -> None:
    held, kept = counts(journal.holdings()), len(journal.searches())
    journal.unlearn()
    stay = f"; {amount(kept, 'search')} kept (`certo searches forget --all`)" if kept else ""
    sys.stdout.write(f"deleted the map, {held}{stay}\n")
