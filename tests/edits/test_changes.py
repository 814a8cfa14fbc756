"""A candidate's changes besides its document, as values and as a diff that git applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.diff import change_of, whole_diff, with_hunks
from certo.vocabulary.candidate import Candidate, Origin
from support.search.candidates import HALF, problem

TEXTS = st.text(alphabet="ab\n", max_size=12)


@given(before=st.none() | TEXTS, after=TEXTS)
def test_all_hunks_make_the_whole_change(before: str | None, after: str) -> None:
    change = change_of("other.py", before, after)
    assert with_hunks(before or "", (change.after, range(1, len(change.hunks) + 1))) == change.after
    assert (change.before, change.after) == (before, after)


def test_line_breaks_of_a_file_are_kept() -> None:
    assert change_of("other.py", "a\r\nb\r\n", "a\nc\n").after == "a\r\nc\r\n"
    assert change_of("new.py", None, "a\nc\n").after == "a\nc\n"


@pytest.mark.parametrize("path", ["other.py", "pack/with blank.py"])
def test_git_applies_the_diff_of_several_files(tmp_path: Path, path: str) -> None:
    """One of the files is new."""
    (tmp_path / "half.py").write_text(HALF)
    (tmp_path / "pack").mkdir()
    (tmp_path / path).write_text("ONE = 2\n")
    candidate = Candidate(
        id="c",
        edits=(),
        text=HALF.replace("n\n", "n // 2\n"),
        origin=Origin(generator="a test"),
        elsewhere=(change_of(path, "ONE = 2\n", "ONE = 1\n"), change_of("pack/made.py", None, "TWO = 2\n")),
    )
    diff = whole_diff(candidate, problem())
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.encode(), check=True)
    assert (tmp_path / "half.py").read_text() == candidate.text
    assert (tmp_path / path).read_text() == "ONE = 1\n"
    assert (tmp_path / "pack/made.py").read_text() == "TWO = 2\n"
