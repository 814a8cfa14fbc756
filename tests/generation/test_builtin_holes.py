"""Holes at suspicious places: what they should have given is found out, and an expression that gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo_builtin.holes.filling import fillings
from certo_builtin.source import applied
from support.repairing import alive

CLAMP = """\
def target(value, low, high):
    if value > low:
        return low
    return min(value, high)
"""
CLAMP_TESTS = [
    "assert target(1, 2, 9) == 2",
    "assert target(0, 2, 9) == 2",
    "assert target(3, 2, 9) == 3",
    "assert target(5, 2, 9) == 5",
]
KEPT = """\
def target(numbers, least):
    kept = []
    for number in numbers:
        if number > least:
            kept.append(number)
    return kept
"""
KEPT_TESTS = [
    "assert target([1, 5, 8], 2) == [8]",
    "assert target([4, 7, 6], 1) == [4, 6]",
    "assert target([2, 4], 3) == [4]",
]
MEAN = """\
def target(numbers):
    total = 0
    for number in numbers:
        total += number
    return total / total
"""
MEAN_TESTS = [
    "assert target([2, 4]) == 3.0",
    "assert abs(target([1.0, 2.0, 4.5]) - 2.5) < 1e-6",
    "assert target([7]) == 7.0",
]
WRAPPED = """\
def target(numbers, least, most):
    return [
        number
        for number in numbers
        if (
            number > least  # as it was
            and number < 100
        )
    ]
"""
WRAPPED_TESTS = [
    "assert target([1, 5, 8], 2, 6) == [5]",
    "assert target([4, 7], 1, 5) == [4]",
    "assert target([2, 4, 9], 1, 4) == [2, 4]",
]
CHOSEN = """\
def target(text):
    return 'text'.title() if text else None
"""
CHOSEN_TESTS = [
    "assert target('some') == 'emos'",
    "assert target('other') == 'rehto'",
    "assert target('ab') == 'ba'",
    "assert target('') is None",
]
LOST = """\
def target(numbers):
    total = 0
    for number in numbers:
        total += number
"""


@pytest.mark.parametrize(
    ("source", "tests", "repaired"),
    [
        (CLAMP, CLAMP_TESTS, "if value < low:"),
        (KEPT, KEPT_TESTS, "number > least and not number % 2"),
        (MEAN, MEAN_TESTS, "return total / len(numbers)"),
        (WRAPPED, WRAPPED_TESTS, "and number <= most"),
        (CHOSEN, CHOSEN_TESTS, "return text[::-1] if text else None"),
        (LOST, MEAN_TESTS, "        total += number\n    return total / len(numbers)\n"),
    ],
    ids=[
        "a condition",
        "a clause that is missing",
        "a result",
        "a clause on lines of its own",
        "one of two results",
        "a result that is missing",
    ],
)
def test_an_enumerated_expression_repairs(tmp_path: Path, source: str, tests: list[str], repaired: str) -> None:
    with alive(tmp_path, source, tests) as patient:
        found = fillings(patient.bench, patient.scene, patient.suspicion, patient.question, patient.failing)
    texts = [applied(source, one.edits) for one in found]
    assert any(repaired in text for text in texts), texts


def test_a_result_that_is_longer_than_what_it_explains_is_not_offered(tmp_path: Path) -> None:
    source = "def target(words):\n    return None\n"
    tests = ["assert target(['a', 'bb']) == True", "assert target(['bb']) == False"]
    with alive(tmp_path, source, tests) as patient:
        assert fillings(patient.bench, patient.scene, patient.suspicion, patient.question, patient.failing) == []


TOTALS = """\
def target(pairs):
    totals = {}
    for name, count in pairs:
        totals[name] = count
    return totals
"""


def test_a_result_counts_for_little_where_it_drops_what_was_computed_or_writes_down_what_was_wanted(
    tmp_path: Path,
) -> None:
    tests = [
        "assert target([('pear', 1), ('pear', 3), ('fig', 3)]) == {'pear': 4, 'fig': 3}",
        "assert target([]) == {}",
    ]
    assert max(confidences(tmp_path, TOTALS, tests).values()) < 1.8
    found = confidences(tmp_path, MEAN, MEAN_TESTS[:1])
    assert found["    return total / 2"] > found["    return number - 1"] > 0
    assert "    return 3.0" not in found
    assert confidences(tmp_path, MEAN, MEAN_TESTS)["    return total / len(numbers)"] > 3.5


def test_few_decisions_of_a_condition_count_for_nothing(tmp_path: Path) -> None:
    assert confidences(tmp_path, CLAMP, CLAMP_TESTS)["    if value < low:"] == 0.0
    found = confidences(tmp_path, KEPT, KEPT_TESTS)
    assert max(found.values()) > 1.8, found


def confidences(place: Path, source: str, tests: list[str]) -> dict[str, float]:
    """How far the tests speak for each filling, by the first line that it changes."""
    with alive(place, source, tests) as patient:
        found = fillings(patient.bench, patient.scene, patient.suspicion, patient.question, patient.failing)
    lines = source.splitlines()
    texts = {one: applied(source, one.edits).splitlines() for one in found}
    return {next(line for line in text if line not in lines): one.confidence or 0.0 for one, text in texts.items()}
