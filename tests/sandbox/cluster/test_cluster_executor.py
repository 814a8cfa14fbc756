"""Runs on other machines: a real scheduler and real workers, each a process on loopback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
import trustme
from anyio.lowlevel import checkpoint

from certo.sandbox.cluster.cluster_executor import DistributedExecutor, join_cluster
from certo.sandbox.executor import Ending, Executor, Message, Policy
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process import process_table
from certo.sandbox.selection import choose_executor
from certo.vocabulary.errors import SandboxUnavailable
from support.cli.command import RIGHT, WRONG, Ran, certo, scripted, till
from support.sandbox.cluster import PLAIN, Certificates, Cluster, appears, cluster, while_a_worker_dies
from support.sandbox.stage import OURS, Stage, living

TAKES_A_MOMENT = """
    import subprocess, sys

    def main(request, tell):
        tell({"begun": request["number"]})
        subprocess.run([sys.executable, "-S", "-c", "import time; time.sleep(1)", request["argument"]])
        tell({"ended": request["number"]})
"""

ENDLESS = """
    import subprocess, sys

    def main(request, tell):
        subprocess.run([sys.executable, "-S", "-c", "import time; time.sleep(1000)", request["argument"]])
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with one worker."""
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        running.start_worker("--slots", "2")
        yield running


@pytest.fixture
async def executor(small: Cluster) -> DistributedExecutor:
    return await small.join(1)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.mark.slow
async def test_it_says_how_its_workers_confine(executor: Executor) -> None:
    assert executor.isolation.startswith("on 1 worker: Landlock, seccomp: no network")
    assert executor.policies == (Policy.STRICT, Policy.SUBPROCESS)


async def test_project_paths_are_translated_both_ways(executor: Executor, stage: Stage) -> None:
    stage.write({"pack/__init__.py": "", "pack/one.py": "def answer():\n    return 1\n"})
    heard = await stage.run(
        executor,
        """
        import os

        def main(request, tell):
            from pack import one

            there = os.path.samefile(request["root"], os.getcwd())
            tell({"root": request["root"], "there": there, "file": one.__file__, "answer": one.answer()})
            print("in", os.getcwd())
        """,
        request={"root": str(stage.root)},
        overlay={"pack/one.py": "def answer():\n    return 2\n"},
    )
    assert heard.finished.complete, heard.finished.printed
    file = str(stage.root / "pack" / "one.py")
    assert heard.messages == [{"root": str(stage.root), "there": True, "file": file, "answer": 2}]
    assert heard.finished.printed == f"in {stage.root}\n"


async def test_the_next_run_sees_project_changes(executor: Executor, stage: Stage) -> None:
    source = "def main(request, tell):\n    import module\n    tell({'value': module.value})\n"
    for value in range(3):
        stage.write({"module.py": f"value = {value}\n"})
        heard = await stage.run(executor, source)
        assert heard.messages == [{"value": value}]


async def test_standing_runs_stay_on_this_machine(executor: Executor, stage: Stage) -> None:
    heard: list[Message] = []
    work = stage.work("import os\n\ndef main(request, tell):\n    tell({'letters': list(os.getcwd())})\n")
    await executor.run(replace(work, standing=True), heard.append)
    assert heard == [{"letters": list(str(stage.root))}]


async def test_workers_prepare_once_for_all_searches(
    small: Cluster, executor: DistributedExecutor, stage: Stage
) -> None:
    source = """
        import os

        prepared = []

        def prepare(preparation):
            prepared.append(os.urandom(8).hex())

        def main(request, tell):
            tell({"number": request["number"], "prepared": prepared})
    """
    [worker] = (await small.wait_for(1)).values()
    before = {process.pid for process in process_table.descendants(worker)}
    heard: list[Message] = []
    cold: list[str] = []
    work = replace(stage.work(source), preparation={"of": "both"})

    async def run(warm: Executor, number: int) -> None:
        finished = await warm.run(replace(work, request={"number": number}), heard.append)
        cold.append(finished.cold)

    async with executor.warmed(work) as one, executor.warmed(work) as other, anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(run, one if number % 2 else other, number)
    assert cold == [""] * 10
    assert sorted(message["number"] for message in heard) == list(range(10))
    assert len({tuple(message["prepared"]) for message in heard}) == 1
    assert {process.pid for process in process_table.descendants(worker)} == before


@pytest.mark.slow
async def test_workers_refuse_isolation_they_cannot_give(tmp_path: Path) -> None:
    demanded = SandboxOptions(isolation="bubblewrap")
    with cluster(tmp_path / "cluster") as running:
        running.start_worker("--slots", "1", environ={"PATH": str(tmp_path)})
        with pytest.raises(SandboxUnavailable, match=r"apt install bubblewrap.*\(on the worker tcp://127.0.0.1:\d+\)"):
            await running.join(1, demanded)


@pytest.mark.slow
async def test_a_killed_worker_loses_no_run(tmp_path: Path, stage: Stage) -> None:
    argument = f"certo-test-{os.getpid()}"
    heard: list[Message] = []
    endings: list[Ending] = []
    with cluster(tmp_path / "cluster") as running:
        for _ in range(3):
            running.start_worker("--slots", "1")
        executor = await running.join(3)
        assert executor.isolation.startswith("on 3 workers: ")
        workers = await running.wait_for(3)

        async def run(number: int) -> None:
            request = {"number": number, "argument": argument}
            work = stage.work(TAKES_A_MOMENT, request=request, policy=Policy.SUBPROCESS)
            finished = await executor.run(work, heard.append)
            endings.append(finished.ending)

        async with anyio.create_task_group() as group:
            for number in range(9):
                group.start_soon(run, number)
            victim = await busy(workers.values(), argument)
            os.kill(victim, signal.SIGKILL)
        assert endings == [Ending.EXITED] * 9
        assert living(argument) == []
    # Each says two things, one right after the other, and says them once.
    assert sorted(message["begun"] for message in heard[::2]) == list(range(9))
    assert [message["begun"] for message in heard[::2]] == [message["ended"] for message in heard[1::2]]


async def busy(workers: Iterable[int], argument: str) -> int:
    """Return the first of these worker processes that has started a process with `argument`."""
    with anyio.fail_after(100):
        while True:
            started = living(argument)
            for worker in workers:
                if any(process.pid in started for process in process_table.descendants(worker)):
                    return worker
            await checkpoint()


@pytest.mark.slow
async def test_a_killed_sender_leaves_no_run(small: Cluster, stage: Stage) -> None:
    argument = f"certo-test-{os.getpid()}-sender"
    await small.wait_for(1)
    stage.work(ENDLESS)
    command = [sys.executable, "-m", "support.sandbox.cluster_sender", small.address, str(stage.root.parent)]
    sender = small.start(command, {"ARGUMENT": argument})
    await appears(argument)
    os.kill(sender.pid, signal.SIGKILL)
    with anyio.fail_after(100):
        while living(argument):
            await checkpoint()


@pytest.mark.slow
async def test_runs_killed_by_limits_are_not_resent(executor: DistributedExecutor, stage: Stage) -> None:
    source = "import time\ndef main(request, tell):\n    tell({'begun': True})\n    time.sleep(1e6)\n"
    heard = await stage.run(executor, source, wall_seconds=1.0)
    assert heard.finished.ending is Ending.WALL
    assert heard.messages == [{"begun": True}]


async def test_a_missing_scheduler_is_named(tmp_path: Path) -> None:
    nobody = Cluster(address="tcp://127.0.0.1:9", place=tmp_path)
    with pytest.raises(SandboxUnavailable, match=r"scheduler at tcp://127.0.0.1:9 does not answer.*executor\.cluster"):
        await join_cluster(PLAIN, nobody.options, lambda: choose_executor(PLAIN))


@pytest.mark.slow
async def test_a_scheduler_lost_in_mid_run_fails(tmp_path: Path, stage: Stage) -> None:
    """The failure names it, and its worker ends the run."""
    argument = f"certo-test-{os.getpid()}-orphan"
    with cluster(tmp_path / "cluster") as running:
        running.start_worker("--slots", "1")
        executor = await running.join(1)
        work = stage.work(ENDLESS, request={"argument": argument}, policy=Policy.SUBPROCESS)

        async def fail() -> None:
            with pytest.raises(SandboxUnavailable, match="does not answer"):
                await executor.run(work, lambda _: None)

        async with anyio.create_task_group() as group:
            group.start_soon(fail)
            await appears(argument)
            running.scheduler.kill()
        # A worker that has lost its scheduler ends what it was doing for it.
        with anyio.fail_after(100):
            while living(argument):
                await checkpoint()


@pytest.mark.slow
async def test_a_cluster_without_workers_gives_advice(tmp_path: Path) -> None:
    """The sentence says how to start one."""
    with (
        cluster(tmp_path / "cluster") as running,
        pytest.raises(SandboxUnavailable, match=rf"no workers; start some with `certo worker {running.address}`"),
    ):
        await join_cluster(PLAIN, running.options, lambda: choose_executor(PLAIN))


@pytest.mark.parametrize(
    ("preload", "words"),
    [
        ("support.sandbox.garbage_replies", "got no answer: it"),
        (None, r"this dask worker has no workshop; start it with `certo worker`"),
    ],
)
async def test_foreign_workers_are_not_believed(tmp_path: Path, stage: Stage, preload: str | None, words: str) -> None:
    with cluster(tmp_path / "cluster") as running:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", running.address, "--no-nanny", "--no-dashboard"]
        running.start([*command, *(("--preload", preload) if preload else ())])
        await running.wait_for(1)
        executor = DistributedExecutor(PLAIN, running.options, lambda: choose_executor(PLAIN))
        with pytest.raises(SandboxUnavailable, match=words):
            await stage.run(executor, "def main(request, tell):\n    tell({})\n")


@pytest.mark.slow
async def test_a_worker_may_bring_the_interpreter(tmp_path: Path, stage: Stage) -> None:
    with cluster(tmp_path / "cluster") as running:
        running.start_worker("--slots", "1", "--interpreter", sys.executable)
        executor = await running.join(1)
        missing = replace(OURS, executable=tmp_path / "only-here" / "python")
        heard = await stage.run(
            executor, "import sys\n\ndef main(request, tell):\n    tell({'ran': sys.executable})\n", interpreter=missing
        )
        assert heard.messages == [{"ran": sys.executable}]


async def test_over_tls(tmp_path: Path, stage: Stage) -> None:
    ours = certificates(tmp_path, trustme.CA(), "ours")
    with cluster(tmp_path / "cluster", ours) as running:
        running.start_worker("--slots", "1")
        executor = await running.join(1)
        heard = await stage.run(executor, "def main(request, tell):\n    tell({'by': 'tls'})\n")
        assert heard.messages == [{"by": "tls"}]
        running.certificates = certificates(tmp_path, trustme.CA(), "theirs")
        with pytest.raises(SandboxUnavailable, match=r"does not answer \(.*certificate"):
            await join_cluster(PLAIN, running.options, lambda: choose_executor(PLAIN))


def certificates(place: Path, authority: trustme.CA, name: str) -> Certificates:
    """Return the files of one party that this authority vouches for."""
    files = Certificates(ca=place / f"{name}-ca.pem", cert=place / f"{name}.pem", key=place / f"{name}.key")
    issued = authority.issue_cert("127.0.0.1")
    authority.cert_pem.write_to_path(files.ca)
    issued.cert_chain_pems[0].write_to_path(files.cert)
    issued.private_key_pem.write_to_path(files.key)
    return files


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_cluster_searches_match_local_ones(tmp_path: Path) -> None:
    """A worker is killed meanwhile."""
    root = till(tmp_path / "till")
    search = partial(certo, root, "generate", "till.py::change", "--json", *scripted(root, WRONG, RIGHT))
    told: list[Ran] = []

    async def search_there(address: str) -> None:
        told.append(await anyio.to_thread.run_sync(partial(search, CERTO_EXECUTOR__CLUSTER=address)))

    await while_a_worker_dies(tmp_path / "cluster", root.name, search_there)
    here = await anyio.to_thread.run_sync(search)
    assert told[0].code == here.code == 0, told[0].err
    assert [without_circumstances(event) for event in told[0].events] == [
        without_circumstances(event) for event in here.events
    ]


def without_circumstances(told: Any) -> Any:
    """Return an event of a search without its name, the times, and the places of its runs."""
    match told:
        case dict():
            circumstances = {"search", "at", "seconds", "isolation", "cold"}
            return {name: without_circumstances(inner) for name, inner in told.items() if name not in circumstances}
        case list():
            return [without_circumstances(inner) for inner in told]
        case _:
            return told
