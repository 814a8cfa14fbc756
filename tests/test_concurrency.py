"""What comes out of a task group: one error, as it was raised."""

from __future__ import annotations

import pytest

from certo.concurrency import side_by_side
from certo.vocabulary.errors import BadRequest, BadSetting


async def fail(error: BaseException) -> None:
    raise error


async def all_at_once(errors: list[Exception]) -> None:
    async with side_by_side(), side_by_side() as inner:
        for error in errors:
            inner.start_soon(fail, error)


@pytest.mark.parametrize(
    ("errors", "comes_out"),
    [
        ([BadSetting("a")], BadSetting),
        ([BadSetting("a"), BadRequest("b")], BadSetting),
        ([BadSetting("a"), ZeroDivisionError()], ZeroDivisionError),
        ([ValueError("a"), KeyError("b")], ValueError),
    ],
)
async def test_one_error_comes_out_and_no_bug_is_hidden_by_a_documented_one(
    errors: list[Exception], comes_out: type[Exception]
) -> None:
    cause = RuntimeError("the cause")
    for error in errors:
        error.__cause__ = cause
    with pytest.raises(comes_out) as raised:
        await all_at_once(errors)
    assert raised.value.__cause__ is cause


async def test_an_error_of_its_own_code_comes_out_too() -> None:
    with pytest.raises(BadSetting, match="a"):
        async with side_by_side():
            raise BadSetting("a")
