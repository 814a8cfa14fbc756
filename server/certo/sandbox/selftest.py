"""Self-test: a sandboxed program attacks targets made for it, and the outcome is checked from outside."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.vocabulary.records import dataclass

_SECONDS = 30.0

_SOCKET_PATH_BYTES = 100
"""Maximum length of the path of a local socket, a little less than any system allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EscapeAttempt:
    """One thing a hostile candidate would try: its success, and a description."""

    name: str
    worked: bool
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Targets:
    """The targets of the attacks: files, and three sockets that only the attacking program uses."""

    project: Path
    home_file: Path
    key: Path
    secret: str
    port: socket.socket
    datagrams: socket.socket
    local: socket.socket

    @property
    def project_file(self) -> Path:
        return self.project / "written"

    def request(self) -> dict[str, str | int]:
        """Return the addresses of the targets."""
        return {
            "home_file": str(self.home_file),
            "project_file": str(self.project_file),
            "key": str(self.key),
            "port": self.port.getsockname()[1],
            "datagram_port": self.datagrams.getsockname()[1],
            "socket": self.local.getsockname(),
        }


async def attempt_all(executor: Executor, interpreter: Interpreter, home: Path) -> tuple[EscapeAttempt, ...]:
    """Let a program try to break out of `executor`, under its strictest policy; `home` is the user's directory.

    An attempt that could not be made at all counts as one that worked, because it proves nothing.

    Raises:
        SandboxUnavailable: This machine cannot run anything that way.
        NoInterpreter: The interpreter cannot be started.
    """
    told: list[Message] = []
    with _targets(home) as targets:
        work = Work(
            program=Program(home=WORKER_HOME, module="certo_worker.confinement.attack"),
            request=targets.request(),
            interpreter=interpreter,
            root=targets.project,
            limits=Limits.within(_SECONDS),
        )
        finished = await executor.run(work, told.append)
        return tuple(_attempts(told, targets, finished))


def _attempts(told: Sequence[Message], targets: _Targets, finished: Finished) -> list[EscapeAttempt]:
    seen = {
        "write into the home directory": targets.home_file.exists(),
        "write into the project": targets.project_file.exists(),
        "connect to a local port": _was_reached(targets.port),
        "send to a local port": _was_reached(targets.datagrams),
        "connect to a local socket": _was_reached(targets.local),
    }
    attempts = [_judged(message, seen, targets.secret) for message in told]
    if not finished.complete:
        # If the program died early, the remaining attempts are unknown.
        says = f"the program {finished.ending.value}: {finished.printed.strip()[-200:]}"
        attempts.append(EscapeAttempt(name="end the self-test early", worked=True, says=says))
    return attempts


def _judged(message: Message, seen: dict[str, bool], secret: str) -> EscapeAttempt:
    """Return the outcome of one attempt: observed from here for files and sockets, else as the program reports."""
    worked = seen.get(message["name"], message["went"] is True)
    if message["name"] == "read a key file":
        worked = secret in message["said"]
    says = message["said"] if not worked and message["said"] else "it worked" if worked else "it reached nothing"
    return EscapeAttempt(name=message["name"], worked=worked, says=says)


def _was_reached(target: socket.socket) -> bool:
    """True if a connection or datagram waits on a non-blocking socket."""
    try:
        if target.type == socket.SOCK_STREAM:
            target.accept()[0].close()
        else:
            target.recv(1)
    except BlockingIOError:
        return False
    return True


def _place_for_a_socket(place: Path, stack: ExitStack) -> Path:
    """Return a directory whose path is short enough for a socket; some temporary directories are too deep."""
    if len(os.fsencode(place / "socket")) <= _SOCKET_PATH_BYTES:
        return place
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="certo-", dir="/tmp")))


@contextmanager
def _targets(home: Path) -> Iterator[_Targets]:
    """Create the targets: a project, a key beside it, sockets, and an unused name in the home directory."""
    secret = secrets.token_hex(16)
    home_file = home / f".certo-self-test-{secrets.token_hex(8)}"
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="certo-self-test-")))
        (place / "project").mkdir()
        (place / "key").write_text(secret, encoding="utf-8")
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagrams.bind(("127.0.0.1", 0))
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(str(_place_for_a_socket(place, stack) / "socket"))
        local.listen()
        for target in (port, datagrams, local):
            target.settimeout(0)
        stack.callback(home_file.unlink, missing_ok=True)
        yield _Targets(
            project=place / "project",
            home_file=home_file,
            key=place / "key",
            secret=secret,
            port=port,
            datagrams=datagrams,
            local=local,
        )
