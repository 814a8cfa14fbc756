"""The size of a change is counted in tokens, whatever the white space."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.edits.alignment import changed_tokens

lines = st.lists(st.sampled_from(["a", "b1", "+", "(", ")"]), max_size=8)


@given(lines, lines)
def test_a_change_is_as_large_as_its_way_back_and_none_is_empty(before: list[str], after: list[str]) -> None:
    size = changed_tokens(" ".join(before), " ".join(after))
    assert (size == 0) is (before == after)
    assert size <= len(before) + len(after)
    assert size == changed_tokens("\n\t".join(before), " ".join(after))


def test_a_name_is_one_token_and_so_is_each_sign() -> None:
    assert changed_tokens("if number < best:", "if number >= best:") == 3


def test_a_small_change_of_a_long_text_is_counted_by_what_lies_around_it() -> None:
    text = "total += number\n" * 100_000
    assert changed_tokens(text, text.replace("number", "other", 1)) == 2
