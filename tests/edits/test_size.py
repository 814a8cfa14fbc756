"""The size of a change is counted in tokens, whatever the white space."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from certo.edits.alignment import changed_tokens

lines = st.lists(st.sampled_from(["a", "b1", "+", "(", ")"]), max_size=8)


@given(lines, lines)
def test_size_ignores_white_space_and_is_bounded(before: list[str], after: list[str]) -> None:
    """Only equal texts have no change, and none is larger than both texts together."""
    size = changed_tokens(" ".join(before), " ".join(after))
    assert (size == 0) is (before == after)
    assert size <= len(before) + len(after)
    assert size == changed_tokens("\n\t".join(before), " ".join(after))


def test_names_and_operators_are_one_token_each() -> None:
    assert changed_tokens("if number < best:", "if number >= best:") == 3


def test_small_changes_of_long_texts_are_small() -> None:
    text = "total += number\n" * 100_000
    assert changed_tokens(text, text.replace("number", "other", 1)) == 2
