"""`certo diff` says what a function does otherwise than before, how that was found out, and what was not compared."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from certo.cli.main import main
from support.projects.bare_environment import bare_python

BEFORE = """\
def total(prices: list[int]) -> int:
    amount = 0
    for price in prices:
        if price < 0:
            continue
        amount += price
    return amount


def pick(socket):
    return socket.fileno()


def outer():
    def inner(n):
        return n
    return inner
"""
OTHERWISE = BEFORE.replace("            continue", "            pass")
ALIKE = BEFORE.replace("    amount = 0\n", "    amount = 1 - 1\n")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed module in a repository, which is the current directory."""
    (tmp_path / "shop.py").write_text(BEFORE, encoding="utf-8")
    (tmp_path / "pyproject.toml").touch()
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "shop.py"


def diff(*words: str) -> int:
    """Run the command with an interpreter that has pytest and nothing else; the exit code."""
    return main(["diff", *words, "--interpreter", str(bare_python())])


@pytest.mark.slow
def test_smallest_call_with_both_results(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text(OTHERWISE, encoding="utf-8")
    assert diff("shop.py::total") == 1
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:4] == ["DIFFERENT  total in shop.py:1, against HEAD", "total([-1])", "HEAD: gives 0", "now: gives -1"]


def test_no_difference_is_never_equivalence(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text(ALIKE, encoding="utf-8")
    assert diff("shop.py::total") == 0
    said = capsys.readouterr().out
    assert said.startswith("NO DIFFERENCE FOUND  total in shop.py:1, against HEAD\n  compared ")
    assert "every branch of both versions was executed" in said
    assert not any(word in said.lower() for word in ("equivalent", "safe", "proved", "correct", "100 %", "same behav"))


@pytest.mark.slow
def test_all_changed_functions(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text(OTHERWISE + "\n\ndef fresh():\n    return 1\n", encoding="utf-8")
    assert diff("--changed", "HEAD") == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("shop.py::total  different: total([-1]) gave 0, now -1")
    assert last == "1 compared, 0 not compared, 1 different, 1 function not in HEAD"


def test_what_cannot_be_compared_is_not_green(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff("shop.py::outer.inner") == 4
    assert "inside another function and cannot be called from outside; compare outer" in capsys.readouterr().out


@pytest.mark.slow
def test_json_says_the_same(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text(OTHERWISE, encoding="utf-8")
    assert diff("shop.py::total", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["result"], told["differences"][0]["call"]) == ("different", "total([-1])")
    assert told["compared"] <= sum(told["made"].values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop.py::total", "--against", "nowhere"], "there is no revision 'nowhere'"),
        (["shop.py::nothing"], "there is no function 'nothing'"),
        (["shop.py::total", "--with", "shop.py", "--against", "HEAD"], "choose one"),
        ([], "name one function"),
    ],
    ids=["no revision", "no function", "two versions", "no target"],
)
def test_bad_requests(shop: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert diff(*words) == 2
    assert said in capsys.readouterr().err


def test_without_a_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with the other version serves as well."""
    now, before = tmp_path / "now.py", tmp_path / "before.py"
    now.write_text(OTHERWISE, encoding="utf-8")
    before.write_text(BEFORE, encoding="utf-8")
    assert diff(f"{now}::total") == 2
    assert "is in no git repository" in capsys.readouterr().err
    assert diff(f"{now}::total", "--with", str(before)) == 1


def commit(shop: Path) -> None:
    """Commit all files."""
    for words in (["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "more"]):
        subprocess.run(["git", *words], cwd=shop.parent, check=True)


CALLER = "from shop import total\n\n\ndef bill(prices: list[int]) -> str:\n    return f'{total(prices)} to pay'\n"


def test_callers_come_last_and_in_the_table(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop.parent / "bill.py").write_text(CALLER, encoding="utf-8")
    commit(shop)
    shop.write_text(OTHERWISE, encoding="utf-8")
    assert diff("--changed", "HEAD", "--callers", "--summary", "table.md") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("  ")[0] for line in lines[:2]] == ["shop.py::total", "bill.py::bill"]
    assert lines[1].startswith("bill.py::bill  different: bill([-1]) gave ")
    table = (shop.parent / "table.md").read_text(encoding="utf-8")
    assert "| function | result | evidence |" in table
    assert "2 compared, 0 not compared, 2 different." in table


def test_moved_and_renamed_function_is_found(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text(BEFORE[BEFORE.index("def pick") :], encoding="utf-8")
    function = OTHERWISE[: OTHERWISE.index("def pick")].replace("def total", "def amount_of")
    (shop.parent / "sums.py").write_text(function, encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=shop.parent, check=True)
    assert diff("--changed", "HEAD") == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("sums.py::amount_of  different: amount_of([-1]) gave 0, now -1")


def test_nearest_revision_with_the_function_is_named(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text("x = 1\n", encoding="utf-8")
    commit(shop)
    shop.write_text(BEFORE, encoding="utf-8")
    assert diff("shop.py::total") == 2
    earlier = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD~1"], cwd=shop.parent, capture_output=True, text=True, check=True
    )
    said = " ".join(capsys.readouterr().err.split())
    assert f"the nearest revision that has it is {earlier.stdout.strip()}: --against" in said


@pytest.mark.slow
def test_unexecuted_part_of_the_change_is_weak(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = BEFORE.replace("    amount = 0\n", "    amount = 0\n    if len(prices) > 10**6:\n        amount = 1\n")
    shop.write_text(now, encoding="utf-8")
    assert diff("--changed", "HEAD") == 0
    assert "shop.py::total  weak evidence: no call executed a part of the change, line 3, " in capsys.readouterr().out
    assert diff("shop.py::total", "--require-compared") == 4


def test_hole_is_not_compared(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop.write_text("def total(prices: list[int]) -> int:\n    ...\n", encoding="utf-8")
    assert diff("shop.py::total") == 4
    assert "total has no body yet, so there is nothing to compare" in capsys.readouterr().out
