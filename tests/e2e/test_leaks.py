"""Many candidates leave nothing behind: the last one finds the same resources as the fiftieth."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.sandbox.resource_leaks import judge_many

_MOST_GROWTH = 4096
"""KiB that memory may grow by for other reasons than a leak: 450 candidates that left only 10 KiB each take as much."""


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_hundreds_of_candidates_leak_nothing(tmp_path: Path) -> None:
    first, last, after = await judge_many(tmp_path, warming=50, count=450)
    assert (last.descriptors, last.processes, last.entries) == (first.descriptors, first.processes, first.entries)
    assert last.ours - first.ours < _MOST_GROWTH
    assert last.theirs - first.theirs < _MOST_GROWTH
    assert (after.processes, after.entries) == (0, 0)
    assert after.descriptors < first.descriptors
