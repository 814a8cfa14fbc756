"""The connection to a dask scheduler: open while somebody uses it, with what was shipped over it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
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

CONNECTING_SECONDS = 5.0
"""How long the scheduler may take to answer."""

_FIRST_WORKER_SECONDS = 10.0
"""How long to wait for a worker where there is none; one whose process died is back after two or three."""

_CLOSING_SECONDS = 5.0
_LOOK_SECONDS = 1.0
_MAX_SHIPPED = 8
_COPIES = 2
"""On how many workers a parcel is put at first, so that it outlives one of them; the others get it from these."""


class Lost(Exception):
    """A run whose answer will not come, although nothing is wrong with it: it has to be sent again."""


@dataclass(slots=True, kw_only=True, eq=False)
class SchedulerSession:
    """An open connection: the client, the parcels the cluster has, and how many threads which worker offers.

    Dask declares what its client's methods give when they block, and ours are awaited.
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
        """Return the parcel as something a run can be given; it goes over the wire once, and then once to each worker.

        Raises:
            Lost: it did not arrive.
        """
        async with self._shipping:
            future = self.shipped.pop(parcel.digest, None)
            if future is None or future.status != "finished":
                # A name that was used before may still be being forgotten, by a worker that then forgets the new one.
                name = f"certo-{parcel.digest}-{secrets.token_hex(4)}"
                copies = max(1, min(_COPIES, len(self.threads)))
                try:
                    futures = await self.client.scatter({name: parcel.archive}, broadcast=copies)
                except OSError as error:
                    raise Lost(f"the project could not be shipped: {error}") from error
                future = futures[name]
            # The last one in the table is the one that was used last.
            self.shipped[parcel.digest] = future
            while len(self.shipped) > _MAX_SHIPPED:
                del self.shipped[next(iter(self.shipped))]
            return future

    def submit(self, function: Callable[..., Any], *arguments: Any, name: str, priority: int) -> Any:
        """Have a function of ours called on some worker; `priority` is higher for what is to go first.

        Raises:
            Lost: the connection is closed.
        """
        try:
            return self.client.submit(function, *arguments, key=name, pure=False, priority=priority)
        except ClosedClientError as error:
            raise Lost(str(error)) from error

    async def result(self, future: Any) -> object:
        """Return the result of a submitted function.

        Raises:
            Lost: it has to be sent again.
            SandboxUnavailable: it killed its workers, failed there by a bug of ours, or no worker is left.
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
        # Dask gathers for several who wait at once, and a cancelled one of them would cancel it for all.
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
        """Look which workers there are, unless somebody just has.

        Raises:
            SandboxUnavailable: there has been none for some time.
            Lost: the scheduler does not answer.
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
        """Call a function of ours on every worker; who does not answer is left out.

        Raises:
            Lost: the scheduler does not answer.
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
    """Opens a line to the scheduler for the first who uses it, and closes it after the last.

    Nothing in this process is left of it then, for nobody else would know when to end it.
    """

    def __init__(self, options: ExecutorOptions) -> None:
        """Connect to where `options` say, once there is something to do."""
        # Whatever dask would log is told as one of our named errors.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._options = options
        self._line: SchedulerSession | None = None
        self._opening = anyio.Lock()
        self._users = 0

    @asynccontextmanager
    async def line(self) -> AsyncIterator[SchedulerSession]:
        """The open line; a new one when the last one broke.

        Raises:
            SandboxUnavailable: the scheduler does not answer, or has no workers.
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
            # Interrupted in the middle of it, a client would be nobody's to close.
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
            # What the last references to shipped parcels still want to say has to be said before.
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
