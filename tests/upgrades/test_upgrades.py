"""What earlier versions of certo wrote opens in this one: journals, candidates, verdicts, caches and settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from certo.api.cache import CodeCache
from certo.llm.wrappers.cached import AnswerFiles
from certo.project.candidate_store.backends import ExperimentsOf
from certo.project.candidate_store.store import CandidateStore
from certo.settings.loader import load_settings
from certo.storage.archive import Archive
from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.storage.location import experiments_folder, journal_file, journal_folder
from certo.storage.serialization import baseline_of, event_of, verdict_of
from certo.storage.signed_verdicts import SignedVerdicts
from certo.vocabulary.events import SearchStopped
from support.upgrades.kept import (
    ANSWER,
    CODE,
    DIGEST,
    HAND_MADE,
    MADE_IN,
    PLAIN,
    TRACKED,
    VERSIONS,
    home_of,
    settings_of,
)


@pytest.fixture(params=VERSIONS)
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return home_of(request.param, tmp_path / "home")


@pytest.fixture
def journal(home: Path) -> Iterator[Journal]:
    """The journal with something in each table, opened and migrated."""
    file = journal_file(folder_of(home), MADE_IN / PLAIN)
    assert file.exists()
    with closing(Journal(open_database(file, MADE_IN / PLAIN))) as opened:
        yield opened


def folder_of(home: Path) -> Path:
    return journal_folder({"HOME": str(home)})


def test_searches_of_earlier_versions_are_listed(home: Path) -> None:
    said: list[str] = []
    archive = Archive(folder_of(home), said.append)
    searches = archive.searches()
    assert said == []
    assert sorted(Path(search.root).name for search in searches) == [PLAIN, PLAIN, TRACKED]
    assert {search.outcome for search in searches} == {"solved"}
    assert {search.asked.qualname for search in searches} == {"change"}


def test_each_event_is_read(home: Path) -> None:
    """One search has an event of each kind that there was."""
    archive = Archive(folder_of(home), pytest.fail)
    for search in archive.searches():
        found = archive.find(search.id)
        assert found is not None
        events = [event_of(line) for line in found[1]]
        assert isinstance(events[-1], SearchStopped)
        assert events[-1].winner is not None


def test_requests_keep_what_was_asked(journal: Journal) -> None:
    kept = journal.search(HAND_MADE)
    assert kept is not None
    assert kept.asked.guidance.feedback == "count from the top"
    assert kept.asked.flags == {"search.seed": 3}
    assert kept.asked.settings == {"search.seconds": 9.0}
    assert kept.asked.selected == (1, 2)
    assert [opinion.note for opinion in journal.opinions(HAND_MADE)] == ["no"]
    assert len(tuple(journal.exchanges(HAND_MADE))) == 1


def test_knowledge_of_earlier_versions_is_used(journal: Journal) -> None:
    assert "it loops" in {claim.text for claim in journal.learned.claims()}
    assert {attempt.qualname for attempt in journal.learned.tries()} == {"change"}
    assert journal.learned.outlines(["gone.py"])["gone.py"].doc == "Gives change."
    assert journal.learned.recollected(HAND_MADE, 100) == "what was recalled"
    [call] = journal.paid.of(HAND_MADE)
    assert (call.dollars, call.reply) == (0.5, '{"text": "x"}')


def test_verdicts_and_runs_are_remembered(journal: Journal) -> None:
    """Each line of these tables is read by whoever uses it."""
    rows = journal._connection.execute("SELECT line FROM verdict").fetchall()
    assert rows
    assert {verdict_of(line).passed for (line,) in rows} == {True, False}
    assert journal.runs.mapped_runs()
    assert "tests/test_till.py::test_one_coin" in journal.runs.pinned()
    baselines = journal._connection.execute("SELECT line FROM remembered WHERE line LIKE '[{\"%'").fetchall()
    assert baselines
    assert all(baseline_of(line)[0].tests for (line,) in baselines)


def stores(home: Path, project: str) -> ExperimentsOf:
    folder = experiments_folder(folder_of(home), MADE_IN / project)
    return ExperimentsOf(root=home / project, folder=folder, environ={"PATH": "/usr/bin:/bin"}, say=pytest.fail)


async def kept_text(store: CandidateStore) -> str:
    [number] = await store.numbers()
    assert "a coin of exactly what is due" in await store.message(number)
    content = (await store.files(number))["till.py"]
    assert content is not None
    return content.decode("utf-8")


@pytest.mark.parametrize("project", [PLAIN, TRACKED])
async def test_candidates_of_earlier_versions_are_read(home: Path, project: str) -> None:
    stored = stores(home, project)
    [search] = stored.searches()
    assert await kept_text(await stored.of(search)) == (home / project / "till.py").read_text(encoding="utf-8")


def test_signed_verdicts_are_still_ours(home: Path) -> None:
    found = SignedVerdicts({"HOME": str(home)}).find((home / DIGEST).read_text(encoding="ascii"))
    assert found is not None
    assert (found.qualname, found.verified) == ("change", True)


def test_caches_of_earlier_versions_are_used(home: Path) -> None:
    reply = AnswerFiles(home / ".cache/certo").get(ANSWER)
    assert reply is not None
    assert (reply.text, reply.dollars) == ("x", 0.5)
    generated = CodeCache(home / ".cache/certo/code").get(CODE)
    assert generated is not None
    assert generated.verified
    assert "n * 2" in generated.passed[0].source


@pytest.mark.parametrize("version", VERSIONS)
def test_settings_of_earlier_versions_are_known(version: str, tmp_path: Path) -> None:
    """Each name and each default is accepted: within a version of the protocol nothing is taken away."""
    before = settings_of(version)
    settings = load_settings(tmp_path, client=None, environ={}, flags=before)
    assert settings.search.seconds == before["search.seconds"]


@pytest.mark.parametrize("version", VERSIONS)
def test_migrations_do_not_change(home: Path, version: str) -> None:
    """A released step stays as it was, so a journal made anew has the tables of one that was migrated."""
    fresh = home / "fresh.sqlite"
    shapes = []
    for file in (fresh, journal_file(folder_of(home), MADE_IN / PLAIN)):
        with closing(open_database(file, MADE_IN / PLAIN)) as connection:
            shapes.append(connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall())
    assert shapes[0] == shapes[1]
