"""The exit codes of the command, which scripts rely on."""

from __future__ import annotations

SOLVED = 0
"""There is a verified winner, or what was asked went well."""

NONE = 1
"""The search ended without a verified winner."""

BAD_REQUEST = 2
"""The command line or its target is not as it should be."""

BROKEN_WORLD = 3
"""Something outside certo is missing or unusable."""

BUG = 70
"""A bug of certo's own (EX_SOFTWARE of sysexits.h)."""

INTERRUPTED = 130
"""SIGINT ended it; a shell shows 128 plus the signal's number."""

PIPE_CLOSED = 141
"""The reader of standard output has gone, as for a program that SIGPIPE ends."""
