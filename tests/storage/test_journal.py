"""One project's journal, in a real SQLite file."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from certo.storage.database import MIGRATIONS, open_database
from certo.storage.journal import DAY_SECONDS, Journal, Standing
from certo.storage.process_identity import own_life
from certo.storage.search_record import SearchRecord
from certo.storage.serialization import event_of, line_of
from certo.vocabulary.events import CandidateDrafted, CandidateWritten, Event
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.outcome import Outcome
from support.search.events import told
from support.search.value_strategies import any_of

ROOT = Path("/home/me/till")
ASKED = SearchRecord(
    document="/home/me/till/till/coins.py",
    path="till/coins.py",
    text="def change(due):\r\n    ...\n",
    qualname="change",
    instruction="in as few coins as there are",
    flags={"search": {"seed": 3}, "tests.paths": ["tests"]},
    folders=("/home/me/till",),
    editor=True,
)
WITHOUT_DRAFTS = tuple(event for event in told() if not isinstance(event, CandidateDrafted | CandidateWritten))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journals" / "till.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with closing(Journal(open_database(file, ROOT))) as opened:
        yield opened


def read(file: Path, search: str = "5eac") -> tuple[Event, ...]:
    """The events of a search as another process would read them."""
    with closing(Journal(open_database(file, ROOT))) as other:
        return tuple(map(event_of, other.lines(search)))


def tell(journal: Journal, events: tuple[Event, ...] = told()) -> None:
    journal.begin("5eac", ASKED)
    for event in events:
        journal.on_event(event)


def test_a_search_is_kept_whole(journal: Journal, file: Path) -> None:
    tell(journal)
    assert journal.pending
    journal.commit()
    assert not journal.pending
    assert read(file) == WITHOUT_DRAFTS
    [kept] = journal.searches()
    assert (kept.id, kept.root, kept.asked, kept.life) == ("5eac", str(ROOT), ASKED, own_life())
    assert (kept.outcome, kept.standing) == ("solved", "open")
    assert journal.search("5eac") == kept
    assert journal.search("none") is None


def test_nothing_is_written_before_it_is_committed(journal: Journal, file: Path) -> None:
    tell(journal)
    assert read(file) == ()


def test_an_unfinished_search_has_no_outcome(journal: Journal) -> None:
    tell(journal, told()[:-1])
    journal.commit()
    assert journal.searches()[0].outcome == ""


def test_outcomes_are_written_as_on_the_wire(journal: Journal) -> None:
    tell(journal, told(outcome=Outcome.NOTHING_TO_FIX)[-1:])
    journal.commit()
    assert journal.searches()[0].outcome == "nothing-to-fix"


def test_drafts_are_kept_where_that_is_wanted(file: Path) -> None:
    with closing(Journal(open_database(file, ROOT), prompts=True)) as journal:
        tell(journal)
        journal.commit()
    assert read(file) == told()


def test_model_exchanges_are_forgotten_with_their_search(journal: Journal) -> None:
    tell(journal)
    journal.exchange("5eac", '{"a": 1}')
    journal.exchange("5eac", '{"b": 2}')
    journal.exchange("none", '{"c": 3}')
    journal.commit()
    assert list(journal.exchanges("5eac")) == ['{"a": 1}', '{"b": 2}']
    assert list(journal.exchanges("none")) == []
    journal.forget("5eac")
    assert list(journal.exchanges("5eac")) == []


@pytest.mark.parametrize("steps", range(len(MIGRATIONS)))
def test_an_older_journal_is_migrated(file: Path, steps: int) -> None:
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in (each for step in MIGRATIONS[:steps] for each in step):
            connection.execute(statement)
        if steps:
            connection.execute("INSERT INTO project (root) VALUES (?)", (str(ROOT),))
            connection.execute("INSERT INTO search (id, asked, began, life) VALUES ('0', ?, 0, '')", (ASKED.as_json(),))
        connection.execute(f"PRAGMA user_version = {steps}")
    with closing(Journal(open_database(file, ROOT))) as journal:
        assert len(journal.searches()) == bool(steps)
        tell(journal)
        journal.exchange("5eac", "{}")
        journal.commit()
        assert {kept.root for kept in journal.searches()} == {str(ROOT)}
        assert list(journal.exchanges("5eac")) == ["{}"]


def test_a_failed_commit_loses_and_writes_nothing(journal: Journal, file: Path) -> None:
    tell(journal, told()[:2])
    journal.commit()
    for event in told()[2:]:
        journal.on_event(event)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            journal.commit()
        other.execute("ROLLBACK")
    assert read(file) == told()[:2]
    journal.commit()
    assert read(file) == WITHOUT_DRAFTS


def test_two_processes_write_to_one_journal(journal: Journal, file: Path) -> None:
    tell(journal)
    with closing(Journal(open_database(file, ROOT))) as other:
        other.begin("07e4", ASKED)
        other.commit()
        journal.commit()
        assert {kept.id for kept in other.searches()} == {"5eac", "07e4"}


def test_an_event_told_twice_is_kept_once(journal: Journal, file: Path) -> None:
    tell(journal)
    journal.on_event(told()[0])
    journal.commit()
    assert read(file) == WITHOUT_DRAFTS


@pytest.mark.parametrize("standing", ["accepted", "dismissed"])
def test_the_standing_of_a_search_is_kept(journal: Journal, standing: Standing) -> None:
    tell(journal)
    journal.stand("5eac", standing)
    journal.commit()
    assert journal.searches()[0].standing == standing


def test_nothing_is_left_of_a_forgotten_search(journal: Journal, file: Path) -> None:
    """Its text is in no file of the journal."""
    tell(journal)
    journal.commit()
    assert any(b"as few coins" in each.read_bytes() for each in file.parent.iterdir())
    journal.forget("5eac")
    assert journal.searches() == ()
    assert not any(b"as few coins" in each.read_bytes() for each in file.parent.iterdir())


def test_a_late_event_revives_no_forgotten_search(journal: Journal, file: Path) -> None:
    tell(journal, told()[:3])
    journal.commit()
    with closing(Journal(open_database(file, ROOT))) as other:
        other.forget("5eac")
    journal.on_event(told()[5])
    journal.commit()
    assert journal.searches() == ()
    assert read(file) == ()


def test_old_searches_are_forgotten(journal: Journal, file: Path) -> None:
    tell(journal)
    journal.commit()
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("UPDATE search SET began = began - ?", (2 * DAY_SECONDS,))
    journal.begin("07e4", ASKED)
    journal.commit()
    journal.forget_before(days=3)
    assert len(journal.searches()) == 2
    journal.forget_before(days=1)
    assert [kept.id for kept in journal.searches()] == ["07e4"]
    assert read(file) == ()


def test_only_the_owner_may_read_the_journal(journal: Journal, file: Path) -> None:
    tell(journal)
    journal.commit()
    assert {stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()} == {0o600}
    assert {each.name for each in file.parent.iterdir()} == {"till.sqlite", "till.sqlite-wal", "till.sqlite-shm"}


@settings(max_examples=15)
@given(any_of(Guidance))
def test_the_guidance_of_a_search_is_kept(guidance: Guidance) -> None:
    assert SearchRecord.from_json(replace(ASKED, guidance=guidance).as_json()) == replace(ASKED, guidance=guidance)


def test_text_of_every_kind_is_kept(journal: Journal) -> None:
    odd = SearchRecord(
        document="/\u00fc/\U0001f40d.py", path="p.py", text="x = '\\x00\udc80\u2028'\r", qualname="f.<locals>.g"
    )
    journal.begin("0dd", odd)
    journal.commit()
    assert journal.searches()[0].asked == odd
    assert line_of(told()[0]).isascii()
