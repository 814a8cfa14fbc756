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


class TestPool(WarmContract):
    """Plain processes that wait, each for one run."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return _Pooling(SandboxOptions(slots=2))
