"""Log of internal errors: the user gets one sentence, the traceback goes to a file."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

from certo.vocabulary.log_text import LogFormatter

LOG = logging.getLogger("certo")


def log_file() -> Path:
    """Return the file for tracebacks, in the user's state directory; it is created on first use."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "certo" / "certo.log"


class LateFile(logging.Handler):
    """Handler that appends to the log file, created with its directory on first use."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; an unwritable home directory is ignored."""
        with contextlib.suppress(OSError):
            log_file().parent.mkdir(parents=True, exist_ok=True)
            with log_file().open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(self.format(record) + "\n")


def keep_log() -> None:
    """Send certo's log to the log file instead of the terminal."""
    late = LateFile(logging.WARNING)
    late.setFormatter(LogFormatter("%(asctime)s %(name)s: %(message)s"))
    LOG.handlers[:] = [late]
    LOG.propagate = False


def record(error: BaseException) -> str:
    """Write the traceback of an internal error to the log file; return the sentence for the user."""
    keep_log()
    LOG.error("certo hit an internal error", exc_info=error)
    return f"internal error ({type(error).__name__}: {error}); please report it with {log_file()}"
