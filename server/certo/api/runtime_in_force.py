"""The runtime that is in force, for parts of the API that the runtime itself is made of."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

in_force: ContextVar[Any] = ContextVar("certo.runtime", default=None)
"""The `Runtime` of the block or of the call that goes on; None outside of all. Its type would close a cycle."""
