"""The ways to ask for code, in the runtime of the `with` block around them or in one that has nothing set."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

import anyio

from certo.api.built import Built, FallBack
from certo.api.generated import Generated
from certo.api.runtime import current_runtime
from certo.api.specification import Specification
from certo.api.strategy import Strategy
from certo.llm.model import ChatModel

Result = TypeVar("Result")


async def generate(
    wanted: Specification, *, strategy: Strategy | None = None, llm: ChatModel | None = None
) -> Generated:
    """Write the function that is wanted; see `Runtime.generate`."""
    return await current_runtime().generate(wanted, strategy=strategy, llm=llm)


async def build(
    wanted: Specification,
    *,
    strategy: Strategy | None = None,
    llm: ChatModel | None = None,
    fall_back: FallBack = "untouched",
) -> Built:
    """Write the function that is wanted, once, and return it ready to be called; see `Runtime.build`."""
    return await current_runtime().build(wanted, strategy=strategy, llm=llm, fall_back=fall_back)


async def run(
    wanted: Specification,
    inputs: Mapping[str, Any],
    *,
    strategy: Strategy | None = None,
    llm: ChatModel | None = None,
    fall_back: FallBack = "untouched",
) -> Any:
    """Write the function that is wanted and call it once; see `Runtime.run`."""
    return await current_runtime().run(wanted, inputs, strategy=strategy, llm=llm, fall_back=fall_back)


def wait(coroutine: Coroutine[Any, Any, Result], /) -> Result:
    """Run anything of this API to its end, for programs that are not asynchronous: `wait(generate(wanted))`.

    Raises:
        RuntimeError: the program is asynchronous; use `await` there.
    """

    async def awaited() -> Result:
        return await coroutine

    try:
        return anyio.run(awaited)
    finally:
        if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
            coroutine.close()
