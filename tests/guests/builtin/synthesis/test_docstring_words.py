"""Words of a docstring and a name, and the stems that their forms share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.synthesis.components.catalogue import COMPONENTS
from certo_builtin.synthesis.docstring_words import stem, stems, words_of


@pytest.mark.parametrize(
    "forms",
    [
        "sort sorts sorted sorting",
        "reverse reverses reversed reversing",
        "prefix prefixes",
        "city cities",
        "stop stopped stopping",
        "call called calling",
        "square squared squares",
    ],
)
def test_word_forms_share_a_stem(forms: str) -> None:
    assert len(stems(forms)) == 1


@pytest.mark.parametrize("words", ["string str", "red re", "less les", "add ad", "miss mis", "bring br", "even event"])
def test_what_is_no_ending_stays(words: str) -> None:
    assert len(stems(words)) == 2


@given(st.from_regex("[a-z]{1,12}", fullmatch=True))
def test_stem_begins_its_word_except_y(word: str) -> None:
    found = stem(word)
    assert found
    assert word.startswith((found, found.removesuffix("y")))


def test_names_split_into_words_and_halves() -> None:
    found = words_of("Find the non-empty sub-array.", "minSubArray_sum2")
    assert {"min", "sub", "array", "sum", "subarray", "nonempty", "find"} <= found


def test_components_go_by_stems() -> None:
    for words in ("primes", "negating", "squares", "cubes", "sorting"):
        assert any(stems(words) & component.words for component in COMPONENTS), words
