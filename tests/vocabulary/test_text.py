"""A span is a half-open stretch of a text."""

from __future__ import annotations

import pytest

from certo.vocabulary.candidate import candidate_id
from certo.vocabulary.text import Span


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (3, 2)])
def test_impossible_spans_are_refused_with_their_numbers(start, end):
    with pytest.raises(ValueError, match=rf"{start}\.\.{end}"):
        Span(start, end)


def test_only_equal_changes_have_equal_names():
    assert candidate_id("a", "b") == candidate_id("a", "b")
    assert len({candidate_id("a", "bc"), candidate_id("ab", "c"), candidate_id("", "abc")}) == 3
