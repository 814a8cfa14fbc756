"""Holes at suspicious places: the value they need is found, and an expression that gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo_builtin.execution.runner import PASSED
from certo_builtin.repair.holes.angelic import HOOK
from certo_builtin.repair.holes.filler import MAX_VALUES, fillings, values
from certo_builtin.repair.holes.place import assigned, watched
from certo_builtin.source import applied
from support.search.repair_context import alive

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


@pytest.mark.usual_cases("a condition", "a result")
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
        found = fillings(patient.runner, patient.context, patient.suspicion, patient.question, patient.failing)
    texts = [applied(source, one.edits) for one in found]
    assert any(repaired in text for text in texts), texts


def test_result_longer_than_its_evidence_is_dropped(tmp_path: Path) -> None:
    source = "def target(words):\n    return None\n"
    tests = ["assert target(['a', 'bb']) == True", "assert target(['bb']) == False"]
    with alive(tmp_path, source, tests) as patient:
        assert fillings(patient.runner, patient.context, patient.suspicion, patient.question, patient.failing) == []


WORDS = """\
def target(text):
    words = [text]
    letters = [word[0] for word in words]
    return "".join(letters)
"""
SPREAD = """\
def target(values):
    low = min(values)
    high = values[0]
    step = (high - low) / 2
    return low, step
"""
SHARE = """\
def target(text):
    size = 0
    vowels = sum(letter in "aeiou" for letter in text)
    return vowels / size if size else 0
"""
BOX = """\
class Box:
    def __init__(self):
        self.items = [3, 1, 2]
        self.most = None


def target(box):
    box.most = box.items[0]
    return (box.most, len(box.items))
"""


@pytest.mark.usual_cases("a list")
@pytest.mark.parametrize(
    ("source", "tests", "repaired"),
    [
        (WORDS, ["assert target('ab cd') == 'ac'", "assert target('x yy z') == 'xyz'"], "words = text.split()"),
        (SPREAD, ["assert target([3, 1, 9]) == (1, 4.0)", "assert target([4, 4]) == (4, 0.0)"], "high = max(values)"),
        (SHARE, ["assert target('aeb') == 2 / 3", "assert target('') == 0"], "size = len(text)"),
        (BOX, ["assert target(Box()) == (3, 3)", "b = Box(); b.items = [5, 7]; assert target(b) == (7, 2)"], "max("),
    ],
    ids=["a list", "a number among numbers", "a constant", "an attribute"],
)
def test_assigned_value_is_searched_among_small_ones(
    tmp_path: Path, source: str, tests: list[str], repaired: str
) -> None:
    with alive(tmp_path, source, tests) as patient:
        found = fillings(patient.runner, patient.context, patient.suspicion, patient.question, patient.failing)
        edits = [one.edits for one in found if one.template == "an enumerated value"]
        judged = patient.runner.judge(edits, 20000)
        passed = [applied(source, edits[number]) for number, one in judged if one.ending == PASSED]
    assert any(repaired in text for text in passed), passed


def test_values_are_few_distinct_and_typed(tmp_path: Path) -> None:
    """They are of the type of what stands there."""
    tests = ["assert target([3, 1, 9]) == (1, 4.0)", "assert target([4, 4]) == (4, 0.0)"]
    with alive(tmp_path, SPREAD, tests) as patient:
        places = assigned(patient.context, patient.suspicion)
        (place,) = [place for place in places if place.old(patient.context) == "values[0]"]
        patient.runner.hot_swap.try_on(watched(patient.context, place, HOOK))
        found = [text for text, _ in values(place, patient.runner, patient.context, patient.question)]
    assert len(found) == MAX_VALUES
    given = [[eval(text, {"values": each, "low": min(each)}) for each in ([3, 1, 9], [4, 4])] for text in found]
    assert all(type(one) in (int, float) for each in given for one in each)
    shown = [repr(each) for each in given]
    assert len({*shown, "[3, 4]"}) == len(shown) + 1, "each is another, and none is what stands there"


TOTALS = """\
def target(pairs):
    totals = {}
    for name, count in pairs:
        totals[name] = count
    return totals
"""


@pytest.mark.slow
def test_result_dropping_computation_counts_for_little(
    tmp_path: Path,
) -> None:
    """So does one that writes down the wanted value."""
    tests = [
        "assert target([('pear', 1), ('pear', 3), ('fig', 3)]) == {'pear': 4, 'fig': 3}",
        "assert target([]) == {}",
    ]
    assert max(confidences(tmp_path, TOTALS, tests).values()) < 1.8
    found = confidences(tmp_path, MEAN, MEAN_TESTS[:1])
    assert found["    return total / 2"] > found["    return number - 1"] > 0
    assert "    return 3.0" not in found
    assert confidences(tmp_path, MEAN, MEAN_TESTS)["    return total / len(numbers)"] > 3.5


@pytest.mark.slow
def test_few_decisions_count_for_nothing(tmp_path: Path) -> None:
    assert confidences(tmp_path, CLAMP, CLAMP_TESTS)["    if value < low:"] == 0.0
    found = confidences(tmp_path, KEPT, KEPT_TESTS)
    assert max(found.values()) > 1.8, found


def confidences(place: Path, source: str, tests: list[str]) -> dict[str, float]:
    """Return the confidence of each filling, by the first line that it changes."""
    with alive(place, source, tests) as patient:
        found = fillings(patient.runner, patient.context, patient.suspicion, patient.question, patient.failing)
    lines = source.splitlines()
    texts = {one: applied(source, one.edits).splitlines() for one in found}
    return {next(line for line in text if line not in lines): one.confidence or 0.0 for one, text in texts.items()}
