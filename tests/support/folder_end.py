"""Processes that serve the tests of one folder: they end with it, so that no other finds them among its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

_ENDINGS: list[Callable[[], object]] = []
_FOLDERS: list[Path] = []


def enter(folder: Path) -> None:
    """End the processes of another folder: the tests of this one begin."""
    if folder not in _FOLDERS:
        end_all()
        _FOLDERS[:] = [folder]


def at_end_of_folder(end: Callable[[], object]) -> None:
    """Have `end` called after the last test of the folder whose tests are running."""
    _ENDINGS.append(end)


def end_all() -> None:
    """Call everything registered, the latest first."""
    while _ENDINGS:
        _ENDINGS.pop()()
