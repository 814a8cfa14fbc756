"""Starvation: what others take of the machine is not charged, what certo's own processes take of each other is."""

from __future__ import annotations

import math

import anyio
import pytest

from certo.sandbox.executor import Ending, Finished
from certo.sandbox.process.starvation import StarvationMeter, meter, patient_limit


def starved(*changes: tuple[float, float], elapsed: float = 10.0, processors: int = 2) -> float:
    """Return the starvation of processes that used a processor and waited for one for so many seconds."""
    found = StarvationMeter(processors)
    # What was there before does not count.
    before = dict.fromkeys(range(len(changes) - 1), (100.0, 50.0))
    after = {pid: tuple(map(sum, zip(then, before.get(pid, (0, 0)), strict=True))) for pid, then in enumerate(changes)}
    found.count(before, after, elapsed)
    return round(found.starved, 3)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param([(10.0, 0.0)], 0.0, id="one that always runs"),
        pytest.param([(0.0, 0.0)], 0.0, id="one that waits for no processor"),
        pytest.param([(1.0, 9.0)], 9.0, id="one that gets a tenth"),
        pytest.param([(0.5, 4.5), (0.5, 4.5)], 9.0, id="two in turn that get a tenth"),
        pytest.param([(1.0, 9.0), (1.0, 9.0)], 9.0, id="two at once that get a tenth"),
        pytest.param([(5.0, 5.0)] * 4, 0.0, id="four that have both processors"),
        pytest.param([(0.01, 0.09)], 0.09, id="one that hardly wants any"),
    ],
)
def test_only_time_taken_by_others_counts(changes: list[tuple[float, float]], expected: float) -> None:
    assert starved(*changes) == expected


async def test_a_limit_waits_for_starved_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The block gets the time that others have taken, up to ten times its own."""
    monkeypatch.setattr(meter(), "look", lambda: setattr(meter(), "starved", meter().starved + 0.3))
    looks = 0
    async with patient_limit(0.2) as limit:
        while True:
            await anyio.sleep(0.05)
            looks += 1
    assert limit.ended
    assert limit.starved > 0
    assert looks > 4


async def test_a_shortened_limit_ends_the_block() -> None:
    async with patient_limit(math.inf) as limit:
        limit.shorten(0.0)
        await anyio.sleep_forever()
    assert limit.ended


async def test_a_limit_passes_errors_on_unchanged() -> None:
    with pytest.raises(KeyError, match="mine"):
        async with patient_limit(60):
            raise KeyError("mine")


def test_starved_run_names_the_busy_machine() -> None:
    starved = Finished(ending=Ending.WALL, status=-9, complete=False, seconds=100.0, cpu_seconds=12.0, waited=88.0)
    assert "the machine is busy: 12 % of the processor time asked for" in starved.words
