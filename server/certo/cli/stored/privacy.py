"""`certo privacy`: what certo keeps on this machine, what leaves it, and one command that deletes everything."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from certo.cli.exit_codes import SOLVED
from certo.cli.view.terminal import answer_console
from certo.llm.models import ModelChoice
from certo.llm.providers import PROVIDERS
from certo.project.root import find_root
from certo.sessions.assembly.models import choice_of
from certo.settings.loader import load_settings
from certo.storage.archive import Archive, is_running
from certo.storage.database import newer_database
from certo.storage.location import journal_folder
from certo.storage.stored_files import StoredKind, delete_stored, stored_kinds
from certo.vocabulary.display import amount, visible
from certo.vocabulary.errors import BadRequest

_EXAMPLES = """\
examples:
  certo privacy                what is kept where, and which language model this project would ask
  certo privacy --delete-all   delete all of it, for every project; asks first
"""

_CONTENTS = "the function, code around it, its tests and what you wrote"

_UNITS = ("bytes", "kB", "MB", "GB")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(),
        metavar="DIRECTORY",
        help="a directory of the project whose settings say which model is asked (default: the current one)",
    )
    parser.add_argument(
        "--delete-all", action="store_true", help="delete everything that certo keeps, for all projects"
    )
    parser.add_argument("--yes", action="store_true", help="with --delete-all: do not ask")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of text")
    parser.epilog = _EXAMPLES


def main(arguments: argparse.Namespace) -> int:
    """Show what is kept and what leaves the machine, or delete what is kept; return the exit code.

    Raises:
        BadRequest: A search is running, nobody can be asked, or there is no such directory.
    """
    kinds = stored_kinds(os.environ)
    if arguments.delete_all:
        return _delete(kinds, sure=arguments.yes)
    recipients = _recipients(arguments.root)
    if arguments.json:
        kept = [{**asdict(kind), "place": str(kind.place)} for kind in kinds]
        sys.stdout.write(json.dumps({"kept": kept, "sentTo": recipients}, indent=2) + "\n")
    else:
        _render(kinds, recipients, answer_console())
    return SOLVED


def _delete(kinds: tuple[StoredKind, ...], *, sure: bool) -> int:
    folder = journal_folder(os.environ)
    # This version cannot tell if a search runs there.
    for file in sorted(folder.glob("*.sqlite")):
        if (newer := newer_database(file)) is not None:
            raise BadRequest(f"the journal {visible(str(file))}: {newer}; delete with that version, or remove {folder}")
    running = [kept.id for kept in Archive(folder, lambda _: None).searches() if is_running(kept)]
    if running:
        raise BadRequest(f"{amount(len(running), 'search')} running ({', '.join(running)}); stop them first")
    files, size = sum(kind.files for kind in kinds), sum(kind.size for kind in kinds)
    said = f"{amount(files, 'file')}, {in_words(size)}"
    if files and not sure:
        if not sys.stdin.isatty():
            raise BadRequest(f"this would delete {said}, and nobody can be asked here; add --yes")
        sys.stdout.write(f"Delete everything that certo keeps for all projects ({said})? [y/N] ")
        sys.stdout.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            sys.stdout.write("Nothing was deleted.\n")
            return SOLVED
    delete_stored(os.environ)
    sys.stdout.write(f"deleted {said}\n" if files else "certo keeps nothing here\n")
    return SOLVED


def _recipients(path: Path) -> list[str]:
    """Return each place that the settings let certo send something to, with what it is sent; none is asked anything."""
    if not path.is_dir():
        raise BadRequest(f"--root names {str(path)!r}, which is no directory; name one of the project")
    settings = load_settings(find_root(path.absolute() / "any.py"), client=None, environ=os.environ, flags=None)
    choice, executor = choice_of(settings), settings.executor
    named = [
        *([""] if settings.model.name else []),
        *settings.models,
        *settings.generation.models,
        *(criterion.model for criterion in settings.criteria.values() if criterion.model and criterion.kind != "off"),
        *([settings.memory.model] if settings.memory.model else []),
    ]
    told = [f"{_recipient(choice, name)}: {_CONTENTS}, when a search or a check asks it" for name in named]
    if executor.cluster is not None:
        told.append(f"the scheduler at {executor.cluster} and its workers: your project's files, for each run")
    if executor.plugin:
        told.append(
            f"the plug-in {executor.plugin}: your project's files, for each run; what it sends on, it knows alone"
        )
    return list(dict.fromkeys(told))


def _recipient(choice: ModelChoice, name: str) -> str:
    chosen = choice.choose(name)
    if chosen.name.provider == "editor":
        return f"{chosen.shown}, by the editor"
    provider = PROVIDERS.get(chosen.name.provider)
    address = chosen.options.base_url or (provider.base_url if provider is not None else "")
    return f"{chosen.shown} at {address}" if address else f"{chosen.shown}, which is on this machine"


def _render(kinds: tuple[StoredKind, ...], recipients: list[str], console: Console) -> None:
    console.print(Text("Kept on this machine", style="head"))
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        much = f"{amount(kind.files, 'file')}, {in_words(kind.size)}; kept: {kind.kept_for}" if kind.files else "none"
        console.print(Text(f"  {kind.name:<{width}}  {much}"), soft_wrap=True)
        console.print(Text(f"    {visible(str(kind.place))}", style="quiet"), soft_wrap=True)
    console.print()
    console.print(Text("Sent to others", style="head"))
    nothing = "nothing: the settings name no language model and no other machine, so certo opens no connection"
    never = "no usage data, no error reports, no search for updates, with or without a model"
    for line in (*(recipients or [nothing]), never):
        console.print(Text(f"  {visible(line)}"), soft_wrap=True)
    console.print()
    console.print("certo privacy --delete-all   deletes everything that is kept", style="quiet")


def in_words(size: float) -> str:
    """Return a size of so many bytes, in the largest unit in which it is at least 1."""
    place = 0
    while size >= 1000 and place + 1 < len(_UNITS):
        size, place = size / 1000, place + 1
    return f"{size:.3g} {_UNITS[place]}"
