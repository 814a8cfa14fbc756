"""Connection to a dask scheduler: open while in use, with the bundles shipped over it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from dataclasses import field
from functools import partial
from typing import Any

import anyio
from distributed import Client, Security
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from certo.sandbox.cluster.bundle import Bundle
from certo.sandbox.options import ExecutorOptions
from certo.sandbox.process.process import uncancelled
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.records import dataclass

CONNECTING_SECONDS = 5.0
"""Maximum time for the scheduler to answer."""

_FIRST_WORKER_SECONDS = 10.0
"""Maximum wait for a first worker; one whose process died is back after two or three seconds."""

_CLOSING_SECONDS = 5.0
_LOOK_SECONDS = 1.0
_MAX_SHIPPED = 8
_COPIES = 2
"""Number of workers that first get a bundle, so that it survives the loss of one; others copy it from them."""


class Lost(Exception):
    """A run whose reply will not come, through no fault of its own: it must be sent again."""


@dataclass(slots=True, kw_only=True, eq=False)
class SchedulerSession:
    """An open connection: the client, the bundles the cluster has, and the number of threads per worker.

    Dask annotates its client's methods for blocking use, and here they are awaited.
    """

    address: str
    client: Any
    shipped: dict[str, Any] = field(default_factory=dict)
    threads: Mapping[str, int] = field(default_factory=dict)
    _shipping: anyio.Lock = field(default_factory=anyio.Lock)
    _looking: anyio.Lock = field(default_factory=anyio.Lock)
    _looked: float = 0.0
    _alone_since: float | None = None

    async def ship(self, parcel: Bundle) -> Any:
        """Return a handle of the bundle for runs; it is sent to the cluster once, and then once to each worker.

        Raises:
            Lost: It did not arrive.
        """
        async with self._shipping:
            future = self.shipped.pop(parcel.digest, None)
            if future is None or future.status != "finished":
                # A worker may still be deleting data under an earlier name, and would then delete the new data too.
                name = f"certo-{parcel.digest}-{secrets.token_hex(4)}"
                copies = max(1, min(_COPIES, len(self.threads)))
                try:
                    futures = await self.client.scatter({name: parcel.archive}, broadcast=copies)
                except OSError as error:
                    raise Lost(f"the project could not be shipped: {error}") from error
                future = futures[name]
            # The table is in order of use, the most recent last.
            self.shipped[parcel.digest] = future
            while len(self.shipped) > _MAX_SHIPPED:
                del self.shipped[next(iter(self.shipped))]
            return future

    def submit(self, function: Callable[..., Any], *arguments: Any, name: str, priority: int) -> Any:
        """Submit a function to some worker; a higher `priority` goes first.

        Raises:
            Lost: The connection is closed.
        """
        try:
            return self.client.submit(function, *arguments, key=name, pure=False, priority=priority)
        except ClosedClientError as error:
            raise Lost(str(error)) from error

    async def result(self, future: Any) -> object:
        """Return the result of a submitted function.

        Raises:
            Lost: It must be sent again.
            SandboxUnavailable: It killed its workers, failed by an internal error, or no worker is left.
        """
        while not future.done():
            with anyio.move_on_after(_LOOK_SECONDS):
                await future.exception()
            await self.look()
        if future.status == "error":
            raise _in_words(await future.exception())
        if future.status != "finished":
            raise Lost(f"dask says {future.status}")
        return await self._gathered(future)

    async def _gathered(self, future: Any) -> object:
        # Dask gathers for all waiting callers together, and cancelling one would cancel it for all.
        results: list[object] = []

        async def gather() -> None:
            try:
                results.append(await future.result())
            except (CancelledError, OSError) as error:
                results.append(Lost(str(error)))

        await uncancelled(gather)
        if isinstance(results[0], Lost):
            raise results[0]
        return results[0]

    async def look(self) -> None:
        """Update the list of workers, unless that was done just now.

        Raises:
            SandboxUnavailable: There has been none for some time.
            Lost: The scheduler does not answer.
        """
        async with self._looking:
            if anyio.current_time() - self._looked < _LOOK_SECONDS:
                return
            if self.client.status != "running":
                raise Lost("the connection to the scheduler is gone")
            try:
                with anyio.fail_after(CONNECTING_SECONDS):
                    self.threads = await self.client.ncores()
            except OSError as error:
                raise Lost(str(error)) from error
            self._looked = anyio.current_time()
            if self.threads:
                self._alone_since = None
            elif self._alone_since is None:
                self._alone_since = self._looked
            elif self._looked - self._alone_since > _FIRST_WORKER_SECONDS:
                raise _no_worker(self.address)

    async def everywhere(self, function: Callable[..., Any], *arguments: Any) -> dict[str, object]:
        """Call a function on every worker; those that do not answer are left out.

        Raises:
            Lost: The scheduler does not answer.
        """
        try:
            return dict(await self.client.run(function, *arguments, on_error="ignore"))
        except OSError as error:
            raise Lost(f"the scheduler does not answer: {error}") from error


def _in_words(error: BaseException) -> Exception:
    if isinstance(error, KilledWorker):
        return SandboxUnavailable(f"a run was given up after the workers it was sent to had died: {error}")
    if isinstance(error, CancelledError | OSError):
        return Lost(str(error))
    return SandboxUnavailable(
        f"a worker could not do what it was sent ({type(error).__name__}: {str(error)[:500]}); "
        "install the same certo there, and start it with `certo worker`"
    )


def _no_worker(address: str) -> SandboxUnavailable:
    return SandboxUnavailable(
        f"the dask scheduler at {address} has no workers; start some with `certo worker {address}` "
        "on the machines that are to run the tests, or unset executor.cluster"
    )


class Connection:
    """Connection that is opened for its first user and closed after the last one.

    Nothing of it remains in this process then, because no one else would know when to close it.
    """

    def __init__(self, options: ExecutorOptions) -> None:
        """Connect to the scheduler in `options` on first use."""
        # Errors that dask would log are raised as certo's named errors.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._options = options
        self._line: SchedulerSession | None = None
        self._opening = anyio.Lock()
        self._users = 0

    @asynccontextmanager
    async def line(self) -> AsyncIterator[SchedulerSession]:
        """Yield the open session; a new one if the last one broke.

        Raises:
            SandboxUnavailable: The scheduler does not answer, or has no workers.
        """
        self._users += 1
        try:
            async with self._opening:
                if self._line is None or self._line.client.status != "running":
                    await self._close()
                    self._line = await self._open()
            yield self._line
        finally:
            self._users -= 1
            if not self._users:
                await self._close()

    async def _open(self) -> SchedulerSession:
        opened: list[Any] = []
        failed: list[OSError] = []

        async def connect() -> None:
            client: Any = Client(
                self._options.cluster,
                asynchronous=True,
                set_as_default=False,
                timeout=CONNECTING_SECONDS,
                security=_security(self._options),
            )
            try:
                opened.append(await client)
            except OSError as error:
                failed.append(error)
                await client.close()

        try:
            # If interrupted halfway, no one could close the client.
            await uncancelled(connect)
            if failed:
                raise SandboxUnavailable(
                    f"the dask scheduler at {self._options.cluster} does not answer ({failed[0]}); start it with "
                    "`dask scheduler`, or set executor.cluster to its address, or unset it to run tests on this machine"
                ) from failed[0]
            line = SchedulerSession(address=str(self._options.cluster), client=opened[0])
            await _until_there_is_a_worker(line)
        except BaseException:
            for client in opened:
                await uncancelled(partial(_close, client))
            raise
        return line

    async def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            # Releasing the last references to bundles sends messages, which must happen before the connection closes.
            line.shipped.clear()
            await uncancelled(partial(_close, line.client))


async def _until_there_is_a_worker(line: SchedulerSession) -> None:
    try:
        await line.client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        await line.look()
    except (OSError, Lost) as error:
        raise _no_worker(line.address) from error


async def _close(client: Any) -> None:
    with anyio.move_on_after(_CLOSING_SECONDS):
        await client.close()


def _security(options: ExecutorOptions) -> Security | None:
    if options.tls_ca is None:
        return None
    return Security(
        tls_ca_file=options.tls_ca,
        tls_client_cert=options.tls_cert,
        tls_client_key=options.tls_key,
        require_encryption=True,
    )
