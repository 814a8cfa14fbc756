"""The exit codes of the command, which scripts rely on."""

from __future__ import annotations

SOLVED = 0
"""There is a verified winner, or the command succeeded."""

NONE = 1
"""The search ended without a verified winner."""

DIFFERENT = 1
"""Versions of a function differ in what they do."""

BAD_REQUEST = 2
"""The command line or its target is invalid."""

BROKEN_WORLD = 3
"""Something outside certo is missing or unusable."""

NOT_COMPARED = 4
"""Versions of a function could not be compared, so nothing is known of them."""

BUG = 70
"""An internal error (EX_SOFTWARE of sysexits.h)."""

INTERRUPTED = 130
"""Ended by SIGINT; shells report 128 plus the signal's number."""

PIPE_CLOSED = 141
"""The reader of standard output is gone, as for a program that SIGPIPE ends."""
