"""Putting texts in the places of those of files, all or none of them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.file_update import FileReplacement, replace_texts
from certo.vocabulary.errors import BadRequest, StaleText

pytestmark = pytest.mark.acceptance(130)

BEFORE = "\ufeffx = 'é'\r\ny = 2"
AFTER = "\ufeffx = 'ö'\r\ny = 2"


def test_bytes_mode_and_neighbours_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE.encode())
    path.chmod(0o750)
    replace_texts([FileReplacement(path=path, before=BEFORE, after=AFTER)])
    assert path.read_bytes() == AFTER.encode()
    assert path.stat().st_mode & 0o777 == 0o750
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "real" / "a.py"
    real.parent.mkdir()
    real.write_bytes(BEFORE.encode())
    link = tmp_path / "link.py"
    link.symlink_to(real)
    replace_texts([FileReplacement(path=link, before=BEFORE, after=AFTER)])
    assert link.is_symlink()
    assert real.read_bytes() == AFTER.encode()


def test_unexpected_text_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("z = 3\n")
    with pytest.raises(StaleText, match=r"a\.py"):
        replace_texts([FileReplacement(path=path, before=BEFORE, after=AFTER)])
    assert path.read_text() == "z = 3\n"
    assert os.listdir(tmp_path) == ["a.py"]


def test_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="nothing was changed"):
        replace_texts([FileReplacement(path=tmp_path / "gone.py", before=BEFORE, after=AFTER)])
    assert os.listdir(tmp_path) == []


def test_read_only_file_stays_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE.encode())
    path.chmod(0o444)
    with pytest.raises(BadRequest, match=r"a\.py is read-only"):
        replace_texts([FileReplacement(path=path, before=BEFORE, after=AFTER)])
    assert path.read_bytes() == BEFORE.encode()
    assert os.listdir(tmp_path) == ["a.py"]


NAMES = st.sampled_from(["a.py", "b.py", "pack/c.py", "pack/d.py"])
TEXTS = st.none() | st.text(alphabet="xé\r\n", max_size=6)
_refused: list[int] = []
"""How many more files may take their places, before one is refused; empty when none is."""
_meanwhile: list[Callable[[], object]] = []
"""What somebody else does just before that."""


def _refuse(event: str, _arguments: object) -> None:
    if event == "os.rename" and _refused:
        _refused[0] -= 1
        if _refused[0] < 0:
            _refused.clear()
            for deed in _meanwhile:
                deed()
            raise OSError(5, "Input/output error")


@contextmanager
def refused_after(files: int, meanwhile: Callable[[], object] | None = None) -> Iterator[None]:
    """Let the system refuse one replacement, after `files` good ones."""
    _refused[:] = [files]
    _meanwhile[:] = [meanwhile] if meanwhile is not None else []
    try:
        yield
    finally:
        _refused.clear()
        _meanwhile.clear()


sys.addaudithook(_refuse)


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def project(root: Path, texts: Mapping[str, str | None]) -> None:
    (root / "pack").mkdir()
    for name, text in texts.items():
        if text is not None:
            (root / name).write_bytes(text.encode())


def changes(root: Path, before: Mapping[str, str | None], after: Mapping[str, str]) -> list[FileReplacement]:
    return [FileReplacement(path=root / name, before=before.get(name), after=text) for name, text in after.items()]


@given(
    before=st.dictionaries(NAMES, TEXTS),
    after=st.dictionaries(NAMES, st.text(alphabet="yé\r\n", max_size=6), min_size=1),
    refused=st.integers(min_value=0, max_value=4),
)
def test_disk_errors_change_all_files_or_none(
    before: Mapping[str, str | None], after: Mapping[str, str], refused: int
) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        project(root, before)
        untouched = content(root)
        if refused < len(after):
            with refused_after(refused), pytest.raises(BadRequest, match="nothing was changed"):
                replace_texts(changes(root, before, after))
            assert content(root) == untouched
        replace_texts(changes(root, before, after))
        assert content(root) == untouched | {name: text.encode() for name, text in after.items()}


@given(before=st.dictionaries(NAMES, st.text(alphabet="xé\r\n", max_size=6), min_size=1), after=st.data())
def test_undoing_a_change_restores_the_bytes(before: Mapping[str, str], after: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        project(root, before)
        untouched = content(root)
        wanted = {name: after.draw(st.text(alphabet="yé\r\n", max_size=6)) for name in before}
        replace_texts(changes(root, before, wanted))
        replace_texts(changes(root, wanted, before))
        assert content(root) == untouched


def test_one_stale_file_blocks_all_changes(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "x\n", "b.py": "y\n"})
    untouched = content(tmp_path)
    with pytest.raises(StaleText, match=r"b\.py changed"):
        replace_texts(changes(tmp_path, {"a.py": "x\n", "b.py": "z\n"}, {"a.py": "1\n", "b.py": "2\n"}))
    with pytest.raises(StaleText, match=r"b\.py was made"):
        replace_texts(changes(tmp_path, {"a.py": "x\n"}, {"a.py": "1\n", "b.py": "2\n"}))
    assert content(tmp_path) == untouched


def test_unreadable_file_does_not_block_the_rollback(tmp_path: Path) -> None:
    before, after = {"a.py": "x\n", "b.py": "x\n", "c.py": "x\n"}, {"a.py": "y\n", "b.py": "y\n", "c.py": "y\n"}
    project(tmp_path, before)
    with (
        refused_after(2, meanwhile=lambda: (tmp_path / "a.py").write_bytes(b"\xff")),
        pytest.raises(BadRequest, match=r"a\.py .* the others are as they were"),
    ):
        replace_texts(changes(tmp_path, before, after))
    assert content(tmp_path) == {"a.py": b"\xff", "b.py": b"x\n", "c.py": b"x\n"}


def test_new_file_has_the_users_default_mode(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    replace_texts([FileReplacement(path=tmp_path / "new.py", before=None, after="x\n")])
    assert (tmp_path / "new.py").stat().st_mode == (tmp_path / "other").stat().st_mode
