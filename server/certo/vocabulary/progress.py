"""Progress in words: the type of what hears it, and one that does not."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[[str], None]
"""Hears a sentence about what is going on."""


def unheard(_: str, /) -> None:
    """Drop a sentence: the caller waits for the answer alone."""
