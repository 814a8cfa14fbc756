"""The same search once more runs no tests, as long as nothing has changed, and says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.trace import trace_runs
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.request import Request
from certo.sessions.restore import restore_searches
from certo.storage.database import open_database
from certo.storage.location import journal_file
from certo.vocabulary.verdict import Ruling
from support.projects.projects import settle
from support.search.journalled_searches import RIGHT, SUMS, WRONG, bury, change, ended, process, request, sums

pytestmark = pytest.mark.usefixtures("kept_processes")

SLOW = ("tests", "forgery", "evidence")
Ruled = list[list[tuple[str, Ruling, bool]]]
EDITED = SUMS.replace("def half", "def third(n):\n    return n\n\n\ndef half")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return sums(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


async def ruled(folder: Path, wish: Request) -> Ruled:
    """Who said what of each candidate in a search of a new process, and whether it was remembered."""
    async with process(folder) as searches:
        live = searches.start(wish)
        await ended(live)
        return [[(v.verifier, v.ruling, v.remembered) for v in row.verdicts] for row in live.state.rows.values()]


def remembered(rows: Ruled) -> list[bool]:
    """Whether what takes long was remembered, in order."""
    return [known for verdicts in rows for verifier, _, known in verdicts if verifier in SLOW]


def rows_of_verdicts(folder: Path, root: Path) -> int:
    with closing(open_database(journal_file(folder, root), root)) as connection:
        return int(connection.execute("SELECT count(*) FROM verdict").fetchone()[0])


async def test_the_same_search_again_runs_no_test(root, folder):
    first = await ruled(folder, request(root, WRONG, RIGHT))
    second = await ruled(folder, request(root, WRONG, RIGHT))
    assert remembered(first) == [False, False, False, False]
    assert remembered(second) == [True, True, True, True], "red, green, not forged, and tests that depend on it"
    assert [[row[:2] for row in rows] for rows in first] == [[row[:2] for row in rows] for rows in second]
    assert not any(known for rows in second for verifier, _, known in rows if verifier not in SLOW)


def rewrite(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text)


def as_it_is(root: Path) -> None:
    """Change no file."""


CHANGES: Mapping[str, tuple[Callable[[Path], object], Callable[[Request], Request]]] = {
    "a test file": (
        rewrite("test_sums.py", "from sums import *\n\ndef test_it():\n    assert double(5) == 10\n"),
        replace,
    ),
    "a conftest.py": (rewrite("conftest.py", ""), replace),
    "a helper": (rewrite("helper.py", ""), replace),
    "a setting": (as_it_is, lambda wish: replace(wish, flags={**(wish.flags or {}), "tests.seconds": 9.0})),
    "the text": (as_it_is, lambda wish: replace(wish, text=EDITED)),
    "another unsaved document": (
        as_it_is,
        lambda wish: replace(wish, unsaved={wish.document.with_name("other.py"): "X = 1\n"}),
    ),
}


@pytest.mark.parametrize(("change", "wish"), CHANGES.values(), ids=CHANGES.keys())
async def test_whatever_changes_is_judged_again(root, folder, change, wish):
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]
    change(root)
    assert remembered(await ruled(folder, wish(request(root, RIGHT)))) == [False, False, False]


async def test_a_variable_that_tests_see_counts(root, folder, monkeypatch):
    monkeypatch.setenv("LC_MESSAGES", "C")
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]
    monkeypatch.setenv("LC_MESSAGES", "C.UTF-8")
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]


async def test_a_damaged_verdict_is_reached_again(root, folder):
    await ruled(folder, request(root, RIGHT))
    change(folder, root, "UPDATE verdict SET line = substr(line, 3)")
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]
    assert remembered(await ruled(folder, request(root, RIGHT))) == [True, True, True], "what was damaged is kept anew"


async def test_nothing_is_remembered_without_a_journal(root, folder):
    await ruled(folder, request(root, RIGHT))
    assert remembered(await ruled(folder, request(root, RIGHT, **{"journal.enabled": False}))) == [False, False, False]


async def test_erased_search_takes_its_verdicts_along(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, RIGHT))
        await ended(live)
        assert rows_of_verdicts(folder, root) == len(SLOW)
        searches.erase(live)
    assert rows_of_verdicts(folder, root) == 0
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]


async def test_acceptance_after_restart_reuses_verdicts(root, folder):
    """Accepting after a restart rests on what was found before it."""
    await ruled(folder, request(root, RIGHT))
    bury(folder, root)
    async with process(folder) as searches:
        await restore_searches(searches, root / "sums.py", (root,))
        [live] = searches
        ready = await prepare_acceptance(live, None, SUMS)
        known = {verdict.verifier: verdict.remembered for verdict in ready.report.verdicts}
        assert ready.report.verified
        assert (known["tests"], known["forgery"], known["syntax"]) == (True, True, False)
        (root / "helper.py").write_text("")
        again = await prepare_acceptance(live, None, SUMS)
        assert not any(verdict.remembered for verdict in again.report.verdicts)


async def test_acceptance_after_restart_runs_no_test(root, folder):
    """The tests of the text as it is are known as well as those of the candidate."""
    settle(root)
    await ruled(folder, request(root, RIGHT))
    bury(folder, root)
    with trace_runs() as trace:
        async with process(folder) as searches:
            await restore_searches(searches, root / "sums.py", (root,))
            [live] = searches
            assert (await prepare_acceptance(live, None, SUMS)).report.verified
    assert [run.work.request["program"] for run in trace.runs if "program" in run.work.request] == []
