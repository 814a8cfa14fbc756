"""Hypothesis's tables of characters, made once in a process that others are copies of.

It makes them for its first text, from all characters there are, which takes seconds, and keeps them in its directory.
But each run has a directory of its own, for what one candidate writes no other may read.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from typing import Any

_TABLES = "hypothesis.internal.charmap"


def were_made() -> bool:
    """Whether this process has had to make them."""
    return bool(getattr(sys.modules.get(_TABLES), "_charmap", None))


def make() -> None:
    """Make those that any text needs, if Hypothesis is imported; where it makes them otherwise, each run will."""
    tables: Any = sys.modules.get(_TABLES)
    configuration: Any = sys.modules.get("hypothesis.configuration")
    if tables is None or configuration is None:
        return
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as directory:
        warnings.simplefilter("ignore")
        try:
            configuration.set_hypothesis_home_dir(directory)
            tables.charmap()
            tables.intervals_from_codec("utf-8")
        except Exception:
            return
        finally:
            # The next to ask for it gets that of its own run.
            configuration.set_hypothesis_home_dir(None)
