"""Merging by git: both changes survive, or the places where they collide are told."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certo.edits.merge import merge
from certo.vocabulary.errors import BrokenWorld

BASE = "def f(a):\n    # é🍎\n    b = a\n    c = b\n" + "    a += 1\n" * 5 + "    d = c\n    return d\n"


async def test_changes_of_distant_lines_both_survive() -> None:
    merged = await merge(BASE, BASE.replace("é🍎", "𝔘"), BASE.replace("return d", "return -d"))
    assert merged == BASE.replace("é🍎", "𝔘").replace("return d", "return -d")


async def test_line_breaks_stay_as_they_are() -> None:
    """So does a last line without one."""
    base = BASE.replace("\n", "\r\n").rstrip("\r\n")
    merged = await merge(base, base.replace("é", "e"), base.replace("return d", "return -d"))
    assert merged == base.replace("é", "e").replace("return d", "return -d")


async def test_collisions_are_located_with_both_versions() -> None:
    ours = "import re\n" + BASE.replace("c = b", "c = b + 1").replace("return d", "return d  # 🍎")
    theirs = BASE.replace("    # é🍎\n", "").replace("c = b", "c = 2\n    c *= b").replace("return d", "return -d")
    collisions = await merge(BASE, ours, theirs)
    assert isinstance(collisions, tuple)
    assert [ours[each.span.start : each.span.end] for each in collisions] == [each.ours for each in collisions]
    assert [(each.ours, each.theirs) for each in collisions] == [
        ("    c = b + 1\n", "    c = 2\n    c *= b\n"),
        ("    return d  # 🍎\n", "    return -d\n"),
    ]


async def test_lines_that_look_like_marks_are_lines() -> None:
    base = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    collisions = await merge(base, base.replace("a", "<<<<<<<< x"), base.replace("a", "c"))
    assert isinstance(collisions, tuple)
    (collision,) = collisions
    assert (collision.ours, collision.theirs) == ("<<<<<<<< x\n", "c\n")


async def test_the_same_change_twice_is_one() -> None:
    changed = BASE.replace("c = b", "c = 2 * b")
    assert await merge(BASE, changed, changed) == changed


async def test_git_settings_do_not_change_the_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config").write_text("[merge]\n\tconflictStyle = diff3\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    collisions = await merge("a\n", "b\n", "c\n")
    assert isinstance(collisions, tuple)
    assert [(each.ours, each.theirs) for each in collisions] == [("b\n", "c\n")]


async def test_without_git_the_refusal_names_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrokenWorld, match="install git"):
        await merge("a\n", "b\n", "c\n")


def changed(lines: list[str], where: list[int], mark: str) -> str:
    """The lines with these changed."""
    return "".join(f"{mark}{line}" if number in where else line for number, line in enumerate(lines))


@settings(max_examples=20, deadline=None)
@given(data=st.data(), newline=st.sampled_from(["\n", "\r\n"]))
def test_separate_changes_merge_and_collisions_never_do(data: st.DataObject, newline: str) -> None:
    """Changes with a line between them merge; changes of one line collide."""
    lines = [f"{number} é🍎{newline}" for number in range(12)]
    ours = data.draw(st.lists(st.integers(0, 11), min_size=1, max_size=3, unique=True))
    theirs = data.draw(st.lists(st.integers(0, 11), min_size=1, max_size=3, unique=True))
    base, one, other = "".join(lines), changed(lines, ours, "a"), changed(lines, theirs, "b")
    merged = anyio.run(merge, base, one, other)
    if min(abs(mine - their) for mine in ours for their in theirs) > 1:
        assert merged == changed(
            [changed(lines, ours, "a").splitlines(keepends=True)[n] for n in range(12)], theirs, "b"
        )
    elif set(ours) & set(theirs):
        assert isinstance(merged, tuple)
        assert all(one[each.span.start : each.span.end] == each.ours for each in merged)
