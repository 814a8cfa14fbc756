"""Versions that want to pass for faster are not measured as faster, or not measured at all."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from behaviour.test_version_comparison import subject_of
from certo.behaviour.speed_measurement import ROUND
from certo.sandbox.executor import Message
from hostile.attacks.timing import TIMED, TIMING, Timing

FASTER = 1.3
"""Ratio that no version of the same work reaches in one round on a busy machine, and one without work far exceeds."""

SIZE = 64.0

CALL = {"callee": "common", "receiver": None, "arguments": ["[1, 2, 3, 9]", "[3, 4, 1, 7]"], "named": {}}


async def timed(root: Path, text: str) -> tuple[float, str]:
    """Return how many times as fast a version is as the original in one round, or why it is not timed."""
    subject = subject_of(root, "common", TIMED)
    span = subject.target.span
    calls = [{"call": {**CALL, "is_property": False}, "sizes": [[SIZE, 0.001]]}]
    request = {**subject.wire, "edits": [[span.start, span.end, text]], "calls": calls, "seconds": 20.0, "seed": 1}
    heard: list[Message] = []
    await subject.executor.run(subject.work(ROUND, request, 20.0), heard.append)
    for message in heard:
        if message["kind"] == "trouble":
            return 0.0, str(message["text"])
    [turns] = [message["main"] for message in heard]
    return _ratio(turns), ""


def _ratio(turns: Any) -> float:
    return median(turn[0] / turn[1] for turn in turns)


async def test_honest_version_is_faster(tmp_path: Path) -> None:
    """With the call of the rows, so that a row that is not measured as faster says something."""
    text = (
        "def common(xs: list[int], ys: list[int]) -> list[int]:\n    known = set(ys)\n"
        "    return [x for x in xs if x in known]\n"
    )
    ratio, trouble = await timed(tmp_path, text)
    assert (ratio > FASTER, trouble) == (True, "")


@pytest.mark.parametrize("row", TIMING, ids=lambda row: row.name)
async def test_no_version_claims_speed(tmp_path: Path, row: Timing) -> None:
    ratio, trouble = await timed(tmp_path, row.text)
    assert (ratio < FASTER, row.refusal in trouble, bool(trouble)) == (True, True, bool(row.refusal))
