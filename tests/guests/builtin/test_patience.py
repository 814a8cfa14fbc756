"""A project's function may take its time on a processor, and only some of it asleep."""

from __future__ import annotations

import time

import pytest

from certo_builtin.synthesis.space import MAX_ALARMS, MAX_CALL_SECONDS, patient


def test_waiting_function_comes_back() -> None:
    def wait(seconds: float) -> str:
        time.sleep(seconds)
        return "back"

    assert patient(wait)(1.5 * MAX_CALL_SECONDS) == "back"


def test_what_waits_for_ever_is_cut_off() -> None:
    with pytest.raises(ValueError, match="it did not come back"):
        patient(time.sleep)(1e6)


def test_computing_function_is_cut_off() -> None:
    """By the processor time that it used."""

    def spin(used: list[float]) -> None:
        began = time.process_time()
        while True:
            used[:] = [time.process_time() - began]

    for _ in range(2):
        used: list[float] = []
        with pytest.raises(ValueError, match="it did not come back"):
            patient(spin)(used)
        assert used[0] < MAX_ALARMS * MAX_CALL_SECONDS
