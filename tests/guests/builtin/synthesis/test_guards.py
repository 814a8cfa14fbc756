"""Guards that docstrings ask for: where the words are found, and the conditions that they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.synthesis.expected_values import Known, Refused
from certo_builtin.synthesis.phrases.conditions import Parameters, conditions
from certo_builtin.synthesis.phrases.guards import Guards, asked_for


@pytest.mark.parametrize(
    ("prose", "error", "words"),
    [
        ("Raise ValueError if n is negative.", "ValueError", "n is negative"),
        ("Raises a ``KeyError`` when the key\n    is missing.", "KeyError", "the key is missing"),
        ("Raises:\n    TypeError: If n is no number.\n", "TypeError", "n is no number"),
        ("Raises\n------\nValueError\n    If n is 0.\n", "ValueError", "n is 0"),
        (":raises shop.Closed.ClosedError: if it is late", "shop.Closed.ClosedError", "it is late"),
        ("If n is 0, raise ZeroDivisionError.", "ZeroDivisionError", "n is 0"),
        ("An empty list raises IndexError.", "IndexError", "list is empty"),
        ("ValueError is raised if n > 3", "ValueError", "n > 3"),
        ("Raise ValueError if n < 0, and TypeError if n is None.", "TypeError", "n is None"),
    ],
)
def test_refusals_are_found(prose: str, error: str, words: str) -> None:
    assert (error, words) in [(one.error, one.words) for one in asked_for(prose)]


@pytest.mark.parametrize(
    "prose", ["Return 1.", "Raise the price.", "Raises the question if it may.", "An ErrorLog if any."]
)
def test_no_refusal_is_found_elsewhere(prose: str) -> None:
    assert not list(asked_for(prose))


NUMBERS = Parameters.of(["n", "low", "high"], [(1, 2, 3)])
LISTS = Parameters.of(["xs", "ys"], [([1], [2])])
MIXED = Parameters.of(["items", "index"], [([1], 0)])
TEXT = Parameters.of(["text", "size"], [("a", 1)])


@pytest.mark.parametrize(
    ("words", "parameters", "meant"),
    [
        ("n is negative", NUMBERS, ["n < 0"]),
        ("n is zero or negative", NUMBERS, ["n <= 0"]),
        ("n is not positive", NUMBERS, ["n <= 0"]),
        ("n is less than 1 or greater than ten", NUMBERS, ["n < 1 or n > 10"]),
        ("low exceeds high", NUMBERS, ["low > high"]),
        ("low or high is negative", NUMBERS, ["low < 0 or high < 0"]),
        ("n is not between low and high", NUMBERS, ["not low <= n <= high"]),
        ("`n % 2 == 1`", NUMBERS, ["n % 2 == 1"]),
        ("n >= high", NUMBERS, ["n >= high"]),
        ("n is 0", NUMBERS, ["n == 0"]),
        ("n is not low", NUMBERS, ["n != low"]),
        ("the value is negative", Parameters.of(["n"], [(1,)]), ["n < 0"]),
        ("it is odd", NUMBERS, ["n % 2 != 0", "low % 2 != 0", "high % 2 != 0"]),
        ("the lists have different lengths", LISTS, ["len(xs) != len(ys)"]),
        ("xs and ys are not of the same length", LISTS, ["len(xs) != len(ys)"]),
        ("xs is empty", LISTS, ["not xs"]),
        ("the list is empty", MIXED, ["not items"]),
        ("index is out of range", MIXED, ["not 0 <= items < len(index)", "not 0 <= index < len(items)"]),
        ("index is not in items", MIXED, ["index not in items"]),
        ("text is longer than size", TEXT, ["len(text) > size"]),
        ("the text is not a string", TEXT, ["not isinstance(text, str)"]),
        ("text contains anything but digits", TEXT, ["not text.isdigit()"]),
        ("the moon is full", TEXT, []),
        ("`open(text)`", TEXT, []),
    ],
)
def test_words_mean_conditions(words: str, parameters: Parameters, meant: list[str]) -> None:
    assert list(conditions(words, parameters)) == meant


def lines(prose: str, known: list[tuple[object, ...]], refused: tuple[Refused, ...] = ()) -> list[str]:
    guards = Guards(["n", "k"], {})
    return [line for one in guards.asked_for(prose, [Known(row, 1) for row in known], refused) for line in one.lines]


def test_guard_is_written_with_its_words() -> None:
    assert lines("Raise ValueError if n is negative.", [(1, 2)]) == [
        "if n < 0:",
        '    raise ValueError("n is negative")',
    ]


def test_examples_contradict_a_guard() -> None:
    assert not lines("Raise ValueError if n is negative.", [(-1, 2)])


def test_words_with_two_senses_make_no_guard() -> None:
    prose = "Raise ValueError if it is negative."
    assert not lines(prose, [(1, 2)])
    assert lines(prose, [(1, 2)], (Refused((1, -2), ValueError),))[0] == "if k < 0:"


def test_known_message_is_raised() -> None:
    found = lines("Raise ValueError if n is 0.", [(1, 2)], (Refused((0, 2), ValueError, "no n"),))
    assert found == ["if n == 0:", '    raise ValueError("no n")']
    assert lines('Raise ValueError with the message "no" if n is 0.', [(1, 2)])[1] == '    raise ValueError("no")'


def test_unless_negates_and_types_come_first() -> None:
    found = lines("Raise ValueError unless n < k. Raise TypeError if n is not an int.", [(1, 2)])
    assert found[::2] == ["if not isinstance(n, int):", "if not (n < k):"]


def test_unknown_errors_make_no_guard() -> None:
    assert not lines("Raise StrangeError if n is negative.", [(1, 2)])


WORDS = (
    "raise ValueError if unless n k is are not negative zero or and empty greater than less between 3 ten `n` the list "
    "lengths differ in of out range . , :"
)
clauses = st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=16).map(" ".join)


@given(st.text(max_size=60) | clauses)
def test_guards_are_made_of_any_text(prose: str) -> None:
    for condition in [line for line in lines(prose, [(1, 2), (3, 4)]) if line.startswith("if ")]:
        compile(condition + " pass", "<guard>", "exec")


@given(clauses)
def test_conditions_compile(words: str) -> None:
    for condition in conditions(words, NUMBERS):
        compile(condition, "<condition>", "eval")
