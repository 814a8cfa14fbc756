"""A task group raises one error, as it was raised inside."""

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
async def test_one_error_comes_out_preferring_bugs(errors: list[Exception], comes_out: type[Exception]) -> None:
    """A bug is not hidden by a documented error."""
    cause = RuntimeError("the cause")
    for error in errors:
        error.__cause__ = cause
    with pytest.raises(comes_out) as raised:
        await all_at_once(errors)
    assert raised.value.__cause__ is cause


async def test_error_of_the_block_comes_out_too() -> None:
    with pytest.raises(BadSetting, match="a"):
        async with side_by_side():
            raise BadSetting("a")
