"""Searches with journals, as by several processes one after the other, on a small project."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import anyio
import pytest

from certo.concurrency import background_tasks
from certo.edits.target import ByName
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.storage.location import journal_file
from certo.storage.search_record import SearchRecord, StoredSearch
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.events import Event
from support.projects.bare_environment import bare_python
from support.projects.projects import settle, write_project
from support.search.events import told

SUMS = "def double(n):\n    return n * 3\n\n\ndef half(n):\n    return n\n"
TESTS = "from sums import double\n\n\ndef test_double():\n    assert double(5) == 10\n"
RIGHT = {"source": "def double(n):\n    return n * 2"}
WRONG = {"source": "def double(n):\n    return n * 4"}
NEVER = {"source": "def double(n): return n", "delaySeconds": 3600}

_SAY = "from certo.storage.process_identity import own_life; print(own_life())"


def sums(folder: Path) -> Path:
    """Write a project whose only test fails, and return its root, of which a search that begins at once is kept."""
    root = write_project(folder / "sums", {"sums.py": SUMS, "test_sums.py": TESTS, "pyproject.toml": ""})
    settle(root)
    return root


def request(root: Path, *replies: dict[str, object], text: str = SUMS, **flags: object) -> Request:
    """Return a request whose generator reads these replies."""
    script = root.parent / "script.json"
    script.write_text(json.dumps(replies))
    settings = {
        "interpreter": str(bare_python()),
        "sandbox.isolation": "process",
        "strength.after_search": False,
        "search.generator": "scripted",
        "scripted.path": str(script),
        **flags,
    }
    return Request(document=root / "sums.py", text=text, place=ByName("double"), flags=settings, instruction="please")


_kept: list[WarmProjects] = []
"""Where prepared processes are kept from one search to the next, if they are."""


@pytest.fixture(scope="module")
async def kept_processes(one_event_loop: None) -> AsyncIterator[None]:
    """Let the searches of a file, in one project after the other, begin in the processes that earlier ones prepared."""
    async with background_tasks() as group:
        _kept.append(WarmProjects(group))
        yield
        _kept.clear()


@asynccontextmanager
async def process(folder: Path) -> AsyncIterator[Searches]:
    """Yield the searches of one process."""
    projects = _kept[0] if _kept else None
    async with anyio.create_task_group() as group:
        yield Searches(group, environ={"PATH": "/usr/bin:/bin"}, journals=folder, projects=projects)
        group.cancel_scope.cancel()


async def ended(live: LiveSearch) -> None:
    """Wait for the end of a search."""
    with anyio.fail_after(500):
        await live.run.stopped.wait()


def journal_of(folder: Path, root: Path) -> Journal:
    """Return the journal of a project as another process has it."""
    return Journal(open_database(journal_file(folder, root), root))


def every_kept(folder: Path, root: Path) -> tuple[StoredSearch, ...]:
    """Return every search in a project's journal."""
    with closing(journal_of(folder, root)) as journal:
        return journal.searches()


def kept(folder: Path, root: Path) -> tuple[StoredSearch, tuple[str, ...]]:
    """Return the only search in a project's journal, and its lines."""
    with closing(journal_of(folder, root)) as journal:
        [search] = journal.searches()
        return search, tuple(journal.lines(search.id))


def leave(
    folder: Path, root: Path, search: str = "5eac", events: tuple[Event, ...] = told(), qualname: str = "double"
) -> None:
    """Store a hand-made search in a journal, as this process would have left it."""
    asked = SearchRecord(document=str(root / "sums.py"), path="sums.py", text=SUMS, qualname=qualname)
    with closing(journal_of(folder, root)) as journal:
        journal.begin(search, asked)
        for event in events:
            journal.on_event(replace(event, search=search))
        journal.commit()


def change(folder: Path, root: Path, statement: str, *values: object) -> None:
    """Run a statement on the database of a journal."""
    with closing(open_database(journal_file(folder, root), root)) as connection:
        connection.execute(statement, values)


def bury(folder: Path, root: Path) -> None:
    """Mark the process that ran the searches of a journal as dead."""
    change(folder, root, "UPDATE search SET life = ?", dead_life())


def interrupt(folder: Path, root: Path) -> None:
    """Mark that process as dead before the last event of each search."""
    bury(folder, root)
    change(folder, root, "DELETE FROM event WHERE line LIKE '%search.stopped%'")
    change(folder, root, "UPDATE search SET outcome = ''")


@cache
def dead_life() -> str:
    """Return the identity of a process that has ended."""
    return subprocess.run([sys.executable, "-c", _SAY], capture_output=True, check=True, text=True).stdout.strip()
