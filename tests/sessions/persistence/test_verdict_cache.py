"""The same search once more runs no tests, as long as nothing has changed, and says so."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import anyio
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


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests that leave it as it is."""
    root = sums(tmp_path_factory.mktemp("project"))
    settle(root)
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


@pytest.fixture(scope="module")
async def one_search(root: Path, kept_processes: None) -> Path:
    """The journals after a search that found what is right."""
    assert remembered(await ruled(root.parent / "journals", request(root, RIGHT))) == [False, False, False]
    return root.parent / "journals"


@pytest.fixture
def searched(one_search: Path, folder: Path) -> Path:
    """A copy of them."""
    shutil.copytree(one_search, folder)
    return folder


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


async def test_new_project_is_looked_at_last(root, folder):
    """Nothing can be recalled there, and the first candidate is judged sooner without."""
    wish = request(root, RIGHT, **{"search.generator": "builtin"})
    with trace_runs() as trace:
        assert remembered(await ruled(folder, wish))[:3] == [False, False, False]
    began = {run.work.program.module: run.began for run in trace.runs}
    judged = [run.began for run in trace.runs if run.work.apart is not None]
    assert began["certo_worker.fingerprint"] > min(judged)
    with trace_runs() as trace:
        assert remembered(await ruled(folder, wish))[:3] == [True, True, True]


async def test_dismissed_search_keeps_its_baseline(root, folder):
    """A new project is looked at when its search has ended, which may be dismissed at once."""
    async with process(folder) as searches:
        live = searches.start(request(root, RIGHT, **{"search.generator": "builtin"}))
        while live.state.stopped is None:  # noqa: ASYNC110 - the run has an event only for its very end
            await anyio.sleep(0.01)
        searches.forget(live)
        assert live.journal is not None
        while not live.journal.runs.has_any():  # noqa: ASYNC110 - a journal has no event
            await anyio.sleep(0.01)


@pytest.mark.slow
async def test_changed_files_are_judged_again(tmp_path, folder):
    """A changed test file, a new conftest.py and a new module beside them each count."""
    root = sums(tmp_path)
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]
    test = "from sums import *\n\ndef test_it():\n    assert double(5) == 10\n"
    for name, text in {"test_sums.py": test, "conftest.py": "", "helper.py": ""}.items():
        (root / name).write_text(text)
        assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False], name


@pytest.mark.slow
async def test_changed_requests_are_judged_again(root, searched):
    """Another setting, another text, and another document that is not saved each count."""
    wish = request(root, RIGHT)
    other = {wish.document.with_name("other.py"): "X = 1\n"}
    for changed in (
        replace(wish, flags={**(wish.flags or {}), "tests.seconds": 9.0}),
        replace(wish, text=EDITED),
        replace(wish, unsaved=other),
    ):
        assert remembered(await ruled(searched, changed)) == [False, False, False], changed


async def test_a_variable_that_tests_see_counts(root, folder, monkeypatch):
    monkeypatch.setenv("LC_MESSAGES", "C")
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]
    monkeypatch.setenv("LC_MESSAGES", "C.UTF-8")
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]


@pytest.mark.slow
async def test_a_damaged_verdict_is_reached_again(root, searched):
    change(searched, root, "UPDATE verdict SET line = substr(line, 3)")
    assert remembered(await ruled(searched, request(root, RIGHT))) == [False, False, False]
    assert remembered(await ruled(searched, request(root, RIGHT))) == [True, True, True], (
        "what was damaged is kept anew"
    )


async def test_nothing_is_remembered_without_a_journal(root, searched):
    wish = request(root, RIGHT, **{"journal.enabled": False})
    assert remembered(await ruled(searched, wish)) == [False, False, False]


@pytest.mark.slow
async def test_erased_search_takes_its_verdicts_along(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, RIGHT))
        await ended(live)
        assert rows_of_verdicts(folder, root) == len(SLOW)
        searches.erase(live)
    assert rows_of_verdicts(folder, root) == 0
    assert remembered(await ruled(folder, request(root, RIGHT))) == [False, False, False]


async def test_acceptance_after_restart_runs_no_test(root, searched):
    """Accepting after a restart rests on what was found before it, as long as nothing has changed.

    The tests of the text as it is are known as well as those of the candidate.
    """
    bury(searched, root)
    async with process(searched) as searches:
        await restore_searches(searches, root / "sums.py", (root,))
        [live] = searches
        with trace_runs() as trace:
            ready = await prepare_acceptance(live, None, SUMS)
        assert [run.work.request["program"] for run in trace.runs if "program" in run.work.request] == []
        known = {verdict.verifier: verdict.remembered for verdict in ready.report.verdicts}
        assert ready.report.verified
        assert (known["tests"], known["forgery"], known["syntax"]) == (True, True, False)
        (root / "helper.py").write_text("")
        again = await prepare_acceptance(live, None, SUMS)
        (root / "helper.py").unlink()
        assert not any(verdict.remembered for verdict in again.report.verdicts)
