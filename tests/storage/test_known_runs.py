"""Results of runs on the text as it is, in a real SQLite file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from certo.storage import known_runs
from certo.storage.database import open_database
from certo.storage.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(open_database(tmp_path / "till.sqlite", Path("/home/me/till")))) as opened:
        yield opened


def test_a_committed_result_is_recalled_by_key(journal):
    journal.runs.remember("key", "till.py::change", "line")
    assert journal.runs.remembered("key") is None
    journal.commit()
    assert journal.runs.remembered("key") == "line"
    assert journal.runs.remembered("other") is None
    assert (journal.runs.knows("till.py::change"), journal.runs.knows("till.py::total")) == (True, False)


def test_the_oldest_results_go_first(journal, monkeypatch):
    monkeypatch.setattr(known_runs, "MAX_REMEMBERED", 2)
    for key in ("one", "two", "three"):
        journal.runs.remember(key, "subject", key)
        journal.commit()
    assert [journal.runs.remembered(key) for key in ("one", "two", "three")] == [None, "two", "three"]


def test_forgetting_knowledge_deletes_results(journal):
    journal.runs.remember("key", "till.py::change", "line")
    journal.commit()
    journal.unlearn()
    assert journal.runs.remembered("key") is None
    assert not journal.runs.knows("till.py::change")
