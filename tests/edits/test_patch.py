"""Edits applied, found and fitted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.patch import apply_edits, edits_between, fit_newlines, within
from certo.vocabulary.text import Span, TextEdit

TEXTS = st.text(alphabet="ab é😀\n\r", max_size=60)


@given(TEXTS, TEXTS)
def test_edits_turn_one_text_into_another(old: str, new: str) -> None:
    edits = edits_between(old, new)
    assert apply_edits(old, edits) == new
    for edit in edits:
        assert old[edit.span.start : edit.span.end] != edit.replacement
        assert "\r\n" not in {old[at - 1 : at + 1] for at in (edit.span.start, edit.span.end) if at}


def test_edits_are_small() -> None:
    old = "def f(a):\n    return a + 1\n\ndef g(a):\n    return a\n"
    new = old.replace("+", "-").replace("g(a)", "g(abc)")
    assert edits_between(old, new) == (
        TextEdit(Span(23, 24), "-"),
        TextEdit(Span(34, 35), "abc"),
    )
    assert edits_between(old, old) == ()


@pytest.mark.parametrize(
    ("old", "new", "replaced", "by"),
    [
        (
            "    raise NotImplementedError\n",
            "    return sum(coins)\n",
            "raise NotImplementedError",
            "return sum(coins)",
        ),
        ("while due > 1:\n", "while due >= 1:\n", ">", ">="),
        ("x = total\n", "x = subtotal\n", "total", "subtotal"),
        ("x = a ** b\n", "x = a * b\n", "**", "*"),
        ("x = 1.25\n", "x = 1.5\n", "1.25", "1.5"),
        ("x = value_of(a)\n", "x = value_on(a)\n", "value_of", "value_on"),
        ("x = größe\n", "x = größer\n", "größe", "größer"),
        ("return a\n", "return a[0]\n", "", "[0]"),
    ],
)
def test_edits_take_words_numbers_and_operators_whole(old: str, new: str, replaced: str, by: str) -> None:
    (edit,) = edits_between(old, new)
    assert (old[edit.span.start : edit.span.end], edit.replacement) == (replaced, by)


CODE = st.text(alphabet="ab_1.é*=>- (\n\r", max_size=60)


@given(CODE, CODE)
def test_no_edit_splits_a_word(old: str, new: str) -> None:
    """Neither a word of the old text nor one of the new text is split."""
    edits, moved = edits_between(old, new), 0
    assert apply_edits(old, edits) == new
    for edit in edits:
        first, last = edit.span.start, edit.span.end
        ends = first + moved + len(edit.replacement)
        for text, places in ((old, (first, last)), (new, (first + moved, ends))):
            for at in places:
                word = text[at - 1 : at + 1] if at else ""
                assert not (re.fullmatch(r"\w\w|\r\n", word)), (word, edit)
        moved += len(edit.replacement) - len(edit.span)


def test_many_equal_lines_stay_quick_and_right() -> None:
    old = "\n".join(["pass", ""] * 3000)
    new = old.replace("pass", "x", 1) + "\ny"
    assert apply_edits(old, edits_between(old, new)) == new


@pytest.mark.parametrize(
    "edits",
    [
        [TextEdit(Span(2, 4), ""), TextEdit(Span(3, 5), "")],
        [TextEdit(Span(4, 5), ""), TextEdit(Span(1, 2), "")],
        [TextEdit(Span(3, 99), "")],
    ],
)
def test_invalid_edits_are_refused(edits: list[TextEdit]) -> None:
    """They overlap, are out of order, or reach beyond the end."""
    with pytest.raises(ValueError, match="the edit at"):
        apply_edits("0123456789", edits)


def test_neighbouring_edits_are_made_in_their_order() -> None:
    edits = [TextEdit(Span(1, 1), "a"), TextEdit(Span(1, 1), "b"), TextEdit(Span(1, 2), "c")]
    assert apply_edits("012", edits) == "0abc2"


def test_inserted_text_takes_the_documents_line_breaks() -> None:
    edits = [TextEdit(Span(0, 0), "a\nb\r\nc\rd")]
    assert fit_newlines(edits, "x\r\ny\r\n")[0].replacement == "a\r\nb\r\nc\r\nd"
    assert fit_newlines(edits, "x\n")[0].replacement == "a\nb\nc\nd"


def test_within_a_span() -> None:
    edits = [TextEdit(Span(2, 2), "a"), TextEdit(Span(3, 5), "")]
    assert within(edits, Span(2, 5))
    assert not within(edits, Span(2, 4))
    assert not within(edits, Span(3, 5))
