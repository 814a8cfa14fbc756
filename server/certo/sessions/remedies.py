"""The command that puts right what is missing in a project."""

from __future__ import annotations

import shlex
from pathlib import Path

from certo.sandbox.executor import Interpreter

_ADDERS = {"uv.lock": "uv add --dev", "poetry.lock": "poetry add --group dev", "pdm.lock": "pdm add --dev"}
"""How a project gets a dependency for its development, by the lock file of the tool it uses."""


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


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
