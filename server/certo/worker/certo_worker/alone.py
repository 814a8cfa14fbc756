"""A plug-in for pytest that tells others what no option of theirs does: that this process runs its tests alone."""

from __future__ import annotations

import sys
from typing import Any

import pytest


class Alone:
    """Registered before pytest is configured, and before any plug-in learns of that."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        """Keep pytest-rerunfailures from opening a socket, by which other processes could tell it of crashes."""
        reruns: Any = sys.modules.get("pytest_rerunfailures")
        if reruns is not None:
            # It does so wherever pytest-xdist is installed as well, whether or not that is to start any process.
            reruns.HAS_PYTEST_HANDLECRASHITEM = False
