"""Test strength in words: every figure with its denominator, and nothing that was not shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.presentation.strength import (
    MAX_GAPS,
    gap_in_words,
    remarks,
    shown_gaps,
    strength_in_words,
    unshown,
    witness_in_words,
)
from certo.vocabulary.strength import Gap, TestStrength, UnusedTest

GAP = Gap(
    line=4,
    kind="a comparison's strictness",
    before="if n > LIMIT:",
    after="if n >= LIMIT:",
    call="total(5)",
    now="0",
    changed="5",
)

STRENGTH = TestStrength(noticed=9, of=10, gaps=(GAP,), uncounted=5, calls=1240, tried=15, possible=15, tests=4)

FORBIDDEN = re.compile(r"\b(equivalent|safe|proved|correct|100 ?%)", re.IGNORECASE)

gaps = st.builds(
    replace,
    st.just(GAP),
    unusual=st.booleans(),
    same_call=st.booleans(),
    now=st.sampled_from(["0", "raises ValueError: no", "does not come back", "yields 1, 2"]),
    changed=st.sampled_from(["5", "raises TypeError", "does not come back", "yields nothing"]),
    after=st.sampled_from(["", "pass", "if n >= LIMIT:"]),
)

strengths = st.builds(
    lambda noticed, found, uncounted, calls, more, unused: TestStrength(
        noticed=noticed,
        of=noticed + len(found),
        endless=noticed // 2,
        gaps=tuple(found),
        uncounted=uncounted,
        unsettled=uncounted // 2,
        calls=calls,
        tried=noticed + len(found) + uncounted,
        possible=noticed + len(found) + uncounted + more,
        unused=tuple(unused),
    ),
    st.integers(0, 50),
    st.lists(gaps, max_size=12),
    st.integers(0, 9),
    st.integers(0, 2000),
    st.integers(0, 9),
    st.lists(st.just(UnusedTest(id="tests/test_a.py::test_b", why="it is flaky")), max_size=5),
)


def test_share_has_its_denominator() -> None:
    assert strength_in_words(STRENGTH) == "your tests notice 9 of 10 small changes"
    sample = replace(STRENGTH, possible=210)
    assert strength_in_words(sample) == "your tests notice 9 of 10 small changes (a sample: 15 of 210 were tried)"


@pytest.mark.parametrize(
    ("now", "changed", "expected"),
    [
        ("0", "5", "total(5) gives 0, would give 5"),
        ("0", "raises TypeError: no", "total(5) gives 0, would raise TypeError: no"),
        ("raises KeyError", "0", "total(5) raises KeyError, would give 0"),
        ("yields 1", "yields nothing", "total(5) yields 1, would yield nothing"),
        ("0", "does not come back", "total(5) gives 0, would not come back"),
    ],
)
def test_witness_gives_both_results(now: str, changed: str, expected: str) -> None:
    assert witness_in_words(replace(GAP, now=now, changed=changed)) == expected


def test_lines_left_out_are_said() -> None:
    assert gap_in_words(replace(GAP, after="")) == (
        "no test notices if `if n > LIMIT:` becomes `(left out)`: total(5) gives 0, would give 5"
    )


def test_what_is_not_counted_is_said() -> None:
    assert remarks(STRENGTH, "total") == ["5 more changes made no difference on 1,240 calls and are not counted"]
    none = replace(STRENGTH, calls=0, uncounted=1)
    assert remarks(none, "total") == [
        "1 more change went unnoticed; certo cannot call total to see if it matters, so it is not counted"
    ]


@given(strengths)
def test_words_are_honest(strength: TestStrength) -> None:
    """No figure without its denominator, no forbidden word, and all gaps are shown or counted."""
    said = [strength_in_words(strength), unshown(strength), *remarks(strength, "total")]
    said += [gap_in_words(gap) for gap in shown_gaps(strength)]
    assert not any(FORBIDDEN.search(each) for each in said)
    assert all("\n" not in each for each in said)
    shown = shown_gaps(strength)
    assert len(shown) <= MAX_GAPS
    assert not any(gap.same_call for gap in shown)
    if len(shown) < len(strength.gaps):
        assert f"and {len(strength.gaps) - len(shown)} more" in unshown(strength)
    if strength.of:
        assert f"{strength.noticed} of {strength.of} " in said[0]
    if strength.uncounted:
        assert any(f"{strength.uncounted} more change" in each for each in said)
    assert ("sample" in said[0]) == (strength.is_sample and strength.of > 0)
