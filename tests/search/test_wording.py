"""Numbers agree with their nouns wherever they are shown."""

from __future__ import annotations

import pytest

from certo.search.wording import amount, cost_in_words
from certo.vocabulary.cost import Cost


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 tests"), (1, "1 test"), (1.0, "1 test"), (2, "2 tests"), (1.5, "1.5 tests")]
)
def test_numbers_agree_with_their_nouns(number: float, words: str) -> None:
    assert amount(number, "test") == words


def test_costs_name_their_unit() -> None:
    assert cost_in_words(Cost(value=1.0, unit="tokens", source="s")) == "1 token"
    assert cost_in_words(Cost(value=17.0, unit="tokens", source="s")) == "17 tokens"
