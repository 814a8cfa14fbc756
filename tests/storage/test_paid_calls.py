"""Calls that were paid for, in a real SQLite file: all are counted, and answers last as long as they are of use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.storage.paid_calls import PaidCall
from certo.storage.process_identity import own_life
from certo.storage.search_record import SearchRecord
from certo.vocabulary.cost import Spent
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import PAUSES, Outcome

ASKED = SearchRecord(document="/p/m.py", path="m.py", text="def f(): ...\n", qualname="f", settings={"search.seed": 3})
SENT = PaidCall(mark="m1", key="k", calls=1, tokens=20, dollars=None)
ENDED = replace(SENT, tokens=25, dollars=0.01, ended=True, reply='{"text": "é🍎"}')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "till.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with closing(Journal(open_database(file, Path("/p")))) as opened:
        opened.begin("5eac", ASKED)
        opened.paid.begin("5eac", SENT)
        opened.commit()
        yield opened


def calls(file: Path) -> tuple[PaidCall, ...]:
    """The calls that another process finds."""
    with closing(Journal(open_database(file))) as other:
        return other.paid.of("5eac")


def end(journal: Journal, outcome: Outcome) -> None:
    journal.paid.end(ENDED)
    journal.on_event(
        SearchStopped(
            seq=9, search="5eac", at=1.0, outcome=outcome, reason="", verified=False, winner=None, spent=Spent()
        )
    )
    journal.commit()


def test_a_call_is_recorded_before_its_answer(journal: Journal, file: Path) -> None:
    assert calls(file) == (SENT,)
    journal.paid.end(ENDED)
    journal.paid.begin("5eac", replace(SENT, mark="m2"))
    journal.commit()
    assert calls(file) == (ENDED, replace(SENT, mark="m2"))


@pytest.mark.parametrize("outcome", Outcome)
def test_answers_last_until_the_search_ends(journal: Journal, file: Path, outcome: Outcome) -> None:
    """They last as long as the search can go on; what they took is kept for good."""
    end(journal, outcome)
    assert calls(file) == (ENDED if outcome in PAUSES else replace(ENDED, reply=None),)
    assert (b"\\u00e9" in file.read_bytes() or "é🍎".encode() in file.read_bytes()) <= (outcome in PAUSES)


@pytest.mark.parametrize("standing", ["accepted", "dismissed"])
def test_settled_searches_keep_no_answers(journal: Journal, file: Path, standing) -> None:
    end(journal, Outcome.CANCELLED)
    journal.stand("5eac", standing)
    journal.commit()
    assert calls(file) == (replace(ENDED, reply=None),)


def test_calls_are_forgotten_with_their_search(journal: Journal, file: Path) -> None:
    journal.forget("5eac")
    assert calls(file) == ()


def test_only_one_process_can_claim_a_search(journal: Journal, file: Path) -> None:
    """A claim fails where the search is no longer as it was seen."""
    journal.see("5eac", "as it is", 4)
    end(journal, Outcome.INTERRUPTED)
    kept = journal.search("5eac")
    assert kept is not None
    assert (kept.outcome, kept.world, kept.since, kept.asked) == ("interrupted", "as it is", 4, ASKED)
    with closing(Journal(open_database(file))) as other:
        assert not other.claim(replace(kept, life="another"))
        assert other.claim(kept)
    assert not journal.claim(kept)
    claimed = journal.search("5eac")
    assert claimed is not None
    assert (claimed.outcome, claimed.standing, claimed.life) == ("", "open", own_life())
