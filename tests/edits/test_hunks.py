"""The hunks of a change are all of it and nothing else, and stand apart."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.diff import hunks_of, with_hunks
from certo.edits.positions import split_lines
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.text import Hunk

LINES = st.lists(st.sampled_from(["a\n", "b\r\n", "\n", "c\r", "last"]), max_size=8).map("".join)


def applied(base: str, hunks: tuple[Hunk, ...]) -> str:
    """The base with every hunk put in by whoever has nothing else."""
    lines = split_lines(base)
    for hunk in reversed(hunks):
        start = hunk.line - 1
        assert tuple(lines[start : start + len(hunk.removed)]) == hunk.removed
        lines[start : start + len(hunk.removed)] = hunk.added
    return "".join(lines)


@given(base=LINES, text=LINES)
def test_all_hunks_together_are_the_change(base: str, text: str) -> None:
    hunks = hunks_of(base, text)
    assert applied(base, hunks) == text
    assert all(hunk.removed or hunk.added for hunk in hunks)
    assert all(one.line + len(one.removed) < other.line for one, other in pairwise(hunks))


def test_a_hunk_has_only_the_changed_lines() -> None:
    assert hunks_of("a\nb\nc\n", "a\nB\nc\nd\n") == (
        Hunk(line=2, removed=("b\n",), added=("B\n",)),
        Hunk(line=4, removed=(), added=("d\n",)),
    )


@given(base=LINES, text=LINES, data=st.data())
def test_chosen_hunks_make_only_their_changes(base: str, text: str, data: st.DataObject) -> None:
    hunks = hunks_of(base, text)
    numbers = data.draw(st.sets(st.sampled_from(range(1, len(hunks) + 1))) if hunks else st.just(set()))
    chosen = tuple(hunk for number, hunk in enumerate(hunks, start=1) if number in numbers)
    assert with_hunks(base, (text, numbers)) == applied(base, chosen)


def test_a_missing_hunk_is_named() -> None:
    with pytest.raises(BadSetting, match="no hunk 3; name some of 1 to 2"):
        with_hunks("a\nb\nc\n", ("A\nb\nC\n", (1, 3)))


@given(base=LINES, text=LINES, data=st.data())
def test_hunks_may_be_chosen_twice(base: str, text: str, data: st.DataObject) -> None:
    hunks = range(1, len(hunks_of(base, text)) + 1)
    some, others = (data.draw(st.sets(st.sampled_from(hunks)) if hunks else st.just(set())) for _ in range(2))
    assert with_hunks(base, (text, some), (text, others)) == with_hunks(base, (text, some | others))


def test_hunks_of_two_texts_are_mixed() -> None:
    base = "a\nb\nc\nd\n"
    assert with_hunks(base, ("A\nb\nc\nD\n", {2}), ("1\nb\nc\nd\n", {1})) == "1\nb\nc\nD\n"
    assert with_hunks(base, ("A\nB\nc\nd\n", {1}), ("a\nb\nnew\nc\nd\n", {1})) == "A\nB\nnew\nc\nd\n"


@pytest.mark.parametrize("other", ["a\nX\nc\n", "a\nX\nY\n", "a\nnew\nb\nc\n"])
def test_hunks_of_the_same_lines_are_refused(other: str) -> None:
    with pytest.raises(BadSetting, match="two of the hunks change line 2 in different ways"):
        with_hunks("a\nb\nc\n", ("a\nB\nc\n", {1}), (other, {1}))
