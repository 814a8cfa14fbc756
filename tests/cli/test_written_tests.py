"""`certo tests`, by the real command on real projects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.cli.command import COMMAND, certo, environment, till
from support.projects.repositories import begin, commit

PRICES = "def half(price: int) -> int:\n    return price // 2 if price > 3 else price\n"


def test_nothing_is_written_unless_applied(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    before = sorted(root.rglob("*"))
    ran = certo(root, "tests", "prices.py::half")
    assert ran.code == 0
    assert "in a new file tests/test_prices.py" in ran.out
    assert "These tests state what half does today. certo does not know what it should do." in ran.out
    assert "certo tests prices.py::half --apply" in ran.out
    assert sorted(root.rglob("*")) == before


@pytest.mark.slow
def test_chosen_tests_are_added(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    ran = certo(root, "tests", "prices.py::half", "--apply", "--only", "1", "--json")
    (report,) = ran.events
    assert (ran.code, report["type"], report["applied"]) == (0, "tests", True)
    first, *others = report["written"]["tests"]
    text = (root / "tests/test_prices.py").read_text(encoding="utf-8")
    assert text == f"from prices import half\n\n\n{first['source']}"
    assert others


def test_tests_of_tests_are_refused(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    (file,) = (root / "tests").glob("test_*.py")
    ran = certo(root, "tests", f"tests/{file.name}::test_one_coin")
    assert ran.code == 2
    assert "name the function that needs tests" in ran.err


AS_ORDINARY_USER = """
import ctypes, os, sys
for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by which root may read and write anything
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_read_only_folder_is_refused(tmp_path: Path) -> None:
    root = till(tmp_path / "till")
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    (root / "tests").chmod(0o500)
    command = [sys.executable, "-c", AS_ORDINARY_USER, *COMMAND, "tests", "prices.py::half", "--apply"]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=300, env=environment(tmp_path)
    )
    (root / "tests").chmod(0o700)
    assert (done.returncode, [path.name for path in (root / "tests").iterdir()]) == (2, ["test_till.py"])
    assert "tests is read-only, so tests/test_prices.py cannot be made there; nothing was written" in done.stderr


def test_older_version_gives_doubts(tmp_path: Path) -> None:
    """Tests that fail on the older version are shown, and added only by number."""
    root = till(tmp_path / "till")
    (root / "prices.py").write_text(PRICES.replace("> 3", "> 7"), encoding="utf-8")
    begin(root)
    commit(root)
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    ran = certo(root, "tests", "prices.py::half", "--against", "HEAD", "--apply", "--json")
    written = ran.events[0]["written"]
    assert (ran.code, written["agreement"]["older"], written["agreement"]["reason"]) == (0, "HEAD", "")
    assert written["agreement"]["compared"] > 20
    difference, *_ = written["agreement"]["differences"]
    doubts = {test["name"]: test["doubt"] for test in written["tests"]}
    assert [test["doubt"] for test in written["tests"] if test["call"] == difference["call"]] == [
        f"in HEAD: {difference['before']}"
    ]
    text = (root / "tests/test_prices.py").read_text(encoding="utf-8")
    assert {name for name in doubts if f"def {name}(" in text} == {name for name in doubts if not doubts[name]}
    assert 0 < sum(map(bool, doubts.values())) < len(doubts)


def test_pinned_tests_verify_nothing(tmp_path: Path) -> None:
    """Tests taken from a text prove nothing of it, until it changes or its user has said that they are right."""
    root = till(tmp_path / "till")
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    assert certo(root, "tests", "prices.py::half", "--apply").code == 0
    pinned = certo(root, "verify", "prices.py::half")
    assert "PINNED, NOT VERIFIED: only tests that certo wrote notice what half does" in pinned.out
    (root / "prices.py").write_text(PRICES.replace("> 3", ">= 4"), encoding="utf-8")
    changed = certo(root, "verify", "prices.py::half")
    assert (pinned.code, changed.code) == (1, 0), changed.out
