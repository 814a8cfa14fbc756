"""The built-in search in this process, which holds far more than its own does."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _collected_tests_stay_frozen() -> Iterator[None]:
    """Let the search look for a function among what a test has made, and not among all tests that were collected.

    In its own process it thaws what was frozen before, which is little there.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "unfreeze", lambda: None)
        yield
