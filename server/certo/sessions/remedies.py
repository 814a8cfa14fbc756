"""The commands that put right what is missing in a project, and beside certo itself."""

from __future__ import annotations

import shlex
import sys
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
    environment = interpreter.executable.parent.parent
    if not (environment / "pyvenv.cfg").is_file() and not (environment / "conda-meta").is_dir():
        executable, place = shlex.quote(str(interpreter.executable)), shlex.quote(str(root / ".venv"))
        return f"{executable} -m venv {place} && {place}/bin/python -m pip install pytest"
    return _install("pytest", interpreter.executable)


def own_remedy(extra: str) -> str:
    """The command that installs an extra of certo's where certo runs, which an editor may have made for it alone."""
    return _install(shlex.quote(f"certo[{extra}]"), Path(sys.executable))


def _install(what: str, executable: Path) -> str:
    """The command that installs something into an interpreter's environment."""
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
