"""`certo memory` shows what is known of a project and what was tried, and forgets what it learned."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from certo.cli.stored.memory import add_arguments, main
from certo.storage.location import journal_file, journal_folder
from certo.storage.paid_calls import PaidCall
from certo.vocabulary.errors import BadSetting, BrokenWorld
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.knowledge import Claim, PastAttempt, Quote
from certo.vocabulary.score import Score
from support.projects.projects import write_project
from support.search.journalled_searches import SUMS, journal_of, leave

pytestmark = pytest.mark.acceptance(64, 65)

CLAIM = Claim(
    key="a",
    section="gotchas",
    text="double overflows \x1b[31m",
    search="5eac",
    quotes=(Quote(path="sums.py", text="def double(n):"),),
)
SCORE = Score(value=3.0, unit="tests", source="tests")
FAILED = PastAttempt(
    search="5eac",
    candidate="aaa",
    number=1,
    path="sums.py",
    qualname="double",
    at=2.0,
    failure="`tests`: KeyError: 'n'",
    score=SCORE,
)
PASSED = replace(FAILED, candidate="bbb", number=2, at=1.0, failure="", passed=True, cost=2.5, score=None)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("CERTO_SANDBOX__ISOLATION", "process")
    project = write_project(tmp_path / "sums", {"sums.py": SUMS, "pyproject.toml": ""}).resolve()
    leave(journal_folder(os.environ), project)
    with closing(journal_of(journal_folder(os.environ), project)) as journal:
        journal.learned.learn([CLAIM, replace(CLAIM, key="b", quotes=(Quote(path="sums.py", text="gone"),))])
        for each in (PASSED, FAILED):
            journal.learned.tried(each)
        journal.commit()
    return project


async def ran(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert await main(parser.parse_args([*words, "--root", str(root)])) == 0
    return capsys.readouterr().out


async def test_what_is_known_is_shown_and_forgotten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "sums.py | double(n); half(n)" in await ran(root, capsys, "show")
    gotchas = await ran(root, capsys, "show", "--section", "gotchas")
    assert gotchas.startswith("double overflows ")
    assert "\x1b" not in gotchas
    assert gotchas.endswith("[sums.py: def double(n):]\n"), "what is quoted from nowhere is not shown"
    assert await ran(root, capsys, "show", "--section", "entrypoints") == "Nothing is known of where a run begins.\n"
    assert [json.loads(line)["key"] for line in (await ran(root, capsys, "show", "--json")).splitlines()] == ["a"]
    with closing(journal_of(journal_folder(os.environ), root)) as journal:
        journal.remember("5eac", "key", "a verdict")
        journal.paid.begin("5eac", PaidCall(mark="m", key="k", calls=1, tokens=9, dollars=None, reply="{}"))
        journal.commit()
    assert await ran(root, capsys, "forget") == (
        "deleted the map, 2 lessons, 2 tries, 1 cached verdict and 1 cached answer; "
        "1 search kept (`certo searches forget --all`)\n"
    )
    assert (await ran(root, capsys, "forget")).startswith(
        "deleted the map, 0 lessons, 0 tries, 0 cached verdicts and 0 cached answers; "
    )
    assert "overflows" not in await ran(root, capsys, "show")
    assert await ran(root, capsys, "tries") == ""
    with closing(journal_of(journal_folder(os.environ), root)) as journal:
        assert journal.remembered("key") is None
        assert [call.reply for call in journal.paid.of("5eac")] == [None]
        assert [kept.id for kept in journal.searches()] == ["5eac"]


async def test_rejected_candidate_is_not_shown_as_passed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By any process and at any time; the last word of the user counts."""

    async def said(ruling: str, note: str = "") -> str:
        with closing(journal_of(journal_folder(os.environ), root)) as journal:
            journal.opinion("5eac", Feedback(candidate_id="bbb", ruling=ruling, note=note))
            journal.commit()
        lines = (await ran(root, capsys, "tries", "--by", "cost")).splitlines()
        return next(line for line in lines if " #2 " in line)

    assert await said("rejected", "it loses \x1b[31m cents") == (
        "5eac #2  sums.py::double  rejected by the user: it loses \\x1b[31m cents, at a cost of 2.5"
    )
    assert "#1" in (await ran(root, capsys, "tries", "--by", "score")).splitlines()[0], "it is no success any more"
    assert "  passed, at" in await said("accepted")
    assert "accepted by the user and undone again" in await said("undone")
    [told] = [json.loads(line) for line in (await ran(root, capsys, "tries", "--json")).splitlines() if "bbb" in line]
    assert (told["passed"], told["ruling"]) == (True, "undone")


async def test_rejected_candidate_leaves_no_lesson(root: Path) -> None:
    lesson = replace(CLAIM, key="candidate 5eac bbb", text="what changed a constant passed")
    with closing(journal_of(journal_folder(os.environ), root)) as journal:
        journal.learned.learn([lesson])
        journal.commit()
        assert lesson in journal.learned.claims()
        journal.opinion("5eac", Feedback(candidate_id="bbb", ruling="undone"))
        journal.commit()
        assert lesson not in journal.learned.claims()
        assert journal.learned.rejected() == {}
        journal.opinion("5eac", Feedback(candidate_id="bbb", ruling="rejected", note="no"))
        journal.commit()
        assert journal.learned.rejected() == {"bbb": "no"}


async def test_attempts_are_sorted_as_asked(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By time, by cost or by likeness to words."""
    failed = "5eac #1  sums.py::double  failed `tests`: KeyError: 'n', with a score of 3 tests"
    passed = "5eac #2  sums.py::double  passed, at a cost of 2.5"
    assert (await ran(root, capsys, "tries")).splitlines() == [failed, passed]
    assert (await ran(root, capsys, "tries", "--by", "cost")).splitlines() == [passed, failed]
    assert (await ran(root, capsys, "tries", "--like", "a KeyError")).splitlines() == [failed]
    assert json.loads(await ran(root, capsys, "tries", "--like", "KeyError", "--json"))["candidate"] == "aaa"


async def test_disabled_journal_is_reported(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTO_JOURNAL__ENABLED", "false")
    with pytest.raises(BadSetting, match=r"journal\.enabled is false"):
        await ran(root, capsys, "show")


async def test_damaged_journal_is_reported_with_its_fate(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = journal_file(journal_folder(os.environ), root)
    for more in ("-wal", "-shm"):
        file.with_name(file.name + more).unlink(missing_ok=True)
    file.write_bytes(b"no database at all" * 400)
    with pytest.raises(BrokenWorld, match=r"cannot be used: .*; the next search of its project sets it aside"):
        await ran(root, capsys, "show")
