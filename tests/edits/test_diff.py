"""Diffs, which git must be able to apply, and the lines a change touched."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from certo.edits.diff import changed_lines, unified
from certo.vocabulary.display import visible


def apply_with_git(folder: Path, path: str, base: str, patch: str) -> str:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base.encode())
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"], cwd=folder, input=patch.encode(), check=True, capture_output=True
    )
    return file.read_bytes().decode()


LINES = st.lists(st.sampled_from(["a", "b", "", "é😀", "\u2028c\x0c", "d\r", "-- x", "\\ No"]), max_size=12)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, LINES, st.booleans(), st.booleans(), st.sampled_from(["\n", "\r\n"]))
@example(["a"], ["a"], True, False, "\r\n")
@example([], ["a"], True, True, "\n")
@example(["a"], ["a", "b"], False, False, "\n")
def test_git_applies_the_diff(
    tmp_path: Path, old: list[str], new: list[str], old_ends: bool, new_ends: bool, newline: str
) -> None:
    base = newline.join(old) + (newline if old and old_ends else "")
    text = newline.join(new) + (newline if new and new_ends else "")
    patch = unified(base, text, "a.py")
    if base == text:
        assert patch == ""
    else:
        assert apply_with_git(tmp_path, "a.py", base, patch) == text


@pytest.mark.parametrize(
    "path",
    [
        "src/pkg/a.py",
        "with space/b c.py",
        "größe/ü.py",
        'q"uo\\te.py',
        "tab\there.py",
        "a\nb\r.py",
        "a\u202eb\x85\u200b.py",
    ],
)
def test_git_finds_the_file_by_its_path(tmp_path: Path, path: str) -> None:
    patch = unified("x\n", "y\n", path)
    assert apply_with_git(tmp_path, path, "x\n", patch) == "y\n"
    assert visible(patch) == patch
    assert len(patch.splitlines()) == 5


def test_the_form_of_a_diff() -> None:
    assert unified("a\nb\n", "a\nc", "m.py") == (
        "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
    )


def test_changed_lines_refer_to_the_new_text() -> None:
    base = "a\nb\nc\nd\n"
    assert changed_lines(base, base) == frozenset()
    assert changed_lines(base, "a\nB\nc\nd\ne\n") == {2, 5}
    assert changed_lines(base, "a\nb\nc\nx\ny\nd\n") == {4, 5}
    assert changed_lines(base, "a\nd\n") == {1, 2}
    assert changed_lines(base, "b\nc\nd\n") == {1}
    assert changed_lines(base, "a\nb\nc\n") == {3}
    assert changed_lines(base, "") == frozenset()
    assert changed_lines("a\r\nb\r\n", "a\r\nB\r\n") == {2}
