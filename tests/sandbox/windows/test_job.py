"""Requests to Windows: the structures as winnt.h lays them out on 64 bits, and the limits in its units."""

from __future__ import annotations

import ctypes

import pytest

from certo.sandbox.executor import Limits
from certo.sandbox.windows import structures as win
from certo.sandbox.windows.direct_run import status_of
from certo.sandbox.windows.job import job_limits
from certo_worker.confinement import integrity


@pytest.mark.parametrize(
    ("structure", "size"),
    [
        (win.JobBasicLimits, 64),
        (win.JobLimits, 144),
        (win.JobAccounting, 48),
        (integrity.MandatoryLabel, 16),
    ],
)
def test_the_structures_have_the_documented_sizes(structure: type[ctypes.Structure], size: int) -> None:
    assert ctypes.sizeof(structure) == size


def test_structure_fields_have_windows_offsets() -> None:
    assert win.JobBasicLimits.flags.offset == 16
    assert win.JobBasicLimits.active_processes.offset == 40
    assert win.JobLimits.io_counters.offset == 64
    assert win.JobLimits.process_memory.offset == 112
    assert win.JobAccounting.active_processes.offset == 40


def test_limits_are_in_the_units_of_windows() -> None:
    asked = job_limits(Limits(cpu_seconds=1.5, memory_mebibytes=100, processes=1))
    assert asked.basic.per_job_user_time == 15_000_000
    assert asked.basic.active_processes == 1
    assert asked.process_memory == asked.job_memory == (100 + 64) << 20
    # Job time, active processes, memory of a process and of the job, no dialogue on a crash, kill on close.
    assert asked.basic.flags == 0x4 | 0x8 | 0x100 | 0x200 | 0x400 | 0x2000


@pytest.mark.parametrize(
    ("code", "status"), [(0, 0), (1, 1), (0xC0000005, 0xC0000005 - (1 << 32)), (1816, -9), (-11, -11)]
)
def test_exit_codes_of_faults_are_negative(code: int, status: int) -> None:
    assert status_of(code) == status


def test_low_integrity_is_the_windows_identifier() -> None:
    # S-1-16-4096: revision 1, one part, authority 16 in six bytes with the highest first, the part with the lowest.
    assert integrity.LOW_INTEGRITY == b"\x01\x01\x00\x00\x00\x00\x00\x10\x00\x10\x00\x00"


def test_missing_integrity_levels_are_reported() -> None:
    with pytest.raises(OSError, match="a thing of Windows"):
        integrity.lower()
    with pytest.raises(OSError, match="a thing of Windows"):
        integrity.open_to_low("/")
    assert integrity.works() is False
