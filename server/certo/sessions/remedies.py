"""The command that puts right what is missing, on this machine and in this project."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from certo.sandbox.executor import Interpreter

_ADDERS = {"uv.lock": "uv add --dev", "poetry.lock": "poetry add --group dev", "pdm.lock": "pdm add --dev"}
"""How a project gets a dependency for its development, by the lock file of the tool it uses."""

_INSTALLERS = {
    "apt-get": "sudo apt-get install bubblewrap",
    "dnf": "sudo dnf install bubblewrap",
    "pacman": "sudo pacman -S bubblewrap",
    "zypper": "sudo zypper install bubblewrap",
    "apk": "sudo apk add bubblewrap",
}

_NAMESPACE_SWITCHES = {"unprivileged_userns_clone": "1", "apparmor_restrict_unprivileged_userns": "0"}
"""Kernel switches that some distributions have, and where they must stand for bubblewrap to work without root."""


def pytest_remedy(root: Path, interpreter: Interpreter) -> str:
    """The command that adds pytest to the project at `root`, in the tool the project uses."""
    for lock, command in _ADDERS.items():
        if (root / lock).is_file():
            return f"{command} pytest"
    return f"{interpreter.executable} -m pip install pytest"


def bubblewrap_remedy(switches: Path = Path("/proc/sys/kernel")) -> str:
    """The command that makes bubblewrap work here, or nothing where none is known.

    Where it is installed already it is the kernel that has to allow it; `switches` is where the kernel shows how.
    """
    if not sys.platform.startswith("linux"):
        return ""
    if shutil.which("bwrap"):
        wrong = [name for name, value in _NAMESPACE_SWITCHES.items() if _stands_otherwise(switches / name, value)]
        settled = " ".join(f"kernel.{name}={_NAMESPACE_SWITCHES[name]}" for name in wrong)
        return f"sudo sysctl {settled}" if wrong else ""
    return next((command for program, command in _INSTALLERS.items() if shutil.which(program)), "")


def _stands_otherwise(switch: Path, wanted: str) -> bool:
    """Whether a switch is there and stands otherwise."""
    try:
        return switch.read_text(encoding="ascii").strip() != wanted
    except OSError:
        return False
