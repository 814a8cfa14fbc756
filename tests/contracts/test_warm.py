"""Every executor we have keeps the contract of warm runs."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.warm.pool import pooled
from contracts.apart import ApartContract
from contracts.copies import CopiesContract
from contracts.warm import WarmContract


class _Pooling(LocalExecutor):
    """The plain process, which keeps a pool where it would copy."""

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return pooled(self, work, 2)


class TestCopies(CopiesContract, ApartContract):
    """Copies of a plain process."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return LocalExecutor(SandboxOptions(slots=2))


@pytest.mark.bubblewrap
class TestCopiesInBubblewrap(CopiesContract, ApartContract):
    """Copies of a process in namespaces, each with mounts of its own."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap())


@pytest.mark.usual_tests(
    "test_cancelling_keeps_the_next_run_warm",
    "test_changed_modules_are_imported_again",
    "test_cold_runs_are_prepared_before_beginning",
    "test_errors_of_the_context_are_unwrapped",
    "test_limits_hold_next_run_stays_warm[kept = bytearray(1 << 30)-limits2-Ending.MEMORY]",
    "test_messages_are_heard_only_once",
    "test_nothing_is_started_before_the_first_run",
    "test_parallel_runs_are_isolated",
    "test_unpreparable_runs_are_cold_with_reason[import os; os._exit(3)-]",
    "test_warm_runs_report_like_cold_ones[import os; os._exit(0)]",
    "test_warm_runs_report_like_cold_ones[tell({'number': 1}); tell({'text': '\\xe9'})]",
)
class TestPool(WarmContract):
    """Plain processes that wait, each for one run."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return _Pooling(SandboxOptions(slots=2))
