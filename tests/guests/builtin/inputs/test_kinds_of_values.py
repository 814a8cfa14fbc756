"""Values made up for a parameter: small ones, and the boundaries and unusual ones that tell functions apart."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Sequence
from typing import Any

import pytest

from certo_builtin.inputs.annotations import Annotations
from certo_builtin.inputs.kinds import MAX_SMALL, Kind
from certo_builtin.inputs.variants import gathered, near


def kind_of(hint: Any, constants: Sequence[object] = (), seen: Sequence[str] = ()) -> Kind:
    kind = Annotations({"datetime": datetime, "decimal": decimal}, gathered(constants, seen)).kind(hint)
    assert kind is not None
    return kind


def values_of(hint: Any, constants: Sequence[object] = ()) -> list[Any]:
    kind = kind_of(hint, constants)
    return [eval(text, {"datetime": datetime}) for text in (*kind.small, *kind.more)]


@pytest.mark.parametrize("hint", [int, float, str, bytes, list[str], dict[str, float], tuple[int, str], set[int]])
def test_each_value_is_made_once(hint: Any) -> None:
    kind = kind_of(hint, [7, "abc", 2.5])
    every = [*kind.small, *kind.more]
    assert len(set(every)) == len(every)
    assert len(kind.small) <= MAX_SMALL
    assert all(eval(text) is not ... for text in every)


def test_lengths_next_to_numbers_in_code() -> None:
    for hint in (str, list[int], tuple[str, ...]):
        assert {19, 20, 21} <= {len(value) for value in values_of(hint, [20])}


def test_neighbours_of_large_numbers_in_code() -> None:
    assert {2**40 - 1, 2**40, 2**40 + 1} <= set(values_of(int, [2**40]))


@pytest.mark.parametrize(
    "text", ["", " ", "A", "Ab", "aB", "ß", "e\u0301", "١٢", "\ud800", "a\nb", ".*", "\\", "%s", "\x00"]
)
def test_texts_of_each_class(text: str) -> None:
    assert text in values_of(str)


def test_very_long_texts() -> None:
    assert max(map(len, values_of(str))) >= 500


def test_floats_that_no_comparison_orders() -> None:
    found = values_of(float)
    assert any(math.isnan(value) for value in found)
    assert {math.inf, -math.inf, 5e-324} <= set(found)
    assert any(value == 0 and math.copysign(1, value) < 0 for value in found)
    assert any(len(row) > 2 and math.isnan(row[1]) and row[0] != row[2] for row in values_of(list[float]))


def test_truth_values_in_place_of_numbers() -> None:
    assert any(value is True for value in values_of(int))


def test_last_days_of_months_and_years() -> None:
    days = values_of(datetime.date)
    assert {(12, 31), (2, 29), (1, 31), (4, 30)} <= {(day.month, day.day) for day in days}


def test_lists_with_duplicates_sorted_and_unsorted() -> None:
    rows = values_of(list[int])
    assert any(row == sorted(row) and len(set(row)) > 2 for row in rows)
    assert any(row == sorted(row, reverse=True) and len(set(row)) > 2 for row in rows)
    assert any(row != sorted(row) and len(set(row)) < len(row) > 2 for row in rows)


def test_characters_of_observed_texts_are_put_in() -> None:
    assert "'a§'" in set(near("'a'", gathered([], ["§"])))


def test_classes_by_the_modules_own_name() -> None:
    """A module that has `from datetime import date, datetime` has another thing under the module's name."""
    names = {"date": datetime.date, "datetime": datetime.datetime, "Decimal": decimal.Decimal}
    annotations = Annotations(names, gathered([]))
    for hint, first in ((datetime.date, "date(2020, 1, 31)"), (decimal.Decimal, "Decimal('0')")):
        kind = annotations.kind(hint)
        assert kind is not None
        assert kind.small[0] == first
        assert all(isinstance(eval(text, dict(names)), hint) for text in kind.small)
    assert annotations.kind(datetime.timedelta) is None
