"""`certo verify --strength`, by the real command on real projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli.command import certo

SOURCE = """\
def fee(amount):
    if amount > 100:
        return 5
    return 0


def nothing(amount):
    pass
"""

TESTS = """\
import pytest
from shop import fee, nothing

def test_small():
    assert fee(50) == 0

def test_large():
    assert fee(500) == 5

def test_nothing():
    nothing(1)
"""


def project(root: Path, tests: str = TESTS) -> Path:
    """Write a small project."""
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text(SOURCE, encoding="utf-8")
    (root / "tests" / "test_shop.py").write_text(tests, encoding="utf-8")
    return root


def test_gaps_are_listed_with_calls(tmp_path: Path) -> None:
    """The limit itself is in no test; what is measured does not decide the exit code."""
    root = project(tmp_path / "shop")
    ran = certo(root, "verify", "shop.py::fee", "--strength")
    assert ran.code == 0
    assert "your tests notice" in ran.out
    assert "unnoticed:" in ran.out
    assert "fee(100) gives 0, would give 5" in ran.out


@pytest.mark.slow
def test_strength_is_told_as_json(tmp_path: Path) -> None:
    """The folder of the tests may be read-only, for nothing is written."""
    root = project(tmp_path / "shop")
    files = sorted(root.rglob("*"))
    (root / "tests").chmod(0o555)
    ran = certo(root, "verify", "shop.py::fee", "--strength", "--json")
    (root / "tests").chmod(0o755)
    assert ran.code == 0
    (report,) = ran.events
    strength = report["evidence"]["strength"]
    assert 0 < strength["noticed"] < strength["of"] == strength["noticed"] + len(strength["gaps"])
    assert strength["tried"] == strength["possible"] == strength["of"] + strength["uncounted"]
    assert "fee(100)" in {gap["call"] for gap in strength["gaps"] if gap["line"] == 2}
    assert sorted(root.rglob("*")) == files


SKIPPED = TESTS.replace("def test", "@pytest.mark.skip\ndef test")


@pytest.mark.usual_cases("no tests")
@pytest.mark.parametrize(
    ("name", "tests", "said"),
    [
        ("fee", SKIPPED, "no test of fee passes, so there is nothing to measure"),
        ("fee", "", "no test of fee passes, so there is nothing to measure"),
        ("nothing", TESTS, "certo knows no small change of nothing that could matter"),
    ],
    ids=["all skipped", "no tests", "no mutants"],
)
def test_reason_is_told_without_strength(tmp_path: Path, name: str, tests: str, said: str) -> None:
    """It is not verified either, and that decides the exit code."""
    ran = certo(project(tmp_path / "shop", tests), "verify", f"shop.py::{name}", "--strength")
    assert ran.code == 1
    assert said in " ".join(ran.out.split())
    assert "your tests notice" not in ran.out


def test_unknown_target_is_bad_usage(tmp_path: Path) -> None:
    ran = certo(project(tmp_path / "shop"), "verify", "shop.py::absent", "--strength", "--json")
    assert ran.code == 2
    assert "absent" in ran.out + ran.err
