"""A real dask scheduler and real workers of ours, each a process on this machine's loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.lowlevel import checkpoint
from distributed import Client

from certo.sandbox.cluster.cluster_executor import DistributedExecutor, join_cluster
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.process import process_table
from certo.sandbox.selection import choose_executor
from support.sandbox.stage import living

PLAIN = SandboxOptions(isolation="process")
"""What works wherever the tests do."""

TESTS = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Certificates:
    """The files of one party to a scheduler that is reached by TLS."""

    ca: Path
    cert: Path
    key: Path


@dataclass(kw_only=True)
class Cluster:
    """A running cluster; the output of its processes is in `place`."""

    address: str
    place: Path
    certificates: Certificates | None = None
    _running: ExitStack = field(default_factory=ExitStack)
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def options(self) -> ExecutorOptions:
        """Return the settings for using it."""
        files = self.certificates
        if files is None:
            return ExecutorOptions(cluster=self.address)
        return ExecutorOptions(
            cluster=self.address, tls_ca=str(files.ca), tls_cert=str(files.cert), tls_key=str(files.key)
        )

    async def join(self, workers: int, options: SandboxOptions = PLAIN) -> DistributedExecutor:
        """Return an executor on it, once it has so many workers."""
        await self.wait_for(workers)
        return await join_cluster(options, self.options, lambda: choose_executor(options))

    async def wait_for(self, workers: int) -> dict[str, int]:
        """Wait until it has so many workers, and return the process of each by its address."""
        files = self.certificates
        security = files and {
            "tls_ca_file": str(files.ca),
            "tls_client_cert": str(files.cert),
            "tls_client_key": str(files.key),
            "require_encryption": True,
        }
        async with Client(
            self.address, asynchronous=True, set_as_default=False, timeout=30, security=security
        ) as client:
            await client.wait_for_workers(workers, timeout=60)
            return dict(await client.run(os.getpid))

    def start_worker(self, *words: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start `certo worker` on it."""
        command = [sys.executable, "-m", "certo", "worker", self.address, *words]
        files = self.certificates
        if files is not None:
            command += ["--tls-ca", str(files.ca), "--tls-cert", str(files.cert), "--tls-key", str(files.key)]
        return self.start(command, environ)

    def start(self, command: Sequence[str], environ: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start one of its processes."""
        isolation = {"CERTO_SANDBOX__ISOLATION": "process", "PYTHONPATH": str(TESTS)}
        log = self._running.enter_context((self.place / f"{len(self._started)}.log").open("wb"))
        process = subprocess.Popen(
            command,
            cwd=self.place,
            env={**os.environ, **isolation, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self._running.callback(_end, process)
        self._started.append(process)
        return process

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        """The scheduler's process, which was started first."""
        return self._started[0]


@contextmanager
def cluster(place: Path, certificates: Certificates | None = None) -> Iterator[Cluster]:
    """Yield a scheduler on its own port, without workers; all its processes end with the context."""
    place.mkdir(exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    scheme = "tcp" if certificates is None else "tls"
    running = Cluster(address=f"{scheme}://127.0.0.1:{port}", place=place, certificates=certificates)
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--host", running.address]
    if certificates is not None:
        command += ["--tls-ca-file", str(certificates.ca), "--tls-cert", str(certificates.cert)]
        command += ["--tls-key", str(certificates.key)]
    with running._running:
        running.start(command)
        yield running


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its descendants without waiting for their own clean-up."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


async def appears(argument: str) -> None:
    """Wait for a process that is started with `argument`, on any worker."""
    with anyio.fail_after(500):
        while not living(argument):
            await checkpoint()


async def one_that_runs(workers: Iterable[int], project: str) -> int:
    """Return the first of these worker processes that runs something in its copy of a project of that name."""
    with anyio.fail_after(100):
        while True:
            for worker in workers:
                if any(directory_of(process.pid).name == project for process in process_table.descendants(worker)):
                    return worker
            await checkpoint()


def directory_of(pid: int) -> Path:
    """Return the current directory of a process; the root when it has ended."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return Path("/")


async def while_a_worker_dies(place: Path, project: str, work: Callable[[str], Awaitable[None]]) -> None:
    """Do `work(address)` with a cluster of three workers, one of which is killed in its run of a project."""
    with cluster(place) as running:
        for _ in range(3):
            running.start_worker("--slots", "1")
        workers = (await running.wait_for(3)).values()
        async with anyio.create_task_group() as group:
            group.start_soon(work, running.address)
            os.kill(await one_that_runs(workers, project), signal.SIGKILL)
