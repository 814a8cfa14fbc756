"""Work that makes many objects and no garbage, done without looking for any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Leave garbage where it is: to look for it among a million nodes of trees takes longer than to make them."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
