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
    assert [one.condition for one in conditions(words, parameters)] == meant


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


@pytest.mark.parametrize(
    "prose",
    [
        "Never raises ValueError if n is negative.",
        "Does not raise ValueError if n is negative.",
        "Must not raise ValueError if n is negative.",
        "It doesn't raise ValueError if n is negative.",
        "This cannot raise a ValueError when n is negative.",
        "No ValueError is raised when n is negative.",
        "Previously raised ValueError if n is negative.",
        "Instead of raising ValueError if n is negative, return 0.",
        "Return k without raising ValueError if n is negative.",
        "In strict mode, raise ValueError if n is negative.",
        "If k is set, raise ValueError if n is negative.",
        "May raise ValueError if n is negative.",
        "Never raises:\n    ValueError: if n is negative\n",
        "If n is negative, raise ValueError unless k is zero.",
        "If n is negative, raise ValueError only on Sundays.",
        "Raise ValueError if n is negative, unless k is zero.",
        "Raise ValueError if n is negative, except for -1.",
        "Raise ValueError if n is negative and k is zero.",
        "Raise ValueError if both n and k are negative.",
        "Raise ValueError if n minus k is negative.",
        "Raise ValueError if n is negative but k is not.",
        "Raise ValueError if the square of n is greater than 100.",
        "Raise ValueError if the sum of n and k is 100.",
        "Raise ValueError if the sum of n is zero.",
        "Raise ValueError if n has more than 2 digits.",
        "Raise ValueError if n is not 100 or zero.",
        "Raise ValueError if n is not positive or zero.",
        "Raise ValueError if n is negative or k.",
        "Raise ValueError if `n < 0` and it is late.",
        "Raise ValueError if n is negative and KeyError was raised before.",
        "Raise ValueError if n contains no negative numbers.",
        "Raise ValueError if it is greater than 100.",
    ],
)
def test_doubtful_words_need_an_example(prose: str) -> None:
    assert not lines(prose, [(1, 2), (5, 0)])


def test_example_shows_what_is_meant() -> None:
    shown = (Refused((-1, 1), ValueError),)
    assert lines("Never raise ValueError if n is negative.", [(1, 2)], shown)[0] == "if n < 0:"
    assert lines("Raise ValueError if n is negative on Sundays.", [(1, 2)], shown)[0] == "if n < 0:"
    assert not lines("Raise ValueError if n is negative and k is odd.", [(1, 2)], shown)
    assert not lines("Raise ValueError if k is even but n is -1.", [(1, 3)], shown)


@pytest.mark.parametrize(
    ("prose", "condition"),
    [
        ("Return n. Raise ValueError if the argument n is less than len(k).", "n < len(k)"),
        ("It never fails. Raises ValueError if n isn't positive.", "n <= 0"),
        ("Return no more than k.\n\nRaises:\n    ValueError: If n or k is negative.\n", "n < 0 or k < 0"),
        ("Raises:\n    KeyError: The key is not there.\n    ValueError: If n is odd.\n", "n % 2 != 0"),
        ("Raise TypeError if n is None, and ValueError if n is less than 1 or is greater than k.", "n < 1 or n > k"),
        ("If n is None, raise ValueError.", "n is None"),
        ("Raise ValueError unless `0 <= n <= 10`.", "not (0 <= n <= 10)"),
        ("Raise ValueError if n is equal to 3.", "n == 3"),
    ],
)
def test_plain_words_need_no_example(prose: str, condition: str) -> None:
    known = [(2, [0])] if "len" in condition else [(2, 4)]
    assert f"if {condition}:" in lines(prose, known)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("n equals '{x}'", ["n == '{x}'"]),
        ("n equals '{'", ["n == '{'"]),
        ("n equals 'V'", ["n == 'V'"]),
        ("n is greater than 007", []),
        ("n is at least s\u0131x", []),
        ("`n.pop() == 9`", []),
        ("`n > 'a' * 10 ** 10`", []),
        ("`n > 'a' * 100000`", []),
        ("`n > '%99999d' % low`", []),
        ("`n > 2 * low`", ["n > 2 * low"]),
        ("n is equal to 3 or low or 4", []),
    ],
)
def test_values_stand_as_they_are(words: str, meant: list[str]) -> None:
    assert [one.condition for one in conditions(words, NUMBERS)] == meant


def test_examples_are_left_alone() -> None:
    walk = iter([1, -2])
    guards = Guards(["n"], {})
    guards.asked_for("Raise ValueError if n contains a negative number.", [Known((walk,), 1)], ())
    assert next(walk) == 1


def test_errors_that_want_more_make_no_guard() -> None:
    assert not lines("Raise UnicodeDecodeError if n is negative.", [(1, 2)])


def test_late_words_are_not_read() -> None:
    assert not list(asked_for("\n" * 4000 + "Raise ValueError if n is negative."))


WORDS = (
    "raise ValueError if unless n k is are not negative zero or and empty greater than less between 3 ten `n` the list "
    "lengths differ in of out range never instead both except without previously '{x}' '{' \"V\" { } 007 contains "
    "`k < 3` equals . , :"
)
clauses = st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=16).map(" ".join)
REFUSED = (Refused((-1, 0), ValueError), Refused(("{x}", []), ValueError))


@given(st.text(max_size=60) | clauses)
def test_guards_are_made_of_any_text(prose: str) -> None:
    for condition in [line for line in lines(prose, [(1, 2), (3, 4)], REFUSED) if line.startswith("if ")]:
        compile(condition + " pass", "<guard>", "exec")


@given(clauses)
def test_conditions_compile(words: str) -> None:
    for reading in conditions(words, NUMBERS):
        compile(reading.condition, "<condition>", "eval")


@given(st.sampled_from(["never", "not", "cannot", "instead of", "without", "previously", "no longer"]), clauses)
def test_words_before_take_a_guard_back(word: str, words: str) -> None:
    prose = f"{word} raise ValueError if {words.replace('raise', '').replace('.', '').replace('ValueError', '')}"
    assert not lines(" ".join(prose.split()), [(1, 2), (3, 4)])
