"""The program of the self-test: it tries what a hostile candidate would, and tells of each try how it went."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from typing import Any, Callable, Dict

Tell = Callable[[Dict[str, Any]], None]


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Make each attempt by itself; `request` has the targets that the executor's side put up for it.

    Of each is told whether it went through as seen from in here, and what came of it. What it did outside is for the
    other side to look at: within namespaces some attempts go through and reach nothing.
    """
    for name, attempt in _ATTEMPTS.items():
        try:
            told = {"went": True, "said": str(attempt(request) or "")}
        except (OSError, subprocess.SubprocessError) as error:
            told = {"went": False, "said": str(error)}
        tell({"name": name, **told})


def _write(place: str) -> None:
    with open(place, "w", encoding="utf-8") as file:
        file.write("written")


def _read_key(request: Dict[str, Any]) -> str:
    with open(request["key"], encoding="utf-8") as file:
        return file.read()


def _connect_tcp(request: Dict[str, Any]) -> None:
    socket.create_connection(("127.0.0.1", request["port"]), timeout=2).close()


def _connect_unix(request: Dict[str, Any]) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        client.connect(request["socket"])


def _fork(_request: Dict[str, Any]) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _start(_request: Dict[str, Any]) -> None:
    subprocess.run(["/bin/sh", "-c", "true"], check=True)


def _signal_parent(_request: Dict[str, Any]) -> None:
    # One that is ignored unless somebody asked for it: whether it may be sent is what is to be seen.
    os.kill(os.getppid(), signal.SIGCONT)


_ATTEMPTS: Dict[str, Callable[[Dict[str, Any]], Any]] = {
    "write into the home directory": lambda request: _write(request["home_file"]),
    "write into the project": lambda request: _write(request["project_file"]),
    "read a key file": _read_key,
    "connect to a local port": _connect_tcp,
    "connect to a local socket": _connect_unix,
    "fork": _fork,
    "start a program": _start,
    "signal the parent": _signal_parent,
}
