"""Processes that serve the tests of one file: they end with it, so that no other file finds them among its own."""

from __future__ import annotations

from collections.abc import Callable

_ENDINGS: list[Callable[[], object]] = []


def at_end_of_module(end: Callable[[], object]) -> None:
    """Have `end` called after the last test of the file that is running."""
    _ENDINGS.append(end)


def end_all() -> None:
    """Call everything registered, the latest first."""
    while _ENDINGS:
        _ENDINGS.pop()()
