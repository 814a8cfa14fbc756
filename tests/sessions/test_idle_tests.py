"""Test runs while the machine is idle: they complete the test map, and a search ends them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions import searches
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.idle_tests import IdleTests, harness_of
from certo.sessions.persistence.test_map import remembering
from certo.storage.journals import Journals
from certo.verification.dynamic.harness import Selection, run_program
from certo.verification.dynamic.results import RunResults
from certo.vocabulary.events import SearchStopped
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": "def double(x):\n    return x + x\n",
    "words.py": "def loud(x):\n    return x.upper()\n",
    "test_sums.py": "from sums import double\n\ndef test_double():\n    assert double(3) == 6\n",
    "test_words.py": "from words import loud\n\ndef test_loud():\n    assert loud('a') == 'A'\n",
    "test_wrong.py": "from words import loud\n\ndef test_wrong():\n    assert loud('a') == 'b'\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_project(tmp_path / "sums", FILES)
    # Nothing is recorded of files so new that they may have changed since the runs began.
    time.sleep(0.1)
    return root


def resolved(root: Path, *, when_idle: bool = True) -> ResolvedRequest:
    document = root / "sums.py"
    flags = {"tests": {"when_idle": when_idle}}
    asked = Request(document=document, text=document.read_text(), place=ByName("double"), flags=flags)
    return resolve_request(asked, bare_environ())


@asynccontextmanager
async def idle_tests(root: Path, *, written: anyio.Event | None = None) -> AsyncIterator[IdleTests]:
    """Yield the runs of an idle machine; when the context ends, so have they."""
    journals = Journals(root.parent / "journals", lambda _: None)
    async with anyio.create_task_group() as group:
        yield IdleTests(
            group=group,
            environ=bare_environ(),
            journals=journals,
            written=lambda: written.set() if written is not None else None,
            quiet_seconds=0,
            is_idle=lambda: True,
        )
    await journals.commit()
    journals.close()


async def known_files(root: Path) -> frozenset[str]:
    """Return the test files that the map knows as a whole."""
    asked = resolved(root)
    journals = Journals(root.parent / "journals", lambda _: None)
    context = await find_execution_context(asked, bare_environ())
    async with remembering(asked, context, journals.of(root, asked.settings.journal)) as knowing:
        assert knowing.known_tests is not None
        known = (await knowing.known_tests.known()).whole
    journals.close()
    return known


@pytest.mark.slow
async def test_passing_files_are_known_afterwards(root):
    async with idle_tests(root) as runs:
        runs.begin(resolved(root))
    assert await known_files(root) == {"test_sums.py", "test_words.py"}


async def test_listing_the_tests_runs_none(root):
    asked = resolved(root)
    context = await find_execution_context(asked, bare_environ())
    harness, listed = harness_of(asked, context, ()), RunResults()
    await run_program("baseline", harness, harness.base, Selection(paths=None), listed, seconds=0.0)
    assert (len(listed.collected), listed.tests, listed.stopped) == (3, {}, True)


async def test_nothing_runs_unless_the_user_allows(root):
    async with idle_tests(root) as runs:
        runs.begin(resolved(root, when_idle=False))
    assert await known_files(root) == frozenset()


@pytest.mark.slow
async def test_bugs_in_them_are_contained(root, monkeypatch, caplog):
    """An error that no part of certo foresees, such as one of SQLite, does not end the daemon."""

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(Journals, "of", broken)
        async with idle_tests(root) as runs:
            runs.begin(resolved(root))
    assert "met a bug" in caplog.text
    async with idle_tests(root) as runs:
        runs.begin(resolved(root))
    assert "test_sums.py" in await known_files(root)


async def test_a_beginning_search_ends_them(root):
    (root / "test_zzz.py").write_text("import time\n\ndef test_sleeping():\n    time.sleep(3600)\n")
    written = anyio.Event()
    with anyio.fail_after(600):
        async with idle_tests(root, written=written) as runs:
            runs.begin(replace_limits(resolved(root)))
            await written.wait()
            runs.interrupt()


def replace_limits(asked: ResolvedRequest) -> ResolvedRequest:
    """Return the request with tests that may take an hour."""
    flags = {"tests": {"when_idle": True, "seconds": 3600.0, "total_seconds": 3600.0}}
    request = Request(document=asked.request.document, text=asked.request.text, place=ByName("double"), flags=flags)
    return resolve_request(request, bare_environ())


async def test_they_begin_when_no_search_runs(root, monkeypatch):
    eager = partial(IdleTests, quiet_seconds=0, is_idle=lambda: True)
    monkeypatch.setattr(searches, "IdleTests", eager)
    stopped = anyio.Event()
    with anyio.fail_after(600):
        async with anyio.create_task_group() as group:
            started = searches.Searches(group, environ=bare_environ(), journals=root.parent / "journals")
            started.subscribe(lambda _, event: stopped.set() if isinstance(event, SearchStopped) else None)
            started.begin(resolved(root))
            await stopped.wait()
            while True:
                await anyio.sleep(0.05)
                if "test_words.py" in await known_files(root):
                    break
            group.cancel_scope.cancel()
