"""`certo generate --scope files`: shown as one diff, and written to all files or to none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.cli.command import certo, environment, scripted
from support.projects.two_modules import PRICES, PRICES_BREAKING, PRICES_DONE, TILL, TILL_DONE, build

pytestmark = pytest.mark.acceptance(130)

BOTH = {"source": PRICES_DONE, "elsewhere": {"shop/till.py": TILL_DONE, "shop/rates.py": "RATE = 1.19\n"}}
"""What is to blame first is the price; the till is the other file."""

WORDS = ("generate", "tests/test_till.py::test_total", "--scope", "files", "--timeout", "300")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return build(tmp_path / "shop")


@pytest.mark.slow
def test_failing_test_repairs_both_blamed_modules(root: Path) -> None:
    breaking = {"source": PRICES_BREAKING, "elsewhere": {"shop/till.py": TILL_DONE}}
    ran = certo(root, *WORDS, "--apply", *scripted(root, breaking, BOTH))
    assert ran.code == 0, ran.err
    assert "shop/prices.py, shop/rates.py, shop/till.py" in ran.err
    assert "2 tests judge it, 1 failing" in ran.err
    assert "tests 2/2 (1 newly)" in ran.out
    assert (root / "shop/till.py").read_text() == TILL_DONE
    assert (root / "shop/prices.py").read_text() == PRICES_DONE
    assert (root / "shop/rates.py").read_text() == "RATE = 1.19\n"


def test_answer_is_a_reversible_patch_of_files(root: Path) -> None:
    """`git apply` applies it, and takes it back with `-R`."""
    ran = certo(root, *WORDS, *scripted(root, BOTH))
    assert (root / "shop/prices.py").read_text() == PRICES
    for more, texts in ((), (TILL_DONE, PRICES_DONE)), (("-R",), (TILL, PRICES)):
        patch = ["git", "apply", *more]
        subprocess.run(patch, input=ran.out.encode(), cwd=root, check=True, env=environment(root.parent))
        assert tuple((root / "shop" / name).read_text() for name in ("till.py", "prices.py")) == texts
        assert (root / "shop/rates.py").exists() == (not more)


@pytest.mark.slow
def test_built_in_generator_edits_only_one_function(root: Path) -> None:
    ran = certo(root, "generate", "shop/till.py::total", "--scope", "files", "--timeout", "20", "--json")
    assert any("edits one function" in str(event.get("message")) for event in ran.events)
