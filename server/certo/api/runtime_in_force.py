"""The runtime that is in force, for parts of the API that the runtime itself is made of."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certo.api.runtime import Runtime

in_force: ContextVar[Runtime | None] = ContextVar("certo.runtime", default=None)
"""The runtime of the block or of the call that goes on; None outside of all."""
