"""Knowledge is kept in the project's journal, bounded, and goes with the search it came from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.storage import knowledge
from certo.storage.database import open_database
from certo.storage.journal import Journal
from certo.storage.knowledge import Stamp
from certo.storage.search_record import SearchRecord
from certo.vocabulary.knowledge import (
    MAX_CHARACTERS,
    MAX_QUOTES,
    SECTIONS,
    Claim,
    Listed,
    Outline,
    Outlined,
    PastAttempt,
    Quote,
    Symbol,
)
from certo.vocabulary.score import Score

pytestmark = pytest.mark.acceptance(64, 65)

ROOT = Path("/home/me/till")
ASKED = SearchRecord(document="/home/me/till/till.py", path="till.py", text="", qualname="change")
CLAIM = Claim(
    key="k", section="gotchas", text="it loops – for ever", search="5eac", quotes=(Quote(path="a", text="b"),)
)
SCORE = Score(value=3.0, unit="tests", source="tests that pass", maximize=False)
TRY = PastAttempt(
    search="5eac", candidate="aaa", number=1, path="till.py", qualname="change", at=5.0, cost=2.5, score=SCORE
)
OUTLINE = Outline(doc="Gives change.", symbols=(Symbol(name="f", shown="f(x)"),), is_main=True)
LISTED = Listed(path="till.py", size=9, changed=77)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "till.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with closing(Journal(open_database(file, ROOT))) as opened:
        for search in ("5eac", "0ther"):
            opened.begin(search, ASKED)
        yield opened


def test_knowledge_is_readable_after_a_commit(journal: Journal) -> None:
    known = journal.learned
    known.learn([CLAIM])
    known.tried(TRY)
    known.outlined([Outlined(listed=LISTED, hash="h", outline=OUTLINE)])
    assert (known.claims(), known.tries(), known.stamps()) == ((), (), {})
    journal.commit()
    assert (known.claims(), known.tries()) == ((CLAIM,), (TRY,))
    assert known.stamps() == {"till.py": Stamp(size=9, changed=77, hash="h")}
    assert known.outlines(["till.py", "gone.py"]) == {"till.py": OUTLINE}
    assert known.stamps()["till.py"].is_of(LISTED)
    assert not known.stamps()["till.py"].is_of(replace(LISTED, size=10))


def test_later_claims_replace_earlier_ones(journal: Journal) -> None:
    """The later of two claims with one key counts, and claims named as outdated go."""
    other = replace(CLAIM, key="other", search="0ther")
    journal.learned.learn([CLAIM, other])
    journal.learned.learn([replace(CLAIM, text="it ends")], instead_of=["other", "never there"])
    journal.commit()
    assert [claim.text for claim in journal.learned.claims()] == ["it ends"]


def test_a_touched_file_keeps_its_outline(journal: Journal) -> None:
    """A file that is gone has none."""
    known = journal.learned
    known.outlined([Outlined(listed=LISTED, hash="h", outline=OUTLINE)])
    known.outlined([Outlined(listed=replace(LISTED, changed=78), hash="h", outline=None)])
    journal.commit()
    assert known.stamps()["till.py"] == Stamp(size=9, changed=78, hash="h")
    assert known.outlines(["till.py"]) == {"till.py": OUTLINE}
    known.gone(["till.py"])
    journal.commit()
    assert known.stamps() == {}


@pytest.mark.parametrize("erased", [True, False])
def test_forgetting_a_search_forgets_its_lessons(file: Path, journal: Journal, *, erased: bool) -> None:
    kept = replace(CLAIM, key="other", search="0ther", text="this stays")
    journal.learned.learn([CLAIM, kept])
    journal.learned.tried(TRY)
    journal.learned.tried(replace(TRY, search="0ther"))
    journal.commit()
    if erased:
        journal.erase("5eac")
        # What it still tells is not kept either.
        journal.learned.learn([CLAIM])
        journal.learned.tried(TRY)
        journal.commit()
    else:
        journal.forget("5eac")
    assert journal.learned.claims() == (kept,)
    assert [each.search for each in journal.learned.tries()] == ["0ther"]
    journal.forget("0ther")
    assert (journal.learned.claims(), journal.learned.tries()) == ((), ())
    assert b"this stays" not in b"".join(part.read_bytes() for part in file.parent.iterdir())


def test_knowledge_can_be_forgotten_without_the_searches(journal: Journal) -> None:
    journal.learned.learn([CLAIM])
    journal.learned.outlined([Outlined(listed=LISTED, hash="h", outline=OUTLINE)])
    journal.learned.tried(TRY)
    journal.learned.unlearn()
    journal.commit()
    assert (journal.learned.claims(), journal.learned.stamps()) == ((), {})
    assert journal.learned.tries() == ()
    assert len(journal.searches()) == 2


def test_damaged_knowledge_is_ignored(file: Path, journal: Journal) -> None:
    """So is knowledge that another version wrote."""
    known = journal.learned
    known.learn([CLAIM, replace(CLAIM, key="other")])
    known.tried(TRY)
    known.outlined([Outlined(listed=LISTED, hash="h", outline=OUTLINE)])
    journal.commit()
    with closing(open_database(file, ROOT)) as connection:
        for table, line in (("claim", "{"), ("past_try", '{"mood": 1}'), ("outline", "{}")):
            which = " WHERE key = 'other'" if table == "claim" else ""
            connection.execute(f"UPDATE {table} SET line = ?{which}", (line,))
    assert (known.claims(), known.tries(), known.outlines(["till.py"])) == ((CLAIM,), (), {})


def test_the_newest_tries_are_looked_through(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "MAX_TRIES", 2)
    for number in range(4):
        journal.learned.tried(replace(TRY, candidate=str(number), number=number))
    journal.learned.tried(replace(TRY, candidate="0", number=0, passed=True))
    journal.commit()
    assert [(each.candidate, each.passed) for each in journal.learned.tries()] == [("0", True), ("3", False)]


some_claims = st.lists(
    st.builds(
        Claim,
        key=st.sampled_from([str(number) for number in range(20)]),
        section=st.sampled_from(list(SECTIONS)),
        text=st.text(min_size=1, max_size=MAX_CHARACTERS).filter(str.strip),
        search=st.sampled_from(["5eac", "0ther"]),
        quotes=st.lists(st.builds(Quote, path=st.just("a.py"), text=st.text(max_size=60)), max_size=MAX_QUOTES).map(
            tuple
        ),
    ),
    max_size=8,
)


@given(
    st.lists(some_claims, max_size=5), st.integers(min_value=1, max_value=6), st.integers(min_value=100, max_value=3000)
)
def test_claims_with_least_evidence_go_first(
    tmp_path_factory: pytest.TempPathFactory, told: list[list[Claim]], most: int, size: int
) -> None:
    """Claims are bounded in number and in size."""
    file = tmp_path_factory.mktemp("journal") / "till.sqlite"
    with (
        closing(Journal(open_database(file, ROOT))) as journal,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(knowledge, "MAX_CLAIMS", most)
        patch.setattr(knowledge, "MAX_CLAIM_BYTES", size)
        for search in ("5eac", "0ther"):
            journal.begin(search, ASKED)
        for claims in told:
            before = journal.learned.claims()
            journal.learned.learn(claims)
            journal.commit()
            kept = journal.learned.claims()
            assert len(kept) <= most
            assert sum(len(claim.text) for claim in kept) <= size
            offered = {claim.key: claim for claim in (*reversed(before), *claims)}
            assert all(offered[claim.key] == claim for claim in kept)
            dropped = [claim for claim in offered.values() if claim not in kept]
            if kept and dropped:
                assert min(len(claim.quotes) for claim in kept) >= min(len(claim.quotes) for claim in dropped)
