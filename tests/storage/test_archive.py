"""All journals of a user: an unusable one is in nobody's way, and goes when everything goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.storage.archive import Archive
from certo.storage.journals import Journals
from certo.storage.location import SET_ASIDE, journal_file
from certo.storage.options import JournalOptions
from certo.storage.search_record import SearchRecord
from support.search.events import told

ONE, OTHER = Path("/home/me/till"), Path("/home/me/shop")


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """The journals of two projects, with a search each."""
    journals = Journals(tmp_path, print)
    for root, search in ((ONE, "5eac"), (OTHER, "0ther")):
        journal = journals.of(root, JournalOptions())
        assert journal is not None
        journal.begin(search, SearchRecord(document=f"{root}/coins.py", path="coins.py", text="", qualname="change"))
        for event in told():
            journal.on_event(event)
    await journals.commit()
    journals.close()
    return tmp_path


async def test_a_damaged_journal_hides_only_its_searches(folder: Path) -> None:
    """The journals of other projects are still listed, and the sentence names the damaged file."""
    damaged = journal_file(folder, OTHER)
    damaged.write_bytes(b"garbage" * 1000)
    said: list[str] = []
    archive = Archive(folder, said.append)
    assert [kept.id for kept in archive.searches()] == ["5eac"]
    assert archive.find("5eac") is not None
    archive.forget("5eac")
    assert archive.searches() == ()
    [sentence] = said
    assert str(damaged) in sentence
    assert "the next search of its project sets it aside" in sentence


async def test_journals_set_aside_can_be_forgotten(folder: Path) -> None:
    aside = folder / f"shop{SET_ASIDE}20261123-001027-551.sqlite"
    for name in (aside.name, f"{aside.name}-wal"):
        (folder / name).write_bytes(b"def discount(): ...")
    archive = Archive(folder, print)
    assert archive.forget_set_aside() == 1
    assert [name for name in os.listdir(folder) if SET_ASIDE in name] == []
    assert len(archive.searches()) == 2
