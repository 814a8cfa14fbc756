"""Options declare their bounds and owners, and bounds are checked by name and value."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import pytest

from certo.vocabulary.options import OptionInfo, check_bounds, info_of, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One option for each kind of bound."""

    seconds: float | None = option(1.0, "Seconds.", above=0)
    lanes: int = option(1, "Lanes.", at_least=1, at_most=1000)
    tries: int = option(0, "Tries.", at_least=0)
    percent: float = option(0.0, "Percent.", at_most=100)
    temperatures: tuple[float, ...] = option((), "Temperatures.", at_least=0, at_most=2)
    name: str = option("", "A name.")
    free: float = 0.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seconds": 0}, "group.seconds must be more than 0, not 0"),
        ({"seconds": math.nan}, "group.seconds must be more than 0, not nan"),
        ({"lanes": 1001}, "group.lanes must be from 1 to 1,000, not 1001"),
        ({"lanes": 0}, "group.lanes must be from 1 to 1,000, not 0"),
        ({"tries": -1}, "group.tries must be at least 0, not -1"),
        ({"percent": 101}, "group.percent must be at most 100, not 101"),
        ({"temperatures": (0, 2.5)}, "group.temperatures must be from 0 to 2, not 2.5"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_number_out_of_bounds_is_named(values: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        check_bounds(Options(**values), "group")  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "values",
    [{}, {"seconds": None}, {"lanes": 1000}, {"temperatures": (0, 2)}, {"percent": -5}, {"free": math.inf}],
    ids=str,
)
def test_number_within_bounds_is_taken(values: dict[str, float]) -> None:
    check_bounds(Options(**values), "group")  # type: ignore[arg-type]


def test_group_without_a_name_has_no_prefix() -> None:
    with pytest.raises(ValueError, match=r"^tries must be"):
        check_bounds(Options(tries=-1))


def test_fields_keep_what_was_declared() -> None:
    infos = {field.name: info_of(field) for field in fields(Options)}
    assert infos["lanes"] == OptionInfo(description="Lanes.", at_least=1, at_most=1000)
    assert infos["free"] == OptionInfo(description="")


def test_project_may_set_what_owner_allows() -> None:
    """A rule for values decides before the owner does."""
    assert OptionInfo(description="").may_come_from_project(1)
    assert not OptionInfo(description="", owner="user").may_come_from_project(1)
    limited = OptionInfo(description="", owner="user", project_may=lambda value: value < 5)
    assert (limited.may_come_from_project(4), limited.may_come_from_project(5)) == (True, False)
