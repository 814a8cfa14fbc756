"""The walls around a program, tried by real processes: the calls that each policy allows, and those that none does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from certo.guests import WORKER_HOME

LOOK = """
import errno, json, os, socket, subprocess, sys, threading
from certo_worker.confinement import activation

def tried(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"

def fork():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def thread():
    started = threading.Thread(target=int)
    started.start()
    started.join()

def write(place):
    with open(place, "w") as file:
        file.write("written")

def syscall(*arguments):
    from certo_worker.confinement.kernel import syscall
    syscall(*arguments)

import ctypes, resource, signal
from certo_worker.confinement.seccomp import processor
numbers = processor().numbers
ATTEMPTS = {
    "thread": thread,
    "fork": fork,
    "execute": lambda: subprocess.run([sys.executable, "-S", "-c", ""], check=True),
    "socket": lambda: socket.socket().close(),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM).close(),
    "pair": lambda: [end.close() for end in socket.socketpair()],
    "datagram pair": lambda: [end.close() for end in socket.socketpair(type=socket.SOCK_DGRAM)],
    "own signal": lambda: os.kill(os.getpid(), 0),
    "other signal": lambda: os.kill(os.getppid(), 0),
    "limit another": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
    "own priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    # No user has that number, and so nobody is made to wait.
    "a user's priority": lambda: os.setpriority(os.PRIO_USER, os.getpid(), 19),
    "unshare": lambda: syscall(numbers["unshare"], 0x10000000),
    "trace": lambda: syscall(numbers["ptrace"], 16, os.getppid(), 0, 0),
    "parent's memory": lambda: open("/proc/%d/mem" % os.getppid(), "rb").close(),
    "parent's environment": lambda: open("/proc/%d/environ" % os.getppid(), "rb").close(),
    "read within": lambda: open(HERE + "/shown/text").close(),
    "read outside": lambda: open(HERE + "/text").close(),
    "list outside": lambda: os.listdir(HERE),
    "write within": lambda: write(HERE + "/own/new"),
    "write shown": lambda: write(HERE + "/shown/text"),
    "truncate shown": lambda: os.truncate(HERE + "/shown/text", 0),
    "delete shown": lambda: os.remove(HERE + "/shown/text"),
    "link out": lambda: os.link(HERE + "/shown/text", HERE + "/own/linked"),
    "mode": lambda: os.chmod(HERE + "/text", 0o777),
    "times": lambda: os.utime(HERE + "/text", (1, 1)),
    "nowhere": lambda: write("/dev/null"),
    "own memory map": lambda: open("/proc/self/statm").close(),
}
order = json.loads(sys.argv[1])
HERE = sys.argv[2]
activation.require(order)
activation.apply_confinement(order)
seen = {name: tried(ATTEMPTS[name]) for name in ATTEMPTS}
with open("/proc/self/status") as status:
    facts = dict(line.split(":", 1) for line in status)
seen["privileges"] = [facts[name].strip() for name in ("NoNewPrivs", "CapEff", "CapPrm", "CapBnd", "Seccomp")]
print(json.dumps(seen))
"""

ALLOWED = {"thread", "pair", "own signal", "own priority", "read within", "write within", "nowhere", "own memory map"}
"""What every policy lets through."""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name in ("shown", "own"):
        (tmp_path / name).mkdir()
    for name in ("shown/text", "text"):
        (tmp_path / name).write_text("text")
    return tmp_path


def look(here: Path, **order: Any) -> dict[str, Any]:
    """Return the result of each attempt behind the walls that `order` asks for."""
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", str(WORKER_HOME), sys.prefix, sys.base_prefix]
    walls = {
        "landlock": True,
        "seccomp": True,
        "alone": False,
        "forks": False,
        "executes": False,
        "connects": False,
        "hidden": [],
        "readable": [str(here / "shown"), *system],
        "writable": [str(here / "own"), "/dev/null"],
        **order,
    }
    done = subprocess.run(
        [sys.executable, "-c", LOOK, json.dumps(walls), str(here)],
        cwd=WORKER_HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def through(seen: dict[str, Any]) -> set[str]:
    return {name for name, said in seen.items() if said == "done"}


def test_the_strictest_lets_compute_and_nothing_else(here: Path) -> None:
    seen = look(here)
    assert through(seen) == ALLOWED
    nothing = "0" * 16
    assert seen["privileges"][:3] == ["1", nothing, nothing]
    assert seen["privileges"][4] == "2"
    assert seen["a user's priority"] == "EPERM"
    if os.getuid() == 0:
        assert seen["privileges"][3] == nothing
    assert (here / "shown/text").read_text() == "text"
    assert (here / "own/new").read_text() == "written"


def test_forking_lets_no_program_start(here: Path) -> None:
    assert through(look(here, forks=True)) - ALLOWED == {"fork"}


def test_programs_start_without_sockets(here: Path) -> None:
    # Copying a file sets its mode and times, and who may start programs may do that.
    assert through(look(here, forks=True, executes=True)) - ALLOWED == {"fork", "execute", "mode", "times"}


def test_only_sockets_inside_a_network_namespace_pass(here: Path) -> None:
    seen = look(here, forks=True, executes=True, connects=True)
    assert through(seen) - ALLOWED == {"fork", "execute", "mode", "times", "socket", "datagram pair"}
    assert seen["vsock"] == "EACCES"


def test_filter_shields_other_processes_without_landlock(here: Path) -> None:
    seen = through(look(here, landlock=False))
    assert not seen & {"fork", "execute", "socket", "other signal", "limit another", "unshare", "trace", "mode"}


def test_no_walls_are_no_walls(here: Path) -> None:
    """Otherwise the refusals above might be anything's."""
    tried = look(here, landlock=False, seccomp=False)
    seen = through(tried)
    assert seen >= ALLOWED | {"fork", "execute", "socket", "other signal", "read outside", "mode", "write shown"}
    assert tried["a user's priority"] == "ESRCH"


def test_interpreter_without_ctypes_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "ctypes.py").write_text("raise ImportError('built without libffi')\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom certo_worker.confinement import activation\n"
    code += "activation.require({'landlock': True, 'seccomp': True})"
    done = subprocess.run([sys.executable, "-c", code], cwd=WORKER_HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "this Python has no working ctypes, which certo needs to confine it: built without libffi" in done.stderr
