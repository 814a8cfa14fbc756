"""Rebasing: both changes survive, or the edits are refused."""

from __future__ import annotations

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from certo.edits.patch import apply_edits
from certo.edits.rebase import rebase
from certo.vocabulary.errors import StaleText
from certo.vocabulary.text import Span, TextEdit

BASE = "import os\n\n\ndef f(a):\n    return a\n\n\ndef g(a):\n    pass\n\n\ndef h(a):\n    return -a\n"
GUARD = Span(BASE.index("def g"), BASE.index("pass") + 4)
EDITS = (TextEdit(Span(GUARD.end - 4, GUARD.end), "return 2 * a"),)

LINES = st.lists(st.sampled_from(["", "x = 1", "    y", "def f(a):", "    return a", "é😀", "# c"]), max_size=8)


@given(LINES, LINES, LINES, LINES, st.sampled_from(["\n", "\r\n"]))
def test_changes_elsewhere_and_the_edits_both_survive(
    above: list[str], below: list[str], new_above: list[str], new_below: list[str], newline: str
) -> None:
    def text(head: list[str], middle: list[str], tail: list[str]) -> str:
        return "".join(line + newline for line in [*head, *middle, *tail])

    old, new = ["def target(a):", "    pass"], ["def target(a):", "    return 1"]
    base, current = text(above, old, below), text(new_above, old, new_below)
    start = len(text(above, [], []))
    guard = Span(start, start + len(text([], old, [])) - len(newline))
    edits = [TextEdit(Span(guard.end - 4, guard.end), "return 1")]
    try:
        rebased = rebase(base, current, edits, guard=guard)
    except StaleText:
        event("refused")
        following = next((line for line in new_below if line.strip()), "")
        assert following.startswith(" ")
    else:
        assert rebased.text == text(new_above, new, new_below)
        assert apply_edits(current, rebased.edits) == rebased.text
        assert rebased.moved == (base != current)


@given(st.text(alphabet="ab\n ", max_size=30), st.text(alphabet="ab\n ", max_size=30), st.data())
def test_any_change_is_kept_whole_or_refused(base: str, current: str, choose: st.DataObject) -> None:
    start = choose.draw(st.integers(0, len(base)))
    guard = Span(start, choose.draw(st.integers(start, len(base))))
    edits = [TextEdit(guard, "X")]
    try:
        rebased = rebase(base, current, edits, guard=guard)
    except StaleText:
        event("refused")
        return
    replaced = base[guard.start : guard.end]
    at = rebased.edits[0].span
    assert current[at.start : at.end] == replaced
    assert rebased.text == current[: at.start] + "X" + current[at.end :]


@given(st.integers(0, len(GUARD) - 1), st.sampled_from(["", "z", "\n"]))
def test_a_change_within_the_guard_is_refused(at: int, instead: str) -> None:
    offset = GUARD.start + at
    current = BASE[:offset] + instead + BASE[offset + 1 :]
    assume(current != BASE)
    with pytest.raises(StaleText, match=r"line \d+ was changed since"):
        rebase(BASE, current, EDITS, guard=GUARD)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("    pass\n", "    pass  # soon\n"),
        ("    pass\n", "    pass\n    more()\n"),
        ("def g(a):", "@cached\ndef g(a):"),
        ("\n\ndef g(a):", "\n\nasync def g(a):"),
        ("def g(a):\n    pass\n\n\n", ""),
        ("\n", "\r\n"),
    ],
)
def test_changes_that_join_the_target_are_refused(was: str, now: str) -> None:
    with pytest.raises(StaleText):
        rebase(BASE, BASE.replace(was, now), EDITS, guard=GUARD)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("import os\n", ""),
        ("import os\n", "import os\nimport sys\n"),
        ("    return a\n", "    return a + 1\n"),
        ("\n\n\ndef g", "\ndef g"),
        ("    pass\n", "    pass\n\n# note\n"),
        ("-a\n", "-a"),
    ],
)
def test_a_change_next_door_moves_the_edits(was: str, now: str) -> None:
    current = BASE.replace(was, now)
    rebased = rebase(BASE, current, EDITS, guard=GUARD)
    assert rebased.text == current.replace("pass", "return 2 * a")
    assert rebased.moved


def test_the_same_text_needs_no_move() -> None:
    rebased = rebase(BASE, BASE, EDITS, guard=GUARD)
    assert not rebased.moved
    assert rebased.edits == EDITS


def test_the_refusal_names_the_current_line() -> None:
    with pytest.raises(StaleText, match="line 11 was changed"):
        rebase(BASE, "# one\n# two\n" + BASE.replace("pass", "past"), EDITS, guard=GUARD)


def test_edits_outside_the_guard_raise_value_error() -> None:
    """They are a mistake of the caller."""
    with pytest.raises(ValueError, match="cannot be rebased"):
        rebase(BASE, BASE, EDITS, guard=Span(0, 3))


TWINS = """class A:
    def close(self):
        raise NotImplementedError

    def a(self): ...


class B:
    def close(self):
        raise NotImplementedError

    def b(self): ...
"""


@pytest.mark.parametrize("which", ["A", "B"])
def test_the_right_one_of_twins_is_edited(which: str) -> None:
    """The text holds two equal functions."""
    start = TWINS.index("def close", TWINS.index(f"class {which}"))
    guard = Span(start, TWINS.index("Error", start) + len("Error"))
    edits = [TextEdit(Span(TWINS.index("raise", start), guard.end), "pass")]
    current = "import os\n\n" + TWINS.replace("def a", "def aa") + "\n\nclass C: ...\n"
    kept = rebase(TWINS, current, edits, guard=guard)
    head, tail = current.split(f"class {which}")
    assert kept.text == head + f"class {which}" + tail.replace("raise NotImplementedError", "pass", 1)

    other = TWINS[: guard.start].rstrip(" ") + TWINS[guard.end + 2 :]
    with pytest.raises(StaleText):
        rebase(TWINS, other, edits, guard=guard)
