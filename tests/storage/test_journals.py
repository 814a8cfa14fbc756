"""All journals of a process: a damaged, newer, read-only or full journal keeps no search from going on."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from certo.storage.journals import Journals
from certo.storage.location import journal_file
from certo.storage.options import JournalOptions
from certo.storage.search_record import SearchRecord
from support.search.events import told

ROOT = Path("/home/me/till")
ASKED = SearchRecord(document="/home/me/till/coins.py", path="coins.py", text="", qualname="change")
OPTIONS = JournalOptions()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def journals(tmp_path: Path, said: list[str]) -> Iterator[Journals]:
    opened = Journals(tmp_path, said.append)
    yield opened
    opened.close()


async def keep(journals: Journals, search: str = "5eac") -> None:
    """Journal one whole search."""
    journal = journals.of(ROOT, OPTIONS)
    if journal is not None:
        journal.begin(search, ASKED)
        for event in told():
            journal.on_event(event)
    await journals.commit()


def kept(tmp_path: Path) -> list[str]:
    with closing(sqlite3.connect(journal_file(tmp_path, ROOT))) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM search ORDER BY id")]


async def test_a_search_makes_its_journal(journals: Journals, tmp_path: Path, said: list[str]) -> None:
    assert not journals.known(ROOT)
    await keep(journals)
    assert journals.known(ROOT)
    assert kept(tmp_path) == ["5eac"]
    journals.close()
    assert names(tmp_path) == [journal_file(tmp_path, ROOT).name], "side files are left"
    assert said == []


async def test_no_journal_is_made_when_disabled(journals: Journals, tmp_path: Path) -> None:
    assert journals.of(ROOT, JournalOptions(enabled=False)) is None
    assert names(tmp_path) == []


def names(folder: Path, pattern: str = "*") -> list[str]:
    """The names of the files of a folder."""
    return [file.name for file in folder.glob(pattern)]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def _overwrite(file: Path) -> None:
    file.write_bytes(b"no database at all " * 300)


def _tear(file: Path) -> None:
    """Overwrite every page but the first."""
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (file.stat().st_size - 4096))


def _age(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")


def _rejuvenate(file: Path) -> None:
    """Say that it is older than its tables are."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [(_overwrite, "damaged"), (_tear, "damaged"), (_rejuvenate, "damaged")],
)
async def test_an_unusable_journal_is_set_aside(
    journals: Journals, tmp_path: Path, said: list[str], spoil: Callable[[Path], None], why: str
) -> None:
    """A new one is begun, and the old file stays byte for byte."""
    await keep(journals)
    journals.close()
    file = journal_file(tmp_path, ROOT)
    spoil(file)
    before = file.read_bytes()
    for search in ("aaaa", "bbbb"):
        await keep(journals, search)
    [sentence] = said
    assert why in sentence
    [aside] = names(tmp_path, "*.set-aside-*.sqlite")
    assert str(tmp_path / aside) in sentence
    assert (tmp_path / aside).read_bytes() == before
    assert kept(tmp_path) == ["aaaa", "bbbb"]


def _age_without_log(file: Path) -> None:
    """As a format to come might have it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    _age(file)


def _age_in_log(file: Path) -> None:
    """Leave the files as a process does that dies before it could move its last commits out of the log."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")
        left = {path: path.read_bytes() for path in (file, file.with_name(f"{file.name}-wal"))}
    for path, content in left.items():
        path.write_bytes(content)


@pytest.mark.parametrize("age", [_age, _age_without_log, _age_in_log])
async def test_a_newer_journal_is_left_alone(
    journals: Journals, tmp_path: Path, said: list[str], age: Callable[[Path], None]
) -> None:
    """It stays byte for byte under its name, its log too, and searches go on without one."""
    await keep(journals)
    journals.close()
    file = journal_file(tmp_path, ROOT)
    age(file)
    before = contents(tmp_path)
    for search in ("aaaa", "bbbb"):
        await keep(journals, search)
    assert journals.left(ROOT, OPTIONS, days=30) == ()
    [sentence] = said
    assert f"{file} cannot be used: a newer version of certo wrote it (format 999" in sentence
    assert "update certo" in sentence
    after = contents(tmp_path)
    after.pop(f"{file.name}-shm", None)  # SQLite makes it anew from the log
    assert after == before


async def test_journals_migrated_while_open_stay(journals: Journals, tmp_path: Path, said: list[str]) -> None:
    """A newer certo has begun to use the journal of a daemon that goes on: its tables are not damaged."""
    await keep(journals, "aaaa")
    file = journal_file(tmp_path, ROOT)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ALTER TABLE search RENAME TO searches")
        connection.execute("PRAGMA user_version = 999")
    await keep(journals, "bbbb")
    [sentence] = said
    assert "a newer version of certo wrote it (format 999" in sentence
    assert names(tmp_path, "*.set-aside-*") == []
    with closing(sqlite3.connect(file)) as connection:
        assert [row[0] for row in connection.execute("SELECT id FROM searches")] == ["aaaa"]


async def test_an_impossible_folder_is_reported_once(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "certo").write_text("a file where the folder would be")
    journals = Journals(tmp_path / "certo" / "journals", said.append)
    await keep(journals, "aaaa")
    await keep(journals, "bbbb")
    [sentence] = said
    assert "cannot keep a journal" in sentence
    assert "Searches go on" in sentence


async def test_a_full_disk_is_said_once(journals: Journals, tmp_path: Path, said: list[str]) -> None:
    journal = journals.of(ROOT, OPTIONS)
    assert journal is not None
    journal._connection.execute("PRAGMA max_page_count = 24")  # a disk of twenty-four pages
    for search in range(40):
        if journals.of(ROOT, OPTIONS) is journal:
            journal.begin(f"{search:04}", SearchRecord(document="/d", path="d", text="x" * 2000, qualname="f"))
            await journals.commit()
    [sentence] = said
    assert "full" in sentence
    await keep(journals, "again")
    assert "again" in kept(tmp_path)
    assert "0000" in kept(tmp_path)


_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
input()
connection.execute("ROLLBACK")
"""


async def test_a_writer_in_another_process_is_awaited(journals: Journals, tmp_path: Path, said: list[str]) -> None:
    await keep(journals)
    command = [sys.executable, "-c", _HOLD, str(journal_file(tmp_path, ROOT))]
    async with await anyio.open_process(command, stderr=None) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert await BufferedByteReceiveStream(other.stdout).receive_until(b"\n", 9) == b"held"
        await other.stdin.send(b"\n")
        await keep(journals, "later")
    assert kept(tmp_path) == ["5eac", "later"]
    assert said == []
