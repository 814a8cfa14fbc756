"""Program of the self-test: it tries the attacks of a hostile candidate, and reports the outcome of each."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
from typing import Any, Callable, Dict

Tell = Callable[[Dict[str, Any]], None]

_SEIZE = 0x4206
_NEW_USER_NAMESPACE = 0x10000000
_ABOUT = 2
_NOBODY = 0x7FFFFFFF
"""A process id that is never assigned, and the number of nothing that programs share."""


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Make each attempt by itself; `request` has the targets that the executor has created for it.

    Each is reported with its success as seen from inside, and a description. The other side checks the effect outside:
    within namespaces some attempts succeed and reach nothing.
    """
    for name, attempt in _ATTEMPTS.items():
        try:
            told = {"went": True, "said": str(attempt(request) or "")}
        except OSError as error:
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


def _send_udp(request: Dict[str, Any]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"here", ("127.0.0.1", request["datagram_port"]))


def _connect_unix(request: Dict[str, Any]) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        client.connect(request["socket"])


def _fork(_request: Dict[str, Any]) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _execute(_request: Dict[str, Any]) -> None:
    _expect(errno.ENOENT, lambda: os.execv("/no/such/program", ["program"]))


def _signal_parent(_request: Dict[str, Any]) -> None:
    # A signal that is ignored by default: the test is if sending it is allowed.
    os.kill(os.getppid(), signal.SIGCONT)


def _signal_others(_request: Dict[str, Any]) -> None:
    _expect(errno.ESRCH, lambda: os.kill(_NOBODY, 0))


def _open_memory(_request: Dict[str, Any]) -> None:
    os.close(os.open("/proc/{}/mem".format(os.getppid()), os.O_RDWR))


def _trace(_request: Dict[str, Any]) -> None:
    _expect(errno.ESRCH, lambda: _call("ptrace", _SEIZE, _NOBODY, 0, 0))


def _make_memory_file(_request: Dict[str, Any]) -> None:
    os.close(_call("memfd_create", b"file", 0))


def _set_up_ring(_request: Dict[str, Any]) -> None:
    _expect(errno.EFAULT, lambda: _call("io_uring_setup", 1, 0))


def _enter_namespace(_request: Dict[str, Any]) -> None:
    _call("unshare", _NEW_USER_NAMESPACE)


def _share_memory(_request: Dict[str, Any]) -> None:
    _expect(errno.EINVAL, lambda: _call("shmctl", _NOBODY, _ABOUT, 0))


def _take_messages(_request: Dict[str, Any]) -> None:
    _expect(errno.ENOENT, lambda: _call("mq_unlink", b"certo-no-such-queue"))


def _call(name: str, *arguments: Any) -> int:
    """Make a system call by its number, as an attacker would to bypass Python's own functions."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, "another system has other numbers")
    from certo_worker.confinement import kernel, seccomp

    number = seccomp.processor().numbers[name]
    assert number is not None, name
    return kernel.syscall(number, *arguments)


def _expect(wanted: int, attempt: Callable[[], object]) -> None:
    """Make an attempt on something that does not exist: the kernel looks for it only if the call is allowed."""
    try:
        attempt()
    except OSError as error:
        if error.errno != wanted:
            raise


_ATTEMPTS: Dict[str, Callable[[Dict[str, Any]], Any]] = {
    "write into the home directory": lambda request: _write(request["home_file"]),
    "write into the project": lambda request: _write(request["project_file"]),
    "read a key file": _read_key,
    "connect to a local port": _connect_tcp,
    "send to a local port": _send_udp,
    "connect to a local socket": _connect_unix,
    "fork": _fork,
    "start a program": _execute,
    "signal the parent": _signal_parent,
    "signal other processes": _signal_others,
    "open the parent's memory": _open_memory,
    "trace other processes": _trace,
    "make a file in memory": _make_memory_file,
    "queue system calls past the filter": _set_up_ring,
    "enter a new namespace": _enter_namespace,
    "use memory that other programs share": _share_memory,
    "take messages of other programs": _take_messages,
}
