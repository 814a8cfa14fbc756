"""Bugs of ours: the user reads one sentence, the traceback goes to a file."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

from certo.vocabulary.log_text import LogFormatter

LOG = logging.getLogger("certo")


def log_file() -> Path:
    """Where tracebacks go: a file in the user's state directory, made when there is something to say."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "certo" / "certo.log"


class LateFile(logging.Handler):
    """Appends to the log file, and makes it and its directory only then."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; a home that cannot be written to must not keep anybody from working."""
        with contextlib.suppress(OSError):
            log_file().parent.mkdir(parents=True, exist_ok=True)
            with log_file().open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(self.format(record) + "\n")


def keep_log() -> None:
    """Send what certo logs to the log file instead of the terminal."""
    late = LateFile(logging.WARNING)
    late.setFormatter(LogFormatter("%(asctime)s %(name)s: %(message)s"))
    LOG.handlers[:] = [late]
    LOG.propagate = False


def record(error: BaseException) -> str:
    """Write a bug's traceback to the log file and return the sentence for the user."""
    keep_log()
    LOG.error("certo hit an internal error", exc_info=error)
    return f"internal error ({type(error).__name__}: {error}); please report it with {log_file()}"
