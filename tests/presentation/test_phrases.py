"""Numbers agree with their nouns wherever they are shown."""

from __future__ import annotations

import pytest

from certo.presentation.phrases import (
    assured,
    cost_in_words,
    explained,
    failed_before,
    models_in_words,
    money,
    said_of_change,
    spreads_in_words,
    votes_as_dots,
    votes_in_words,
)
from certo.vocabulary.cost import UNKNOWN, Cost, Spent, Spread
from certo.vocabulary.display import amount
from certo.vocabulary.problem import FAILED_BEFORE, Baseline, KnownTest
from certo.vocabulary.verdict import APART, TOGETHER, Ruling, Verdict, Votes


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 tests"), (1, "1 test"), (1.0, "1 test"), (2, "2 tests"), (1.5, "1.5 tests")]
)
def test_numbers_agree_with_their_nouns(number: float, words: str) -> None:
    assert amount(number, "test") == words


def test_some_nouns_take_more_than_an_s() -> None:
    assert [amount(number, "search") for number in (1, 2)] == ["1 search", "2 searches"]


def test_costs_name_their_unit() -> None:
    assert cost_in_words(Cost(value=1.0, unit="tokens", source="s")) == "1 token"
    assert cost_in_words(Cost(value=17.0, unit="tokens", source="s")) == "17 tokens"
    assert said_of_change(Cost(value=17.0, unit="tokens", source="s")) == "17 tokens changed"


def test_weighted_costs_name_their_parts() -> None:
    summed = Cost(value=5.5, unit="points", source="size 3 × 0.5 + lint 4 × 1")
    assert said_of_change(summed) == "5.5 points"
    assert explained(summed) == "5.5 points (size 3 × 0.5 + lint 4 × 1)"
    assert explained(Cost(value=2.0, unit="tokens", source="tokens added or removed")) == "2 tokens added or removed"


def test_unknown_costs_are_no_numbers() -> None:
    unknown = Cost(value=UNKNOWN, unit="", source="not priced: ValueError: no idea")
    assert cost_in_words(unknown) == said_of_change(unknown) == "not priced"
    assert explained(unknown) == "not priced: ValueError: no idea"


@pytest.mark.parametrize(
    ("dollars", "words"), [(0.0, "$0.00"), (0.00314, "$0.0031"), (0.0999, "$0.10"), (0.42, "$0.42"), (12.0, "$12.00")]
)
def test_money_keeps_two_digits_that_say_something(dollars: float, words: str) -> None:
    assert money(dollars).rstrip("0") == words.rstrip("0")


def test_model_use_needs_a_model_call() -> None:
    assert models_in_words(Spent()) == ""
    assert models_in_words(Spent(calls=1, tokens=4210, dollars=0.0031)) == "1 call, 4,210 tokens, $0.0031"
    assert models_in_words(Spent(calls=2, tokens=1, dollars=None)) == "2 calls, 1 token, price unknown"


@pytest.mark.parametrize(
    ("votes", "words"),
    [
        (Votes(passed=2, valid=3, asked=3, needed=2), "2 of 3 votes in favour, 2 needed"),
        (Votes(passed=1, valid=1, asked=1, needed=1), "1 of 1 vote in favour, 1 needed"),
        (Votes(passed=2, valid=2, asked=5, needed=2), "2 of 2 votes in favour, 2 needed, 5 asked for"),
        (Votes(passed=0, valid=0, asked=1, needed=1), "0 of 0 votes in favour, 1 needed, 1 asked for"),
    ],
)
def test_votes_name_the_number_needed(votes: Votes, words: str) -> None:
    assert votes_in_words(votes) == words


def test_averages_have_three_decimal_places() -> None:
    spread = Spread(criterion="clarity", values=(3.0, 8.0, 9.0), aggregate=20 / 3, low=0.0, high=10.0)
    cost = Cost(value=22 / 3, unit="points", source="s", spreads=(spread,))
    assert (cost_in_words(cost), spreads_in_words(cost)) == ("7.333 points", "clarity 6.667 of 10 (3, 8, 9)")


def test_numbers_have_their_scale() -> None:
    """A number is marked if no answer gave it."""
    spreads = (
        Spread(criterion="clarity", values=(6.0, 7.0, 9.5), aggregate=7.5, low=0.0, high=10.0),
        Spread(criterion="charm", values=(3.0,), aggregate=3.0, low=1.0, high=5.0),
        Spread(criterion="wit", values=(), aggregate=0.5, low=0.0, high=1.0, fallback=True),
    )
    said = spreads_in_words(Cost(value=1.0, unit="points", source="s", spreads=spreads))
    assert said == (
        "clarity 7.5 of 10 (6, 7, 9.5); charm 3 of 5; "
        "wit 0.5 of 1, the middle of the scale, because no answer was usable"
    )
    assert spreads_in_words(Cost(value=1.0, unit="points", source="s")) == ""


APART_TOO = "passes in a separate process; fails when assertions are broken on purpose"


@pytest.mark.parametrize(
    ("assurance", "sentence"),
    [
        ("", ""),
        (APART, APART_TOO),
        (
            f"{APART}; {TOGETHER} for 2 of 5 tests: it hands over a class",
            f"{APART_TOO}; tried only in one process with the tests, for 2 of 5 tests: it hands over a class",
        ),
        (
            f"{TOGETHER}: no run can be apart here",
            "fails when assertions are broken on purpose; tried only in one process with the tests: "
            "no run can be apart here",
        ),
    ],
)
def test_trust_in_a_pass_is_a_sentence(assurance: str, sentence: str) -> None:
    assert assured(Verdict(verifier="forgery", ruling=Ruling.PASSED, assurance=assurance)) == sentence


@pytest.mark.parametrize(
    ("votes", "dots"),
    [
        (Votes(passed=3, valid=5, asked=5, needed=3), "●●●○○"),
        (Votes(passed=2, valid=2, asked=3, needed=2), "●●◌"),
        (Votes(passed=0, valid=1, asked=1, needed=1), "○"),
        (Votes(passed=13, valid=13, asked=13, needed=7), ""),
    ],
)
def test_few_votes_are_shown_as_dots(votes: Votes, dots: str) -> None:
    assert votes_as_dots(votes) == dots


def test_tests_that_failed_before_are_named() -> None:
    aside = [KnownTest(id=f"test_m.py::test_{name}", ruling=Ruling.FAILED, message=FAILED_BEFORE) for name in "abcde"]
    other = KnownTest(id="test_m.py::test_other", ruling=Ruling.FAILED, message="OSError: no")
    assert failed_before(Baseline(set_aside=(other,))) == ""
    assert failed_before(Baseline(set_aside=(other, aside[0]))) == (
        "test_m.py::test_a failed in the last commit too, and may still fail"
    )
    named = failed_before(Baseline(set_aside=tuple(aside)))
    assert named.startswith("test_m.py::test_a, test_m.py::test_b, test_m.py::test_c and 2 more failed")
