"""Promises of docstrings: which words make them, and which candidates break them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.promise_checks import Breach, Promises
from certo.generation.builtin.promises import promises_in, relations_in


def call(*arguments: object) -> RecordedCall:
    return RecordedCall(callee=Callee(name="f"), arguments=tuple(map(repr, arguments)))


def results(*values: object) -> tuple[CallOutcome, ...]:
    return tuple(CallOutcome("returns", repr(value)) for value in values)


@pytest.mark.parametrize(
    ("docstring", "promise", "given", "kept", "broken"),
    [
        ("Return the words in alphabetical order.", "in ascending order", ["b", "a"], ["a", "b"], ["b", "a"]),
        ("Return all scores in descending order.", "in descending order", [1, 2], [2, 1], [1, 2]),
        ("Return the list without duplicates.", "without duplicates", [1, 1], [1], [1, 1]),
        ("Check whether the list is sorted.", "True or False", [1], True, 1),
        ("Count the number of vowels.", "a number of things", "ab", 1, -1),
        ("Return the absolute difference of both.", "not negative", 1, 2, -2),
        ("Reverse the list.", "the same elements", [1, 2], [2, 1], [2, 2]),
        ("Remove all numbers below 3.", "only elements of the argument", [1, 4], [4], [5]),
        ("Return the largest number in a list.", "the largest element", [1, 4], 4, 1),
        ("Return the smallest number in a list.", "the smallest element", [1, 4], 1, 4),
        ("Return the longest word in a list.", "the longest element", ["a", "bc"], "bc", "a"),
        ("Return the last element of a list.", "an element of the argument", [1, 4], 4, 2),
        ("Square each number.", "as many results as elements", [1, 4], [1, 16], [1]),
        ("Return the mean of some numbers.", "an average", [1, 4], 2.5, 5),
        ("Return the even numbers.", "even numbers", [1, 4], [4], [1]),
        ("Return all prime numbers.", "prime numbers", [2, 4], [2], [4]),
        ("Convert the text to upper case.", "in upper case", "a", "A", "a"),
        ("Sort it, and return a list.", "a list", (1,), [1], (1,)),
    ],
)
def test_promise_tells_results_apart(docstring: str, promise: str, given: object, kept: object, broken: object) -> None:
    promises = Promises.of(docstring)
    assert promise in [each.name for each in promises.of_results]
    found = promises.broken([call(given)], [results(kept), results(broken)], frozenset())
    assert promise not in [each.name for each in found[0]]
    assert Breach(promise, 0) in found[1]


@pytest.mark.parametrize(
    "docstring",
    [
        "Sort the words by length.",
        "Return the sum of the largest numbers in a list.",
        "Check if it matches a regex.",
        "Return the sum of the unique elements.",
        "Return the maximum product of numbers in a list.",
        "Merge two sorted lists of words.",
        "Reverse the words of a sentence.",
        "Convert each word to upper case if it is short.",
    ],
)
def test_words_with_other_senses_promise_nothing(docstring: str) -> None:
    assert not promises_in(docstring)


def test_known_results_contradict_a_promise() -> None:
    promises = Promises.of("Return the words in alphabetical order.")
    calls = [call(["b", "a"]), call(["d", "c"])]
    versions = [results(["b", "a"], ["d", "c"]), results(["b", "a"], ["c", "d"])]
    assert promises.broken(calls, versions, frozenset([calls[0].text])) == [(), ()]
    assert promises.broken(calls, versions, frozenset())[0] == (Breach("in ascending order", 0),)


def test_case_that_is_ignored_changes_no_result() -> None:
    promises = Promises.of("True if two words are anagrams, ignoring case.")
    known = call("ab", "c")
    partners = promises.partners([known])
    assert [one.text for one in partners] == ["f('AB', 'c')", "f('Ab', 'c')", "f('ab', 'C')"]
    found = promises.broken([known, partners[1]], [results(True, True), results(True, False)], frozenset([known.text]))
    assert found == [(), (Breach("ignoring case", 1),)]


def test_order_that_is_ignored_changes_no_result() -> None:
    promises = Promises.of("Compare both lists regardless of order.")
    partners = promises.partners([call([1, 2], [3, 4])])
    assert [one.text for one in partners] == ["f([2, 1], [3, 4])", "f([1, 2], [4, 3])"]


def test_values_of_other_types_break_nothing() -> None:
    promises = Promises.of("Return the items in ascending order, without duplicates.")
    raised, opaque = CallOutcome("raises", "ValueError\n"), CallOutcome("returns", "<Some>")
    outcomes = [results([1, "a"]), (raised,), (opaque,), (None,)]
    assert promises.broken([call([1, "a"])], outcomes, frozenset()) == [(), (), (), ()]


@pytest.mark.parametrize(
    "docstring",
    [
        "Does not return a sorted list.",
        "The result is not in ascending order.",
        "Never in descending order.",
        "Instead of sorting, return a list.",
        "Compare without ignoring case.",
        "It does not work regardless of order.",
    ],
)
def test_words_before_take_a_promise_back(docstring: str) -> None:
    assert not promises_in(docstring)
    assert not relations_in(docstring)


def test_order_of_one_argument_is_another_matter() -> None:
    assert not relations_in("Elements of a that are in b, regardless of the order of b.")


def test_order_changes_rounding_and_lists() -> None:
    promises = Promises.of("The total, regardless of order.")
    calls = [call([0.1, 0.2, 0.3]), call([0.3, 0.2, 0.1])]
    versions = [results(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1), results(1, 2), results([1, 2], [2, 1]), results([1], [2])]
    broken = [bool(found) for found in promises.broken(calls, versions, frozenset())]
    assert broken == [False, True, False, True]


@given(st.text(max_size=80), st.text(max_size=80))
def test_more_sentences_promise_no_less(docstring: str, more: str) -> None:
    promised = promises_in(docstring + "\n\n")
    assert set(promised) <= set(promises_in(docstring + "\n\n" + more))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=5,
)
EVERYTHING = (
    "Sort the list. Return the items in ascending order. In descending order. Without duplicates. Check if so. "
    "Count all. Return the absolute value. Remove some. Return the largest number in a list. Square each. "
    "Return the mean. Return even numbers. Return prime numbers. "
    "Convert all to lower case. Return a dict. Ignoring case. Regardless of order."
)


@given(st.lists(values, min_size=1, max_size=2), values)
def test_promises_read_any_values(arguments: list[object], result: object) -> None:
    promises = Promises.of(EVERYTHING)
    calls = [call(*arguments), *promises.partners([call(*arguments)])]
    promises.broken(calls, [results(*[result] * len(calls))], frozenset())
