"""The hunks of a change are all of it and nothing else, and stand apart."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from certo.edits.hunks import hunks_of
from certo.edits.newlines import split_lines
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


def test_a_hunk_has_the_lines_that_changed_and_no_others() -> None:
    assert hunks_of("a\nb\nc\n", "a\nB\nc\nd\n") == (
        Hunk(line=2, removed=("b\n",), added=("B\n",)),
        Hunk(line=4, removed=(), added=("d\n",)),
    )
