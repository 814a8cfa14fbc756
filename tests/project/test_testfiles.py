"""Test files are found by name, and not where they are someone else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from certo.project import testfiles
from certo.project.testfiles import find_test_files

if TYPE_CHECKING:
    from pathlib import Path


def test_files_are_found_outside_environments(tmp_path: Path) -> None:
    """Names count as pytest takes them."""
    for name in (
        "test_top.py",
        "tests/deep/test_one.py",
        "src/shop_test.py",
        "tests/conftest.py",
        "tests/testing.py",
        "tests/test_notes.md",
        ".venv/lib/test_hidden.py",
        "myenv/lib/test_foreign.py",
        "node_modules/x/test_js.py",
        "build/lib/test_built.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "myenv" / "pyvenv.cfg").touch()
    found = [file.relative_to(tmp_path).as_posix() for file in find_test_files(tmp_path)]
    assert found == ["test_top.py", "src/shop_test.py", "tests/deep/test_one.py"]


@pytest.mark.parametrize(
    ("path", "qualname", "test"),
    [
        ("tests/test_till.py", "test_change", "tests/test_till.py::test_change"),
        ("src/till_test.py", "TestTill.test_change", "src/till_test.py::TestTill::test_change"),
        ("tests/test_till.py", "test_change.<locals>.paid", "tests/test_till.py::test_change"),
        ("tests/test_till.py", "paid", None),
        ("tests/test_till.py", "paid.<locals>.test_inner", None),
        ("tests/test_till.py", "TestTill.paid", None),
        ("tests/conftest.py", "test_change", None),
        ("src/till.py", "test_coin", None),
    ],
)
def test_a_test_is_known_by_its_name(path: str, qualname: str, test: str | None) -> None:
    """Its file has to be named as a test too."""
    assert testfiles.test_named(path, qualname) == test
