"""The self-test: a program in the sandbox attacks targets put up for it, and we look from outside what it reached."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import SocketAttribute, SocketStream

from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.worker import HOME

_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One thing a hostile candidate would do: whether it worked, and in words what happened."""

    name: str
    worked: bool
    says: str


@dataclass(slots=True, kw_only=True)
class _Targets:
    """What the program attacks; `heard` counts who connected."""

    project: Path
    home_file: Path
    key: Path
    secret: str
    port: int
    socket: Path
    heard: dict[str, int]

    @property
    def project_file(self) -> Path:
        return self.project / "written"


async def attempt_all(executor: Executor, interpreter: Interpreter, home: Path) -> tuple[Attempt, ...]:
    """Let a program try to break out of `executor`, under its strictest policy; `home` is the user's directory.

    One that could not be made at all is told as one that worked, for it proves nothing.

    Raises:
        SandboxUnavailable: this machine cannot run anything that way.
        NoInterpreter: the interpreter cannot be started.
    """
    told: list[Message] = []
    async with _targets(home) as targets:
        work = Work(
            program=Program(home=HOME, module="certo_worker.breakout"),
            request={
                "home_file": str(targets.home_file),
                "project_file": str(targets.project_file),
                "key": str(targets.key),
                "port": targets.port,
                "socket": str(targets.socket),
            },
            interpreter=interpreter,
            root=targets.project,
            limits=Limits(wall_seconds=_SECONDS, cpu_seconds=_SECONDS),
        )
        finished = await executor.run(work, told.append)
        return tuple(_attempts(told, targets, finished))


def _attempts(told: Sequence[Message], targets: _Targets, finished: Finished) -> list[Attempt]:
    attempts = [_judged(message, targets) for message in told]
    if not finished.complete:
        # A program that dies before its end leaves open what the rest would have reached.
        says = f"the program {finished.ending.value}: {finished.printed.strip()[-200:]}"
        attempts.append(Attempt(name="be tried to the end", worked=True, says=says))
    return attempts


def _judged(message: Message, targets: _Targets) -> Attempt:
    """What one attempt reached: for files and sockets what is seen out here, for the rest its own word."""
    seen = {
        "write into the home directory": targets.home_file.exists(),
        "write into the project": targets.project_file.exists(),
        "read a key file": targets.secret in message["said"],
        "connect to a local port": targets.heard["port"] > 0,
        "connect to a local socket": targets.heard["socket"] > 0,
    }
    worked = seen[message["name"]] if message["name"] in seen else message["went"] is True
    says = message["said"] if not worked and message["said"] else "it worked" if worked else "it reached nothing"
    return Attempt(name=message["name"], worked=worked, says=says)


@asynccontextmanager
async def _targets(home: Path) -> AsyncIterator[_Targets]:
    """Put up the targets: a project, a key beside it, two listeners, and a name in the home directory not yet taken."""
    heard = {"port": 0, "socket": 0}
    with tempfile.TemporaryDirectory(prefix="certo-self-test-") as place:
        project = Path(place) / "project"
        project.mkdir()
        secret = secrets.token_hex(16)
        (Path(place) / "key").write_text(secret, encoding="utf-8")
        home_file = home / f".certo-self-test-{secrets.token_hex(8)}"
        async with (
            await anyio.create_tcp_listener(local_host="127.0.0.1") as port,
            await anyio.create_unix_listener(Path(place) / "socket") as socket,
            anyio.create_task_group() as group,
        ):

            async def count(kind: str, stream: SocketStream) -> None:
                heard[kind] += 1
                await stream.aclose()

            group.start_soon(port.serve, partial(count, "port"))
            group.start_soon(socket.serve, partial(count, "socket"))
            try:
                yield _Targets(
                    project=project,
                    home_file=home_file,
                    key=Path(place) / "key",
                    secret=secret,
                    port=port.extra(SocketAttribute.local_port),
                    socket=Path(place) / "socket",
                    heard=heard,
                )
            finally:
                home_file.unlink(missing_ok=True)
                group.cancel_scope.cancel()
