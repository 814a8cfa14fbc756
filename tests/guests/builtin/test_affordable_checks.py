"""Checks of a repair: a project may have hundreds that pytest itself must run, and pass."""

from __future__ import annotations

import pytest

from certo_builtin.execution.checks import MAX_BY_PYTEST, Check, affordable, check_of


def checks(file: str, number: int, *, owed: bool = False, by_pytest: str = "the mark anyio") -> list[Check]:
    return [Check(f"{file}::test_{index}", lambda: None, owed=owed, by_pytest=by_pytest) for index in range(number)]


def test_few_slow_passing_checks_are_kept() -> None:
    quick = checks("test_quick.py", 100, by_pytest="")
    owed, beside, others = checks("test_a.py", 3, owed=True), checks("test_a.py", 30), checks("test_b.py", 300)
    kept = affordable([*quick, *owed, *others, *beside])
    assert set(kept) >= {*quick, *owed, *beside}
    of_others = [others.index(one) for one in kept if one in others]
    assert len(of_others) == MAX_BY_PYTEST - len(beside)
    assert of_others == sorted(of_others)
    assert of_others[-1] > 250, "they are spread over all"


def test_all_are_kept_if_few() -> None:
    every = [*checks("test_a.py", 1, owed=True), *checks("test_b.py", MAX_BY_PYTEST)]
    assert affordable(every) == every


@pytest.mark.parametrize(("text", "number"), [("a", 3)])
def test_checks_hold_what_parametrizes_them(request: pytest.FixtureRequest, text: str, number: int) -> None:
    assert check_of(request.node, [], owed=True).parameters == [text, number]
