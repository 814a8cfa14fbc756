"""Test files that were compiled once for many copies of a process, with the assertions that pytest rewrites.

pytest itself remembers them in files, which no run of ours may write.
"""

from __future__ import annotations

import os
from types import CodeType
from typing import Any, Callable, Dict, Iterable, Optional, Tuple


class Rewritten:
    """Code by the file it was compiled from, as long as that is on the disk as it was then."""

    def __init__(self) -> None:
        self._known: Dict[str, Tuple[Tuple[int, int], CodeType]] = {}

    def remember(self, files: Iterable[str], compiled: Callable[[str], CodeType]) -> None:
        """Compile files that are not known yet; whoever runs one that cannot be compiled will hear why."""
        for file in dict.fromkeys(files):
            try:
                if self.recall(file) is None:
                    self._known[file] = _stamp(file), compiled(file)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                # The last two are what Python says of code that is nested too deeply.
                continue

    def recall(self, source: Any) -> Optional[CodeType]:
        """Return the code of a file, or None where it is not known."""
        known = self._known.get(str(source))
        return None if known is None or known[0] != _stamp(source) else known[1]

    def forget(self) -> None:
        """Let go of all of it."""
        self._known.clear()


def _stamp(file: Any) -> Tuple[int, int]:
    about = os.stat(file)
    return about.st_mtime_ns, about.st_size
