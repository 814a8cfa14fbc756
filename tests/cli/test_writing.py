"""Putting a text in a file's place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.cli.writing import replace_text
from certo.vocabulary.errors import BadRequest, StaleText

BEFORE = "\ufeffx = 'é'\r\ny = 2"
AFTER = "\ufeffx = 'ö'\r\ny = 2"


def test_bytes_mode_and_neighbours_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE.encode())
    path.chmod(0o750)
    replace_text(path, before=BEFORE, after=AFTER)
    assert path.read_bytes() == AFTER.encode()
    assert path.stat().st_mode & 0o777 == 0o750
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "real" / "a.py"
    real.parent.mkdir()
    real.write_bytes(BEFORE.encode())
    link = tmp_path / "link.py"
    link.symlink_to(real)
    replace_text(link, before=BEFORE, after=AFTER)
    assert link.is_symlink()
    assert real.read_bytes() == AFTER.encode()


def test_a_text_that_is_not_the_one_expected_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("z = 3\n")
    with pytest.raises(StaleText, match=r"a\.py"):
        replace_text(path, before=BEFORE, after=AFTER)
    assert path.read_text() == "z = 3\n"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_file_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="nothing was changed"):
        replace_text(tmp_path / "gone.py", before=BEFORE, after=AFTER)
    assert os.listdir(tmp_path) == []


def test_a_read_only_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE.encode())
    path.chmod(0o444)
    with pytest.raises(BadRequest, match=r"a\.py is read-only"):
        replace_text(path, before=BEFORE, after=AFTER)
    assert path.read_bytes() == BEFORE.encode()
    assert os.listdir(tmp_path) == ["a.py"]
