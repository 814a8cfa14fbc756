"""Processor time of ambient repairs, and the power supply of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sessions.ambient.power import is_on_battery
from certo.sessions.turns import ProcessorAllowance


def test_hour_takes_at_most_five_percent() -> None:
    clock = [0.0]
    allowance = ProcessorAllowance(clock=lambda: clock[0])
    taken = 0.0
    while clock[0] < 3600:
        wait = allowance.seconds_to_wait(2.0)
        if wait:
            clock[0] += wait
            continue
        allowance.spend(5.0)
        taken += 5.0
        clock[0] += 5.0
    assert 120 <= taken <= 0.05 * 3600


def test_unused_time_is_saved_up() -> None:
    clock = [0.0]
    allowance = ProcessorAllowance(clock=lambda: clock[0])
    assert allowance.seconds_to_wait(2.0) == 0.0
    allowance.spend(19.0)
    assert allowance.seconds_to_wait(2.0) == 0.0
    allowance.spend(20.0)
    debt = allowance.seconds_to_wait(2.0)
    assert debt > 0
    clock[0] += debt
    assert allowance.seconds_to_wait(2.0) == 0.0


@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, False),
        ({"AC": {"type": "Mains", "online": "0"}}, False),
        ({"BAT0": {"type": "Battery", "status": "Charging"}}, False),
        ({"BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        ({"mouse": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, False),
    ],
)
def test_battery_is_told_from_mains(tmp_path: Path, supplies: dict[str, dict[str, str]], expected: bool) -> None:
    for name, facts in supplies.items():
        (tmp_path / name).mkdir()
        for about, said in facts.items():
            (tmp_path / name / about).write_text(f"{said}\n")
    assert is_on_battery(tmp_path) is expected
