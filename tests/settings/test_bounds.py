"""Bounds that options declare hold: each group refuses a number out of them."""

from __future__ import annotations

import dataclasses
from typing import Any, get_type_hints

import pytest

from certo.settings.schema import Settings
from certo.vocabulary.options import info_of

HINTS = get_type_hints(Settings)
BOUNDED = [
    pytest.param(group, field, id=f"{name}.{field.name}")
    for name, group in HINTS.items()
    if dataclasses.is_dataclass(group)
    for field in dataclasses.fields(group)
    if info_of(field).range_in_words and not isinstance(field.default, tuple)
]


@pytest.mark.parametrize(("group", "field"), BOUNDED)
def test_numbers_out_of_bounds_are_refused(group: Any, field: dataclasses.Field[Any]) -> None:
    info = info_of(field)
    low = info.above if info.above is not None else info.at_least
    wrong = low - 1 if low is not None else (info.at_most or 0) + 1
    with pytest.raises(ValueError, match=f"{field.name} must be "):
        group(**{field.name: wrong})
