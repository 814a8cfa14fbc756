"""The executor on other machines keeps the executors' contract."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import anyio
import pytest

from certo.sandbox.executor import Executor, Policy
from contracts.ending import DAEMON
from contracts.executor import ExecutorContract
from contracts.warm import WarmContract
from support.sandbox.cluster import Cluster, appears, cluster
from support.sandbox.stage import Stage, living
from support.sandbox.zygote_executor import FromZygotes

ENDLESS = f"""{DAEMON}
    def main(request, tell):
        double_fork(request["argument"])
        time.sleep(1000)
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with one worker."""
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        # What a run may see of the environment is that of its worker.
        running.start_worker("--slots", "2", environ={"LC_TIME": "C", "CANARY_KEY": "sk-canary"})
        yield running


@pytest.mark.slow
class TestDistributedExecutor(ExecutorContract):
    """A scheduler and a worker on loopback."""

    @pytest.fixture
    async def executor(self, running: Cluster) -> Executor:
        return await running.join(1)

    async def test_cancelling_kills_what_would_never_end(self, executor: Executor, stage: Stage) -> None:
        """Messages come at the end here; that a run is going on is seen by its process."""
        argument = f"certo-test-{uuid4().hex}"
        work = stage.work(ENDLESS, request={"argument": argument}, policy=Policy.SUBPROCESS)
        async with anyio.create_task_group() as group:
            group.start_soon(executor.run, work, lambda _: None)
            await appears(argument)
            group.cancel_scope.cancel()
        assert living(argument) == []

    async def test_cancelled_waiters_leave_their_slot(self, executor: Executor, stage: Stage) -> None:
        """The same here."""
        argument = f"certo-test-{uuid4().hex}"
        work = stage.work(ENDLESS, request={"argument": argument}, policy=Policy.SUBPROCESS)
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(executor.run, work, lambda _: None)
            await appears(argument)
            group.cancel_scope.cancel()
        heard = await stage.run(executor, "def main(request, tell):\n    tell({})\n")
        assert heard.finished.complete


@pytest.mark.slow
class TestDistributedZygote(TestDistributedExecutor):
    """The same, where each run is a copy of a process that its worker has prepared already."""

    @pytest.fixture
    async def executor(self, running: Cluster) -> Executor:
        return FromZygotes(await running.join(1))


@pytest.mark.slow
class TestWarmOnACluster(WarmContract):
    """Warm runs there: what is prepared stands on the worker."""

    @pytest.fixture
    async def executor(self, running: Cluster) -> Executor:
        return await running.join(1)
