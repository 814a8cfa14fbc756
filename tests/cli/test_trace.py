"""`--trace` prints the runs of a command with their times."""

from __future__ import annotations

from pathlib import Path

from support.cli.command import SOURCE, certo, till


def test_runs_are_printed_with_times(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=SOURCE.replace("due > coin", "due >= coin"))
    traced, plain = (certo(root, "verify", "till.py::change", *more) for more in (["--trace"], []))
    assert (traced.code, plain.code) == (0, 0)
    lines = traced.err.splitlines()
    assert sum(line.startswith("baseline ") for line in lines) == 1
    assert any("mutant: neighbour" in line for line in lines)
    assert any("s of processor time" in line for line in lines)
    assert "processor" not in plain.err
