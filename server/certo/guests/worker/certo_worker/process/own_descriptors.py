"""Descriptors that belong to one process: copies of it close them as soon as they exist, so none can write to them."""

from __future__ import annotations

import os
from typing import List

_own: List[int] = []


def keep(descriptor: int) -> None:
    """Let no copy of this process have a descriptor, nor a program that it starts."""
    os.set_inheritable(descriptor, False)
    _own.append(descriptor)


def release(descriptor: int) -> None:
    """Let copies have a descriptor again, which is about to be closed."""
    if descriptor in _own:
        _own.remove(descriptor)


def _close() -> None:
    # Once only: the number may be another file's by the time the copy makes copies itself.
    while _own:
        try:
            os.close(_own.pop())
        except OSError:
            continue


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close)
