"""What the tests of sessions share."""

from __future__ import annotations

from support.event_loop import anyio_backend, one_event_loop

__all__ = ["anyio_backend", "one_event_loop"]
