"""`certo tests`, by the real command on real projects."""

from __future__ import annotations

from pathlib import Path

from support.cli.command import certo, till

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
