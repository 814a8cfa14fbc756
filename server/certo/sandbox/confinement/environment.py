"""Environment variables of a run: only those that a Python needs; keys and tokens stay with the daemon."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from certo.sandbox.executor import Interpreter

_KEPT = ("PATH", "LANG", "LANGUAGE", "TZ")
_KEPT_ON_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT")
_ONE_THREAD_EACH = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def environment(
    interpreter: Interpreter, scratch: Path, ours: Mapping[str, str] = os.environ, *, hash_seed: int = 0
) -> dict[str, str]:
    """Return the whole environment of one run under `interpreter` whose own directories are in `scratch`."""
    kept = {name: value for name, value in ours.items() if name in _KEPT or name.startswith("LC_")}
    programs = str(interpreter.executable.parent)
    kept["PATH"] = os.pathsep.join((programs, kept["PATH"])) if kept.get("PATH") else programs
    return {
        **kept,
        **dict.fromkeys(_ONE_THREAD_EACH, "1"),
        **_virtual_environment(interpreter),
        **_user_packages(interpreter, ours),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        # For reproducible verdicts, sets and dictionaries must have the same order in each run.
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        **(on_windows(scratch, ours) if sys.platform == "win32" else {}),
    }


def on_windows(scratch: Path, ours: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a program needs on Windows; without the first it cannot load its libraries."""
    home, temporary = str(scratch / "home"), str(scratch / "tmp")
    return {
        **{name: ours[name] for name in _KEPT_ON_WINDOWS if name in ours},
        **dict.fromkeys(("USERPROFILE", "APPDATA", "LOCALAPPDATA"), home),
        **dict.fromkeys(("TEMP", "TMP"), temporary),
    }


def _virtual_environment(interpreter: Interpreter) -> dict[str, str]:
    return {"VIRTUAL_ENV": str(interpreter.environment)} if interpreter.environment is not None else {}


def _user_packages(interpreter: Interpreter, ours: Mapping[str, str]) -> dict[str, str]:
    """Return the place of `pip install --user` packages if the interpreter uses them, since a run has another HOME."""
    place = Path(ours.get("PYTHONUSERBASE") or Path(ours.get("HOME", "/")) / ".local")
    used = any(
        directory.is_relative_to(place) and "site-packages" in directory.parts for directory in interpreter.readable
    )
    return {"PYTHONUSERBASE": str(place)} if used else {}
