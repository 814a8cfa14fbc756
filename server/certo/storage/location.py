"""Where journals and experiments are: in the user's data folder, apart for each project, readable by its owner only."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

SET_ASIDE = ".set-aside-"
"""What stands in the name of a journal that was of no use and is kept."""

_READABLE = 40
_HASHED = 12


def journal_folder(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The folder of all journals; XDG_DATA_HOME decides everywhere, and else what is usual on the platform."""
    if chosen := environ.get("XDG_DATA_HOME"):
        return Path(chosen) / "certo" / "journals"
    home = Path(environ.get("HOME") or "~").expanduser()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "certo" / "journals"
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "certo" / "journals"
    return home / ".local" / "share" / "certo" / "journals"


def journal_file(folder: Path, root: Path) -> Path:
    """The journal of a project: its directory's name for people, then a hash that tells it from others of that name."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:_READABLE].strip(".-") or "root"
    whole = hashlib.sha256(os.fsencode(root)).hexdigest()[:_HASHED]
    return folder / f"{readable}-{whole}.sqlite"


def experiments_folder(journals: Path, root: Path) -> Path:
    """Where the experiments about a project are: beside the folder of all journals, called as its journal is."""
    return journals.parent / "experiments" / journal_file(journals, root).stem


def make_private(file: Path) -> None:
    """Make a file and its folder, for their owner only, unless they are there; SQLite gives its side files the same.

    Raises:
        OSError: it cannot be made.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.chmod(0o700)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
