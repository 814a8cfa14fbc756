"""Votes and numbers are read from judges' answers.

Tolerant forms of true and false, the last-token rule, the reason kept. "7/10" and "Score: 7" are numbers, nan and inf
are none.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.criteria.answers import read_number, read_vote

pytestmark = pytest.mark.acceptance(22, 27)

VOTES = [
    ("true", True),
    ("false", False),
    ("True", True),
    ("true.", True),
    ('"true"', True),
    ("**true**", True),
    ("`FALSE`", False),
    ("  yes\n", True),
    ("No.", False),
    ("pass", True),
    ("FAILED", False),
    ("ｔｒｕｅ", True),
    ("- true", True),
    ("# True", True),
    ('{"verdict": true}', True),
    ('{"reason": "it is short", "verdict": false}', False),
    ('{"verdict": "yes"}', True),
    ('{"Verdict": "TRUE."}', True),
    ('{"meets_the_criterion": false, "reason": "no"}', False),
    ('```json\n{"verdict": true}\n```', True),
    ('{"verdict": false}\nI hope this helps!', False),
    ('Here it is:\n{"reason": "a {brace} in it", "verdict": true}', True),
    ("Verdict: true", True),
    ("**Verdict:** false", False),
    ("Verdict: true\nReason: some inputs return false", True),
    ("The final answer is yes", True),
    ("My verdict: no, it leaks", False),
    ("It reads well and names are clear.\n\nFALSE", False),
    ("The code is readable, so true.", True),
    ("The code says true, but the answer is false", False),
    ("Yes, because it is short.", True),
    ("True because it is short", True),
    ("It does not pass", False),
    ("it doesn't fail", True),
    ("This is not true.", False),
    ("No.\nThe loop never ends.", False),
    ("Verdict (true or false): false", False),
    ("true would be wrong here\nso the answer must be no", False),
]

NO_VOTES = [
    "",
    "   \n",
    "maybe",
    "I cannot judge this.",
    "No issues found in it",
    "Pass rate is low",
    "It is not something I would call a pass",
    "truely",
    "1",
    "true or false",
    "Verdict: true or false",
    "Verdict: true/false",
    '"verdict": true or false',
    "It might be true or false",
    '{"reason": "true"}',
    '{"verdict": null}',
    '{"verdict": [true]}',
    '{"a": true, "b": false}',
    "null",
    "{" * 5000,
    '{"a":' * 3000 + "}",
    "\x00\ud800",
]


@pytest.mark.parametrize(("answer", "vote"), VOTES)
def test_votes_are_read_in_any_form(answer: str, vote: bool) -> None:
    assert read_vote(answer).value is vote


@pytest.mark.parametrize("answer", NO_VOTES, ids=range(len(NO_VOTES)))
def test_what_is_no_vote_is_none(answer: str) -> None:
    assert read_vote(answer).value is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"reason": "it is\\n short", "verdict": true}', "it is short"),
        ('{"reasons": ["long", "dull"], "verdict": false}', "long dull"),
        ('{"reason": "two\nlines\u2028or three", "verdict": false}', "two lines or three"),
        ("Reason: it leaks a file\nfalse", "it leaks a file"),
        ("Verdict: true\nBecause it is short.", "it is short."),
        ("true", ""),
    ],
)
def test_the_reason_is_kept(answer: str, reason: str) -> None:
    assert read_vote(answer).reason == reason


def test_long_reasons_are_cut() -> None:
    """A long answer is read at both ends."""
    reading = read_vote("word " * 500_000 + "\nfalse")
    assert reading.value is False
    assert len(reading.reason) < 1000
    assert read_vote("Verdict: true\n" + "word " * 500_000).value is True


NUMBERS = [
    ("7", 7),
    ("7.5", 7.5),
    (" 7\n", 7),
    ("7/10", 7),
    ("7 / 10", 7),
    ("7 out of 10", 7),
    ("Score: 7", 7),
    ("**Score:** 7/10", 7),
    ("Score: 7 because of 3 faults", 7),
    ("My rating is 8", 8),
    ('{"score": 6.5, "reason": "fine"}', 6.5),
    ('{"score": "7/10"}', 7),
    ('{"points": 4}', 4),
    ('```json\n{"score": 3}\n```', 3),
    ("I would give it a 6.", 6),
    ("It has 3 functions and 2 classes. I give it 9.", 9),
    ("It has 3 faults, so 7 out of 10 it is", 7),
    ("4/5", 8),
    ("80%", 8),
    ("-3", -3),
    ("12", 12),
    ("1e1", 10),
    (".5", 0.5),
    ("It is worth 8\n\nbecause it is short.", 8),
    ("Score: 0", 0),
    ("Score (0-10): 8", 8),
    ("Rating out of 10: 8", 8),
    ("Score: 7/10\nReason: it handles 3 of 5 cases", 7),
    ("10/10 would merge, 0 complaints", 10),
    ("7.", 7),
    ("７", 7),
]

NO_NUMBERS = ["", "seven", "nan", "inf", "-inf", "Score: NaN", '{"score": NaN}', '{"score": Infinity}', "1e999"]
NO_NUMBERS += ['{"score": 1e999}', '{"score": true}', '{"score": null}', "between 6 and 7", "v2", "Python3", "7 8"]
NO_NUMBERS += ["Score: 7-8", "Score: 7 to 8", "Score: 8,5", "8,5", "Score: N/A", '{"score": "7-8"}']
NO_NUMBERS += ['{"score": ' + "9" * 400 + "}"]


@pytest.mark.parametrize(("answer", "number"), NUMBERS)
def test_numbers_are_read_in_any_form(answer: str, number: float) -> None:
    assert read_number(answer, low=0, high=10).value == pytest.approx(number)


@pytest.mark.parametrize("answer", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_only_finite_numbers_count(answer: str) -> None:
    assert read_number(answer, low=0, high=10).value is None


def test_other_scales_need_a_zero_minimum() -> None:
    assert read_number("4/5", low=1, high=5).value == 4
    assert read_number("3/4", low=1, high=5).value == 3


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert read_vote(text).value in (True, False, None)
    number = read_number(text, low=0, high=10).value
    assert number is None or math.isfinite(number)


@given(st.floats(min_value=0, max_value=10), st.sampled_from(["{}", "Score: {}", "{}/10", '{{"score": {}}}', "**{}**"]))
def test_a_number_written_is_the_number_read(number: float, form: str) -> None:
    assert read_number(form.format(repr(number)), low=0, high=10).value == number
