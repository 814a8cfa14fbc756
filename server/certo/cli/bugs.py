"""Bugs of ours: the user reads one sentence, the traceback goes to a file."""

from __future__ import annotations

import logging
import os
from pathlib import Path

LOG = logging.getLogger("certo")


def log_file() -> Path:
    """Where tracebacks go: the latest command's, in the user's state directory."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "certo" / "certo.log"


def keep_log() -> None:
    """Send what certo logs to the log file instead of the terminal; the file is begun only when there is something."""
    for handler in LOG.handlers:
        LOG.removeHandler(handler)
    LOG.propagate = False
    try:
        log_file().parent.mkdir(parents=True, exist_ok=True)
        LOG.addHandler(logging.FileHandler(log_file(), mode="w", encoding="utf-8", delay=True))
    except OSError:
        # A home that cannot be written to must not keep anybody from working; the sentence is told all the same.
        LOG.addHandler(logging.NullHandler())


def record(error: BaseException) -> str:
    """Write a bug's traceback to the log file and return the sentence for the user."""
    keep_log()
    LOG.error("certo met a bug of its own", exc_info=error)
    return f"met a bug of its own ({type(error).__name__}: {error}); please report it with {log_file()}"
