"""Remedies: the command or sentence that would have runs confined better here, or install a package that is missing."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from certo.sandbox.executor import Interpreter
from certo.vocabulary.records import dataclass

_INSTALLERS = {
    "apt-get": "sudo apt-get install bubblewrap",
    "dnf": "sudo dnf install bubblewrap",
    "pacman": "sudo pacman -S bubblewrap",
    "zypper": "sudo zypper install bubblewrap",
    "apk": "sudo apk add bubblewrap",
}

_APPARMOR = (
    "printf 'abi <abi/4.0>,\\nprofile bwrap {bwrap} flags=(unconfined) {{\\n  userns,\\n}}\\n' "
    "| sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
"""Ubuntu, from 23.10 on, lets only those programs make user namespaces that a profile names; this is one for bubblewrap
alone, which leaves the restriction in force for all others."""

_CONTAINER = (
    "start the container with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, which let "
    "bubblewrap make namespaces within it"
)

_LANDLOCK_SINCE = (5, 13)
_PROCESSORS = ("x86_64", "aarch64")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine: where its files begin, its kernel's release ("6.8.0-31-generic"), processor and operating system."""

    root: Path = Path("/")
    release: str = os.uname().release if hasattr(os, "uname") else ""
    processor: str = os.uname().machine if hasattr(os, "uname") else ""
    platform: str = sys.platform

    @property
    def is_container(self) -> bool:
        """True inside a container, as the usual engines mark them."""
        return any((self.root / mark).exists() for mark in (".dockerenv", "run/.containerenv"))

    @property
    def kernel(self) -> tuple[int, ...]:
        """The first two numbers of the kernel's release."""
        return tuple(map(int, re.findall(r"\d+", self.release)[:2]))

    def text(self, path: str) -> str:
        """Return the text of a file below the root; "" if there is none or it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""


def sandbox_remedy(isolation: str, machine: Machine) -> str:
    """Return the command or sentence that would have runs confined better than by `isolation`; "" if there is none.

    Without a filter of system calls nothing else is of use; namespaces come before Landlock, which they can replace.
    """
    if machine.platform != "linux":
        return ""
    remedies = {"seccomp": _seccomp_remedy, "bubblewrap": _bubblewrap_remedy, "Landlock": _landlock_remedy}
    found = (remedy(machine) for name, remedy in remedies.items() if name not in isolation)
    return next(filter(None, found), "")


def _bubblewrap_remedy(machine: Machine) -> str:
    """Return how to get bubblewrap, or how the kernel or the container is made to allow it namespaces."""
    installed = shutil.which("bwrap")
    if installed is None:
        return next((command for program, command in _INSTALLERS.items() if shutil.which(program)), "")
    if wrong := list(_switches(machine)):
        return f"sudo sysctl {' '.join(wrong)}"
    if machine.text("proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return _APPARMOR.format(bwrap=os.path.realpath(installed))
    return _CONTAINER if machine.is_container else ""


def _switches(machine: Machine) -> Iterator[str]:
    """Yield the kernel's switches that forbid namespaces to ordinary users, as they would have to stand."""
    if machine.text("proc/sys/kernel/unprivileged_userns_clone") == "0":
        yield "kernel.unprivileged_userns_clone=1"
    if machine.text("proc/sys/user/max_user_namespaces") == "0":
        yield "user.max_user_namespaces=15000"


def _landlock_remedy(machine: Machine) -> str:
    if machine.kernel < _LANDLOCK_SINCE:
        return f"update the kernel: Landlock came with Linux 5.13, and this is {machine.release}"
    active = machine.text("sys/kernel/security/lsm")
    if active and "landlock" not in active.split(","):
        return f"boot the kernel with the parameter lsm=landlock,{active}"
    if machine.is_container:
        return "update the container's engine: older ones do not let system calls through that they do not know"
    return ""


def _seccomp_remedy(machine: Machine) -> str:
    if machine.processor not in _PROCESSORS:
        return f"use a machine with one of the processors certo has a filter for: {' or '.join(_PROCESSORS)}"
    return ""


_ADDERS = {"uv.lock": "uv add --dev", "poetry.lock": "poetry add --group dev", "pdm.lock": "pdm add --dev"}
"""How a project gets a dependency for its development, by the lock file of the tool it uses."""


def pytest_remedy(root: Path, interpreter: Interpreter) -> str:
    """Return the command that adds pytest to the project at `root`, in the tool the project uses.

    An interpreter that is in no environment gets one made for the project: it may be the system's, which must not be
    installed into.
    """
    for lock, command in _ADDERS.items():
        if (root / lock).is_file():
            return f"{command} pytest"
    environment = interpreter.executable.parent.parent
    if not (environment / "pyvenv.cfg").is_file() and not (environment / "conda-meta").is_dir():
        executable, place = shlex.quote(str(interpreter.executable)), shlex.quote(str(root / ".venv"))
        return f"{executable} -m venv {place} && {place}/bin/python -m pip install pytest"
    return _install("pytest", interpreter.executable)


def own_remedy(extra: str) -> str:
    """Return the command that installs an extra where certo runs, which may be an environment of its own."""
    return _install(shlex.quote(f"certo[{extra}]"), Path(sys.executable))


def _install(what: str, executable: Path) -> str:
    """Return the command that installs something into an interpreter's environment."""
    # Environments that uv made have no pip in them; it leaves its version in their configuration.
    made_by = _text_of(executable.parent.parent / "pyvenv.cfg").splitlines()
    by_uv = any(line.startswith("uv =") for line in made_by)
    pip = "uv pip install --python {}" if by_uv else "{} -m pip install"
    return f"{pip.format(shlex.quote(str(executable)))} {what}"


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
