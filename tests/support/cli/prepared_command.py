"""The command in a process that has loaded it already: half of what a short command costs is loading its modules.

A server of ours loads them once for all tests of a folder. For each command it forks: the child takes the words, the
folder, the variables and the standard streams of the request, and runs the command as a new process does.
"""

from __future__ import annotations

import functools
import gc
import importlib
import io
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_LOADED_FOR = frozenset({"PATH", "LANG", "LC_ALL", "TMPDIR"})
"""The variables of the server; those that matter when Python starts must be the same for each of its commands."""

_ASKING = threading.Lock()


def can_be_prepared(variables: Mapping[str, str]) -> bool:
    """True if a process with these variables starts as the server did."""
    wanted = {name for name in variables if name.startswith(("PYTHON", "LC_")) or name in {"LANG", "TZ"}}
    return all(variables[name] == os.environ.get(name) for name in wanted) and wanted <= _LOADED_FOR


def run_prepared(
    words: Sequence[str], folder: Path, variables: Mapping[str, str], timeout: float
) -> tuple[int, bytes, bytes]:
    """Run the command and return its exit code, as `subprocess` states it, and what it wrote to its two streams."""
    with tempfile.TemporaryFile() as request, open(os.devnull, "rb") as nothing:
        request.write(json.dumps([list(words), str(folder), dict(variables)]).encode())
        request.flush()
        pipes = [os.pipe() for _ in range(3)]
        with _ASKING:
            theirs = [request.fileno(), nothing.fileno(), *(end for _, end in pipes)]
            socket.send_fds(_server(), [b"."], theirs)
        for _, end in pipes:
            os.close(end)
        out, err, told = _read([end for end, _ in pipes], timeout)
    pid, _, status = told.decode().partition("\n")
    if not status:
        if pid:
            os.kill(int(pid), signal.SIGKILL)
        raise subprocess.TimeoutExpired(list(words), timeout, out, err)
    return os.waitstatus_to_exitcode(int(status)), out, err


def _read(ends: Sequence[int], timeout: float) -> list[bytes]:
    """Read these pipes to their ends, or as far as the time allows, and close them."""
    read = dict.fromkeys(ends, b"")
    with selectors.DefaultSelector() as selector:
        for end in ends:
            selector.register(end, selectors.EVENT_READ)
        while selector.get_map() and (ready := selector.select(timeout)):
            for key, _ in ready:
                more = os.read(key.fd, 1 << 16)
                read[key.fd] += more
                if not more:
                    selector.unregister(key.fd)
    for end in ends:
        os.close(end)
    return list(read.values())


@functools.cache
def _server() -> socket.socket:
    """Start the server; it ends with the tests of the folder, or when this process ends."""
    # Here, because the server is this file too, and finds no other file of ours.
    from support.folder_end import at_end_of_folder

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    kept = {name: value for name, value in os.environ.items() if name in _LOADED_FOR}
    with theirs:
        server = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())], env=kept, pass_fds=[theirs.fileno()]
        )
    at_end_of_folder(functools.partial(_stop, server, ours))
    return ours


def _stop(server: subprocess.Popen[bytes], connection: socket.socket) -> None:
    _server.cache_clear()
    connection.close()
    server.wait()


def _serve(asked: socket.socket) -> bool:
    """Fork for each request; return False when nobody asks any more, and True in a process that is to run a command."""
    while True:
        data, ends, _, _ = socket.recv_fds(asked, 1, 5)
        if not data:
            return False
        if _forked(ends):
            asked.close()
            return True
        for end in ends:
            os.close(end)
        while _ended():
            pass


def _ended() -> bool:
    """True if one of the server's children had ended and has been taken off the table of processes."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _forked(ends: Sequence[int]) -> bool:
    """Fork a process that forks the command and tells its process id and its status; True in the command."""
    if os.fork():
        return False
    request, nothing, out, err, told = ends
    command = os.fork()
    if not command:
        os.close(told)
        _become(request, (nothing, out, err))
        return True
    for end in (request, nothing, out, err):
        os.close(end)
    os.write(told, f"{command}\n".encode())
    _, status = os.waitpid(command, 0)
    os.write(told, str(status).encode())
    os._exit(0)


def _become(request: int, streams: Sequence[int]) -> None:
    """Take what the request names: words, folder, variables and streams."""
    for number, (name, end) in enumerate(zip(("stdin", "stdout", "stderr"), streams, strict=True)):
        os.dup2(end, number)
        os.close(end)
        before = getattr(sys, name)
        how = {"encoding": before.encoding, "errors": before.errors, "line_buffering": number == 2}
        raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 - open until the end
        setattr(sys, name, io.TextIOWrapper(raw, **how))
    with open(request, "rb") as text:
        text.seek(0)
        words, folder, variables = json.load(text)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.argv[1:] = words
    sys.path[0] = folder
    tempfile.tempdir = None


_LOADED = (
    *(f"certo.cli.{name}" for name in ("generate", "verify", "check", "tests", "diff", "searches", "parser")),
    *(f"certo.cli.runs.{name}" for name in ("search_run", "verify_run")),
    *("certo.generation.builtin.generator", "certo.sessions.early_tests", "certo.cli.view.strength"),
    "anyio._backends._asyncio",
)
"""What the commands of most tests load, and what they load later."""


def _load() -> None:
    """Load all that."""
    for name in _LOADED:
        importlib.import_module(name)
    # What is loaded is never garbage, and a collection would copy the pages that a child shares with the server.
    gc.freeze()


if __name__ == "__main__":
    _load()
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        runs = _serve(connection)
    if runs:
        importlib.import_module("certo.cli.main").run()
