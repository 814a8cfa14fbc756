"""Runs in the background that do not wait for the other tests."""

from __future__ import annotations

import pytest

from certo.sandbox import work_order


@pytest.fixture(autouse=True)
def normal_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give runs in the background normal priority: beside other tests a nice process waits for minutes."""
    monkeypatch.setattr(work_order, "_BACKGROUND_NICENESS", 0)
