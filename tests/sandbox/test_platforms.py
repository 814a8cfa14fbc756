"""Other systems: everything that is not a program for Linux can be imported there, and describes itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.environment import on_windows as windows_environment
from certo.sandbox.confinement.kernel_features import NO_WALLS
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import NO_SEATBELT
from certo.sandbox.windows.windows_executor import NOT_APART, WindowsExecutor, on_windows
from certo.vocabulary.errors import SandboxUnavailable
from support.documents.pages import Page
from support.sandbox.posix_enclosure import SessionEnclosure

ELSEWHERE = """
    import importlib, os, pkgutil, signal, sys

    # What both have themselves is loaded first: it is not theirs to do without.
    import anyio, anyio._backends._asyncio, ctypes.util, faulthandler, pathlib, shutil, socket, subprocess, tempfile
    import multiprocessing, sysconfig, threading
    sysconfig.get_config_vars()

    def lacking(system):
        sys.platform = system
        for name in ("resource", "fcntl", "termios", "pwd", "grp", "pty", "tty") if system == "win32" else ():
            sys.modules[name] = None
        posix = ("fork", "getuid", "getsid", "killpg", "setsid", "nice", "sysconf", "O_CLOEXEC", "WNOHANG")
        for name in ("sched_getaffinity", "pidfd_open", "O_PATH", *(posix if system == "win32" else ())):
            if hasattr(os, name):
                delattr(os, name)
        for name in ("SIGKILL", "SIGALRM", "SIGXCPU", "SIGSTOP", "setitimer") if system == "win32" else ():
            delattr(signal, name)

    lacking(sys.argv[1])
    sys.path.insert(0, sys.argv[2])
    failed = []
    for name in sys.argv[3:]:
        try:
            importlib.import_module(name)
        except (ImportError, AttributeError) as error:
            failed.append(f"{name}: {error}")
    print("\\n".join(failed), end="")
"""

LINUX_ALONE = {"kernel", "landlock", "mounts", "mount_server", "privileges", "seccomp"}
"""Parts of the worker that are imported only where an order asks for what Linux alone has."""

CLUSTER = {"connection", "cluster_executor", "worker_plugin"}
"""Modules that import dask, which has its own say about systems."""


def modules(folder: Path, prefix: str, without: set[str]) -> list[str]:
    files = (path for path in folder.rglob("*.py") if path.stem not in without | {"__main__", "__init__"})
    return sorted(".".join([prefix, *path.relative_to(folder).with_suffix("").parts]) for path in files)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_worker_can_be_imported_there(system: str) -> None:
    names = modules(WORKER_HOME / "certo_worker", "certo_worker", LINUX_ALONE)
    assert "certo_worker.process.launch" in names
    assert imported(system, names) == ""


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_daemons_side_can_be_imported_there(system: str) -> None:
    names = modules(WORKER_HOME.parents[1] / "sandbox", "certo.sandbox", CLUSTER)
    assert "certo.sandbox.selection" in names
    assert imported(system, names) == ""


def imported(system: str, names: list[str]) -> str:
    """Return the modules that cannot be imported on `system`, as far as its missing modules tell."""
    command = [sys.executable, "-B", "-c", dedent(ELSEWHERE), system, str(WORKER_HOME), *names]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout


def test_windows_needs_consent_to_weak_confinement() -> None:
    """The sentence names what stays within reach."""
    with pytest.raises(SandboxUnavailable, match=r"reading your files and from the network.*WSL 2.*allow_unsandboxed"):
        on_windows(SandboxOptions(), NO_WALLS, SessionEnclosure)
    agreed = on_windows(SandboxOptions(allow_unsandboxed=True), NO_WALLS, SessionEnclosure)
    assert isinstance(agreed, WindowsExecutor)
    assert agreed.isolation.startswith("not confined: ")


def test_each_refusal_is_on_the_page() -> None:
    """In the words that users read, so that they find it by searching for them."""
    with pytest.raises(SandboxUnavailable) as unasked:
        on_windows(SandboxOptions(), NO_WALLS, SessionEnclosure)
    with pytest.raises(SandboxUnavailable) as other:
        on_windows(SandboxOptions(isolation="process", allow_unsandboxed=True), NO_WALLS, SessionEnclosure)
    listed = Page("docs/reference/platforms.md").text.partition("\n## What refuses\n")[2].partition("\n## ")[0]
    for sentence in (str(unasked.value), NOT_APART, str(other.value).replace("`process`", "`NAME`"), NO_SEATBELT):
        assert f"| {sentence}" in listed.replace("\\`", "`")


@pytest.mark.parametrize("isolation", ["process", "bubblewrap"])
def test_windows_refuses_linux_isolation(isolation: str) -> None:
    options = SandboxOptions(isolation=isolation, allow_unsandboxed=True)  # type: ignore[arg-type]  # one of its words
    with pytest.raises(SandboxUnavailable, match=f"`{isolation}`.*not on Windows.*`auto`"):
        on_windows(options, NO_WALLS, SessionEnclosure)


def test_windows_runs_have_a_minimal_environment() -> None:
    """It has no folder of the user's."""
    ours = {"SYSTEMROOT": r"C:\Windows", "USERPROFILE": r"C:\Users\me", "TEMP": r"C:\Users\me\Temp", "KEY": "secret"}
    assert windows_environment(Path("/scratch"), ours) == {
        "SYSTEMROOT": r"C:\Windows",
        "USERPROFILE": "/scratch/home",
        "APPDATA": "/scratch/home",
        "LOCALAPPDATA": "/scratch/home",
        "TEMP": "/scratch/tmp",
        "TMP": "/scratch/tmp",
    }
