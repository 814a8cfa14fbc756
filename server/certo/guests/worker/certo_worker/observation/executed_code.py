"""Record of the project's functions that each test executes, and of the project's source files that it reads."""

from __future__ import annotations

import os
import sys
from types import CodeType
from typing import Any, Dict, List, Optional, Set

from certo_worker.observation.failure_text import Tell, is_own


class ExecutedCode:
    """The project's code that ran since `take`, each piece told once as the line it begins at, then by its number."""

    def __init__(self, root: str, tell: Tell) -> None:
        self._root = os.path.realpath(root)
        self._tell = tell
        self._names: Dict[str, Optional[str]] = {}
        self._numbers: Dict[CodeType, int] = {}
        self._seen: Set[CodeType] = set()
        self._read: Set[str] = set()
        self.early = self.imported()
        sys.addaudithook(self._hear)

    def enter(self, code: CodeType) -> None:
        """Record that code started to run."""
        if code not in self._seen and self._file_of(code.co_filename) is not None:
            self._seen.add(code)

    def swap(self, seen: Optional[Set[CodeType]] = None) -> Set[CodeType]:
        """Return what ran so far, and begin with `seen` instead."""
        before, self._seen = self._seen, set() if seen is None else seen
        return before

    def merge(self, seen: Set[CodeType]) -> None:
        """Record that all of this ran."""
        self._seen |= seen

    def take(self) -> Dict[str, Any]:
        """Return the recorded code by number, with the source files that were read, and reset."""
        told = {"code": sorted(self._number(code) for code in self.swap()), "read": sorted(self._read)}
        self._read.clear()
        return told

    def imported(self) -> List[str]:
        """Return the project's files that have been imported so far, relative to its root."""
        files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
        return sorted({found for file in files if isinstance(file, str) for found in [self._file_of(file)] if found})

    def _number(self, code: CodeType) -> int:
        if code not in self._numbers:
            self._numbers[code] = len(self._numbers)
            self._tell({"kind": "code", "file": self._file_of(code.co_filename), "line": code.co_firstlineno})
        return self._numbers[code]

    def _file_of(self, name: str) -> Optional[str]:
        if name not in self._names:
            place = os.path.realpath(name)
            own = not name.startswith("<") and is_own(place, self._root)
            self._names[name] = os.path.relpath(place, self._root).replace(os.sep, "/") if own else None
        return self._names[name]

    def _hear(self, event: str, arguments: Any) -> None:
        # An import within a test opens the file too; that it then counts as a whole does no harm.
        if event == "open" and isinstance(arguments[0], str) and arguments[0].endswith(".py"):
            found = self._file_of(arguments[0])
            if found is not None:
                self._read.add(found)
