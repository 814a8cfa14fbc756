"""The watched lines of a candidate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.target import ByName, find_target, with_second
from certo.verification.dynamic.harness import WatchedLines, watched
from certo.vocabulary.problem import SecondFunction

BASE = """\
import os


@os.register
def target(
    x,
):
    if x:
        y = [
            1,
        ]
    else:
        y = 2
    return y


def after():
    return 1
"""


def of(text: str, base: str = BASE) -> WatchedLines:
    return watched(base, text, find_target(base, ByName("target"), path="a.py"))


def test_the_base_text_has_no_changed_lines() -> None:
    assert of(BASE) == WatchedLines(first=4, last=14)


@pytest.mark.parametrize(
    ("old", "new", "changed", "entry_counts", "last"),
    [
        ("y = 2", "y = 3", {13}, False, 14),
        ("            1,\n", "            1,\n            2,\n", {9, 10, 11, 12}, False, 15),
        ("    x,\n", "    x=1,\n", {6}, True, 14),
        ("@os.register\n", "@os.other\n", {4}, True, 14),
        ("    if x:\n", "    if not x:\n", {8}, False, 14),
        ("    else:\n        y = 2\n", "", {9, 10, 11, 12}, False, 12),
        ("    return y\n", "    y += 1\n    return y\n", {14}, False, 15),
    ],
)
def test_all_lines_of_changed_statements_are_watched(
    old: str, new: str, changed: set[int], entry_counts: bool, last: int
) -> None:
    assert BASE.count(old) == 1
    assert of(BASE.replace(old, new)) == WatchedLines(
        first=4, last=last, changed=frozenset(changed), entry_counts=entry_counts
    )


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_breaks_count_the_same(newline: str) -> None:
    base = BASE.replace("\n", newline)
    assert of(base.replace("y = 2", "y = 3"), base).changed == {13}


def test_unparsable_candidates_are_watched_by_line() -> None:
    assert of(BASE.replace("y = 2", "y = (")).changed == {13}


@given(
    st.lists(st.sampled_from(["    pass", "    x = (1,", "        2)", "", "  # note", "    'é\u2028'"]), max_size=6)
)
def test_only_lines_of_the_target_are_watched(lines: list[str]) -> None:
    text = BASE.replace("    return y\n", "".join(line + "\n" for line in lines) + "    return y\n")
    seen = of(text)
    assert (seen.first, seen.last) == (4, 14 + len(lines))
    assert all(seen.first <= line <= seen.last for line in seen.changed)
    assert bool(seen.changed) == bool(lines)


METHOD = "class A:\n    def one(self):\n        return 1\n\n\ndef two():\n    return 2\n"


def test_the_first_of_two_has_the_head() -> None:
    """The method's body is no part of a head, although the tree of the function behind its class comes first."""
    first, last = (find_target(METHOD, ByName(name), path="a.py") for name in ("A.one", "two"))
    both = with_second(first, "a.py", SecondFunction(path="a.py", target=last))
    lines = watched(METHOD, METHOD.replace("return 1", "return 3"), both)
    assert lines == WatchedLines(first=2, last=7, changed=frozenset({3}))
