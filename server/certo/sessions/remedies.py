"""The command that puts right what is missing, on this machine and in this project."""

from __future__ import annotations

import shlex
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
    """The command that adds pytest to the project at `root`, in the tool the project uses.

    An interpreter that is in no environment gets one made for the project: it may be the system's, which must not be
    installed into.
    """
    for lock, command in _ADDERS.items():
        if (root / lock).is_file():
            return f"{command} pytest"
    executable = shlex.quote(str(interpreter.executable))
    made_by = _text_of(interpreter.executable.parent.parent / "pyvenv.cfg")
    if not made_by and not (interpreter.executable.parent.parent / "conda-meta").is_dir():
        place = shlex.quote(str(root / ".venv"))
        return f"{executable} -m venv {place} && {place}/bin/python -m pip install pytest"
    # Environments that uv made have no pip in them; it leaves its version in their configuration.
    if any(line.startswith("uv =") for line in made_by.splitlines()):
        return f"uv pip install --python {executable} pytest"
    return f"{executable} -m pip install pytest"


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
    stands = _text_of(switch).strip()
    return bool(stands) and stands != wanted


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
