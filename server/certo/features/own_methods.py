"""Our own methods: params are read by the model in their row of the table, and results written as JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from certo.features.arguments import read
from certo.features.desk import Desk
from certo.protocol.methods import METHODS
from certo.protocol.wire import Wire

_ROWS = {method.name: method for method in METHODS}

Run = Callable[[Desk, Any], Awaitable[Wire | None]]
"""Answers one method, from its params to its result."""


def answering(name: str, run: Run) -> Callable[[Desk, Any], Awaitable[Any]]:
    """What answers a method of ours as it comes from the client."""
    params_of = _ROWS[name].params

    async def answer(desk: Desk, params: Any) -> Any:
        result = await run(desk, read(name, params_of, {} if params is None else params))
        return None if result is None else result.model_dump(mode="json", by_alias=True)

    return answer
