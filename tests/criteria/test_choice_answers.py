"""One word of several, read from whatever a model makes of it."""

from __future__ import annotations

import pytest

from certo.criteria.answers import read_choice

pytestmark = pytest.mark.acceptance(79)

FRUITS = ("apple", "pear", "sour cherry")
TRUTH = ("true", "false", "unknown")


@pytest.mark.parametrize(
    "answer",
    [
        "pear",
        "Pear.",
        " **PEAR** ",
        '"pear"',
        "`pear`",
        "Answer: pear",
        "**Final answer:** Pear",
        "The answer is pear.",
        "It is green and soft.\n\npear",
        "Pear\nIt is green and soft.",
        "I think that it is a pear.",
        '{"value": "Pear"}',
        '{"reason": "no apple", "fruit": "pear"}',
        '```json\n{"choice": "pear"}\n```',
    ],
)
def test_words_are_read_in_any_spelling(answer: str) -> None:
    assert read_choice(answer, FRUITS) == "pear"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "banana",
        "pears",
        "not a pear",
        "It isn't a pear",
        "apple or pear",
        "It is no apple but a pear",
        "Reason: it looks like a pear",
        "A pear is what I would say if pressed",
        '{"value": "banana"}',
        '{"value": null}',
        '{"apple": "pear", "pear": "apple"}',
    ],
)
def test_none_or_several_choices_are_no_answer(answer: str) -> None:
    assert read_choice(answer, FRUITS) is None


@pytest.mark.parametrize(
    ("answer", "choice"),
    [("true", "true"), ("True.", "true"), ('{"value": false}', "false"), ("That is unknown.", "unknown")],
)
def test_truth_is_read_as_a_word(answer: str, choice: str) -> None:
    assert read_choice(answer, TRUTH) == choice


def test_choices_may_be_words_or_marks() -> None:
    """They may differ in the case of their letters alone."""
    assert read_choice("Sour  Cherry!", FRUITS) == "sour cherry"
    assert read_choice("+", ("+", "-")) == "+"
    assert read_choice("A", ("a", "A")) == "A"
    assert read_choice("**A**", ("a", "A")) == "A"
    assert read_choice("a.", ("A", "B")) == "A"
