"""The run of `certo watch`: changes of files are looked at, and verified fixes are shown."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup
from rich.console import Console
from rich.text import Text

from certo.cli.bug_log import keep_log
from certo.cli.signals import ended_by_signals
from certo.cli.view.card import show_winner
from certo.cli.view.terminal import answer_console, progress_console
from certo.edits.source import read_source
from certo.presentation.edit_in_short import fix_in_short
from certo.project.file_watch import file_changes, python_files
from certo.project.interpreter import find_interpreter
from certo.project.root import find_root
from certo.sandbox.placement import place_executor
from certo.sessions.ambient.changes import LAST_FAILED
from certo.sessions.ambient.power import is_on_battery
from certo.sessions.ambient.repairs import FLAGS, AmbientRepairs, Symptom, criterion_in_force
from certo.sessions.assembly.parts import check_names
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.settings.loader import load_settings
from certo.storage.location import journal_folder
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.progress import Say, unheard
from certo.vocabulary.records import dataclass

MAX_FILES = 5
"""The number of files whose change at once is looked at: a change of many is a checkout, or a merge."""


async def run(arguments: argparse.Namespace) -> int:
    """Watch a project until a signal; return the exit code.

    Raises:
        BadRequest: There is no such folder, or no more, or the settings allow no repair in it.
        BrokenWorld: Nothing can be run here.
        BrokenPipeError: Nobody reads what is shown.
    """
    root = arguments.folder.expanduser().absolute()
    if not root.is_dir():
        raise BadRequest(f"{arguments.folder} is no folder; name the folder of a project, or none for this one")
    keep_log()
    answer, progress = answer_console(), progress_console()
    async with ended_by_signals() as ending, anyio.create_task_group() as group:
        searches = Searches(group, environ=os.environ, journals=journal_folder(os.environ))
        flags = {"ambient.enabled": True, "interpreter": arguments.interpreter}
        await require_usable(root, flags)
        terminal = _Terminal(root=root, flags=flags, answer=answer)
        repairs = AmbientRepairs(group=group, searches=searches, ask=terminal.request)
        carry_out(repairs, group, partial(terminal.show, repairs))
        group.start_soon(repairs.keep)

        def say(sentence: str) -> None:
            progress.print(Text(sentence, "quiet"), soft_wrap=True)

        await watch_project(root, repairs, lambda: say(_beginning(root)), say)
    return 0 if ending.signal in (None, signal.SIGINT) else 128 + ending.signal


async def require_usable(root: Path, flags: Mapping[str, object]) -> None:
    """Raise now what would keep every repair from being looked for, which is not said later.

    Raises:
        BadSetting: A setting is bad, or a criterion would ask a language model.
        BrokenWorld: There is no interpreter to run the tests with, or no way to confine it as the settings demand.
    """
    project = find_root(root / "any.py")
    settings = load_settings(project, client=None, environ=os.environ, flags={**flags, **FLAGS})
    if name := criterion_in_force(settings):
        raise BadSetting(
            f"the criterion {name!r} would ask a language model, which certo watch never does; set "
            f'criteria.{name}.kind to "off"'
        )
    check_names(settings)
    await find_interpreter(project, chosen=settings.interpreter, environ=os.environ)
    await place_executor(settings.sandbox, settings.executor)


def _beginning(root: Path) -> str:
    battery = "; this machine is on battery, and nothing runs until it is not" if is_on_battery() else ""
    return f"Watching {visible(str(root))}: save a file, or run pytest. Ctrl+C ends it{battery}."


def carry_out(repairs: AmbientRepairs, group: TaskGroup, show: Callable[[Path], Coroutine[Any, Any, None]]) -> None:
    """Have what changes shown by a task of its own, whose failure ends the group: that of a subscriber is contained."""

    def changed(document: Path) -> None:
        group.start_soon(show, document)

    repairs.changed = changed


async def watch_project(root: Path, repairs: AmbientRepairs, begun: Callable[[], None], say: Say = unheard) -> None:
    """Look at each saved file and each failing test until cancelled; nothing runs while nothing changes.

    `begun` is called once the texts are known that later ones are compared with. Raises the errors of `file_changes`.
    """
    known: dict[Path, tuple[int, int]] | None = None
    async for _ in file_changes(root, say):
        now = python_files(root)
        changed = [path for path, stamp in now.items() if known is None or known.get(path) != stamp]
        for path in changed:
            text = _text(path)
            if text is not None and known is None:
                repairs.opened(path, text)
            elif text is not None:
                repairs.saved(path, text, enabled=len(changed) <= MAX_FILES)
        repairs.tested(root / LAST_FAILED, is_new=known is not None)
        if known is None:
            begun()
        known = now


def _text(path: Path) -> str | None:
    try:
        return read_source(path)
    except BadRequest:
        return None


@dataclass(slots=True, kw_only=True)
class _Terminal:
    """The requests of a terminal about the texts on the disk, and the fixes that it has shown."""

    root: Path
    flags: Mapping[str, object]
    answer: Console
    shown: set[str] = field(default_factory=set)

    async def request(self, symptom: Symptom) -> Request:
        """Return a request for a symptom; raises BadRequest if its file cannot be read."""
        text = read_source(symptom.document)
        return Request(document=symptom.document, text=text, place=symptom.place, flags=self.flags)

    async def show(self, repairs: AmbientRepairs, document: Path) -> None:
        """Show the fixes that are offered in a document and have not been shown."""
        for live in repairs.offers(document):
            if live.id not in self.shown:
                self.shown.add(live.id)
                self._show(live)

    def _show(self, live: LiveSearch) -> None:
        stopped, best = live.state.stopped, live.state.best_row
        if stopped is None or stopped.winner is None or best is None:
            return
        place = f"{Path(os.path.relpath(live.document)).as_posix()}::{live.target.qualname}"
        heading = f"A verified {fix_in_short(best.hunks)} ({place})"
        self.answer.rule(Text(visible(heading), "good"), style="quiet")
        words = ["certo", "generate", place, "--apply", "--generator", "builtin"]
        if self.flags["interpreter"] is not None:
            words += ["--interpreter", str(self.flags["interpreter"])]
        show_winner(live.state, stopped.winner, self.answer, next_step=shlex.join(words))
