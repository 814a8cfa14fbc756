"""What a run of pytest that went wrong has to say about it."""

from __future__ import annotations

import re


def complaint(printed: str) -> str:
    """Return what a run that went wrong said about it, in a line."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    for mark in (r"E\s+(.*)", r"(?:.*: )?(?:ERROR|error): (.*)"):
        for line in reversed(lines):
            if found := re.fullmatch(mark, line):
                return found.group(1)[:300]
    return lines[-1][:300] if lines else "it printed nothing"
