"""What the tests of sessions share."""

from __future__ import annotations

from support.event_loop import anyio_backend, one_event_loop
from support.search.journalled_searches import kept_processes

__all__ = ["anyio_backend", "kept_processes", "one_event_loop"]
