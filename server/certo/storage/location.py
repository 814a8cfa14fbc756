"""Places of journals and experiments: in the user's data folder, separate per project, readable by the owner only."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

SET_ASIDE = ".set-aside-"
"""Part of the name of an unusable journal that is kept."""

_READABLE = 40
_HASHED = 12


def journal_folder(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder of all journals: below XDG_DATA_HOME if set, otherwise the platform's usual place."""
    if chosen := environ.get("XDG_DATA_HOME"):
        return Path(chosen) / "certo" / "journals"
    home = Path(environ.get("HOME") or "~").expanduser()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "certo" / "journals"
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "certo" / "journals"
    return home / ".local" / "share" / "certo" / "journals"


def journal_file(folder: Path, root: Path) -> Path:
    """Return the journal of a project, named by its directory's name and a hash that makes it unique."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:_READABLE].strip(".-") or "root"
    whole = hashlib.sha256(os.fsencode(root)).hexdigest()[:_HASHED]
    return folder / f"{readable}-{whole}.sqlite"


def experiments_folder(journals: Path, root: Path) -> Path:
    """Return the folder of a project's experiments, beside the folder of journals and named like its journal."""
    return journals.parent / "experiments" / journal_file(journals, root).stem


def make_private(file: Path) -> None:
    """Create a file and its folder for their owner only, unless they exist; SQLite gives its side files the same mode.

    Raises:
        OSError: It cannot be created.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.chmod(0o700)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
