"""Records as a log has them: apart from `visible`, for what only answers an editor's first message needs no log."""

from __future__ import annotations

import logging
from typing import Any

from certo.vocabulary.display import one_line, visible


class LogFormatter(logging.Formatter):
    """Writes a record's message on one line, so that none looks like another's; tracebacks keep their lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the first line of a record."""
        record.message = one_line(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Return a traceback, each line of which is set in, so that none can pass for a record."""
        return "\n".join(f"    {line}" for line in visible(super().formatException(ei)).split("\n"))
